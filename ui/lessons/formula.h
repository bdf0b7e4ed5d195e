// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <optional>

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

private:
    QByteArray m_svg;
    QSizeF m_size;  ///< in ex
    double m_depth = 0;
};

}  // namespace headlight
