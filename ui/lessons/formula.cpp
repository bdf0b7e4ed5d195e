// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/formula.h"

#include <QDir>
#include <QFile>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <algorithm>

#include "core/lessons/inline_markup.h"
#include "core/lessons/lesson_folder.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kExInEm = 0.442;  ///< of MathJax's TeX type
constexpr qint64 kLargest = 1 << 20;

}  // namespace

std::optional<Formula> Formula::find(const QString& tex, bool display, const QStringList& folders) {
    const QString name = QString::fromStdString(formulaName(tex.toStdString(), display)) + QStringLiteral(".svg");
    for (const QString& folder : folders) {
        QFile file(QDir(folder).filePath(name));
        if (file.size() > kLargest || !file.open(QIODevice::ReadOnly)) continue;
        Formula formula;
        formula.m_tex = tex;
        formula.m_svg = file.readAll();
        const QString head = QString::fromUtf8(formula.m_svg.left(400));
        static const QRegularExpression form(
            QStringLiteral("vertical-align: (-?[0-9.]+)(?:ex)?;.* width=\"([0-9.]+)ex\" height=\"([0-9.]+)ex\""));
        const QRegularExpressionMatch match = form.match(head);
        if (!match.hasMatch()) continue;
        formula.m_depth = -match.captured(1).toDouble();
        formula.m_size = {match.captured(2).toDouble(), match.captured(3).toDouble()};
        return formula;
    }
    return {};
}

QSizeF Formula::size(double fontPx) const {
    return m_size * (fontPx * kExInEm);
}

double Formula::depth(double fontPx) const {
    return m_depth * fontPx * kExInEm;
}

void Formula::paint(QPainter& painter, const QRectF& box, const Theme& theme) const {
    QByteArray svg = m_svg;
    svg.replace("currentColor", theme.text.name().toLatin1());
    const std::pair<const char*, QColor> roles[] = {{"query", theme.query}, {"key", theme.key}, {"value", theme.value}};
    for (const auto& [name, color] : roles)
        for (const char* of : {"fill", "stroke"})
            svg.replace(QByteArray(of) + "=\"" + name + "\"", QByteArray(of) + "=\"" + color.name().toLatin1() + "\"");
    QSvgRenderer renderer(svg);
    renderer.render(&painter, box);
}

TextWithFormulas withFormulas(const QString& markdown, const QStringList& folders) {
    const std::string text = markdown.toStdString();
    TextWithFormulas result;
    size_t from = 0;
    for (const InlineFormula& formula : inlineFormulas(text)) {
        const size_t end = std::min(formula.end, text.size());
        result.markdown += QString::fromStdString(text.substr(from, formula.begin - from));
        from = end;
        const QString tex = QString::fromStdString(formula.tex);
        const auto picture = Formula::find(tex, false, folders);
        if (!picture) {
            ++result.missing;
            result.markdown += QStringLiteral("`%1`").arg(tex);
            continue;
        }
        const QString alternative = tex.toHtmlEscaped().remove(u']').remove(u'[');
        result.markdown += QStringLiteral("![%1](formula:%2)").arg(alternative).arg(result.formulas.size());
        result.formulas.push_back(*picture);
    }
    result.markdown += QString::fromStdString(text.substr(from));
    return result;
}

}  // namespace headlight
