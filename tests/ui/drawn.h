// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFile>
#include <QPainter>
#include <QPointF>
#include <QRectF>
#include <QRegularExpression>
#include <QStringList>
#include <QSvgGenerator>
#include <QTemporaryDir>
#include <QTransform>
#include <QWidget>
#include <QXmlStreamReader>
#include <cmath>
#include <vector>

namespace headlight::fixture {

/// What a picture says, read back from its SVG: every text and every filled rectangle, in the order in which they were
/// painted and where they stand in the picture.
class Drawn {
public:
    Drawn() = default;
    explicit Drawn(const QString& path) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) return;
        QXmlStreamReader xml(&file);
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement) take(xml);
        m_whole = !xml.hasError();
    }

    bool whole() const { return m_whole && !m_pieces.empty(); }
    QStringList texts() const {
        QStringList all;
        for (const Piece& piece : m_pieces)
            if (!piece.text.isNull()) all << piece.text;
        return all;
    }
    /// Every text and how high its letters' em is in the picture.
    std::vector<std::pair<QString, double>> sizes() const {
        std::vector<std::pair<QString, double>> all;
        for (const Piece& piece : m_pieces)
            if (!piece.text.isNull()) all.emplace_back(piece.text, piece.size);
        return all;
    }
    /// Are these written one after another?
    bool writes(const QStringList& run) const { return !find(run).empty(); }
    /// Is a text written that has this in it?
    bool mentions(const QString& words) const { return !texts().filter(words).isEmpty(); }
    /// The ink of the text that reads so; invalid where there is none.
    QColor ink(const QString& text) const {
        for (const Piece& piece : m_pieces)
            if (piece.text == text) return piece.color;
        return {};
    }
    /// The colour on which each text of the run stands: of the last rectangle that was painted there before.
    std::vector<QColor> grounds(const QStringList& run) const {
        std::vector<QColor> all;
        for (const size_t at : find(run)) {
            QColor ground;
            for (size_t i = 0; i < at; ++i)
                if (m_pieces[i].text.isNull() && m_pieces[i].at.contains(m_pieces[at].at.topLeft()))
                    ground = m_pieces[i].color;
            all.push_back(ground);
        }
        return all;
    }

private:
    struct Piece {
        QString text;  ///< null: a rectangle
        QRectF at;     ///< of a text the place where it begins
        QColor color;
        double size = 0;  ///< of a text: its em
    };

    void take(QXmlStreamReader& xml) {
        const QXmlStreamAttributes attributes = xml.attributes();
        const auto number = [&](const char* name) { return attributes.value(QLatin1String(name)).toDouble(); };
        if (xml.name() == QLatin1String("g")) {
            m_fill = QColor(attributes.value(QLatin1String("fill")).toString());
            const QStringList m = attributes.value(QLatin1String("transform"))
                                      .toString()
                                      .remove(QLatin1String("matrix("))
                                      .remove(u')')
                                      .split(u',');
            m_place = m.size() == 6 ? QTransform(m[0].toDouble(), m[1].toDouble(), m[2].toDouble(), m[3].toDouble(),
                                                 m[4].toDouble(), m[5].toDouble())
                                    : QTransform();
        } else if (xml.name() == QLatin1String("rect") && m_fill.isValid()) {
            const QRectF at(number("x"), number("y"), number("width"), number("height"));
            m_pieces.push_back({{}, m_place.mapRect(at), m_fill});
        } else if (xml.name() == QLatin1String("text")) {
            const QColor ink(attributes.value(QLatin1String("fill")).toString());
            const QPointF at = m_place.map(QPointF(number("x"), number("y")));
            const double size = number("font-size") * std::sqrt(std::abs(m_place.determinant()));
            m_pieces.push_back({QLatin1String("") + xml.readElementText(), {at, QSizeF()}, ink, size});
        }
    }

    /// Places of the run's texts among the pieces; empty: it is not there.
    std::vector<size_t> find(const QStringList& run) const {
        std::vector<size_t> places;
        for (size_t i = 0; i < m_pieces.size(); ++i)
            if (!m_pieces[i].text.isNull()) places.push_back(i);
        const auto wanted = static_cast<size_t>(run.size());
        for (size_t from = 0; from + wanted <= places.size(); ++from) {
            size_t same = 0;
            while (same < wanted && m_pieces[places[from + same]].text == run[static_cast<qsizetype>(same)])
                ++same;
            if (same == wanted)
                return {places.begin() + static_cast<std::ptrdiff_t>(from),
                        places.begin() + static_cast<std::ptrdiff_t>(from + wanted)};
        }
        return {};
    }

    std::vector<Piece> m_pieces;
    QColor m_fill;
    QTransform m_place;
    bool m_whole = false;
};

/// What a widget draws.
inline Drawn drawn(QWidget& widget) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("drawn.svg"));
    {
        QSvgGenerator svg;
        svg.setFileName(path);
        svg.setSize(widget.size());
        svg.setViewBox(widget.rect());
        QPainter painter(&svg);
        widget.render(&painter);
    }
    return Drawn(path);
}

}  // namespace headlight::fixture
