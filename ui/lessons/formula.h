// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

class QPainter;

namespace headlight {

struct Theme;

/// A formula as MathJax set it, once, when the lesson was written: an SVG under the name of its TeX (formulaName()).
class Formula {
public:
    /// Looks in the folders, in their order. Empty where none has the picture.
    static std::optional<Formula> find(const QString& tex, bool display, const QStringList& folders);

    /// In device-independent pixels, for text of `fontPx`.
    QSizeF size(double fontPx) const;
    /// How far it reaches below the line.
    double depth(double fontPx) const;
    /// As lines, in the theme's colours: ink, and those of query, key and value where the TeX asks for them.
    void paint(QPainter& painter, const QRectF& box, const Theme& theme) const;

    const QString& tex() const { return m_tex; }
    /// The file; its ink is `currentColor`, `query`, `key` or `value`.
    const QByteArray& svg() const { return m_svg; }

private:
    QString m_tex;
    QByteArray m_svg;
    QSizeF m_size;  ///< in ex
    double m_depth = 0;
};

/// Markdown in which the N-th formula of a line is a picture, `formula:N`.
struct TextWithFormulas {
    QString markdown;
    std::vector<Formula> formulas;
    int missing = 0;  ///< formulas that have no picture: they stand as readable TeX
};
TextWithFormulas withFormulas(const QString& markdown, const QStringList& folders);

}  // namespace headlight
