// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/formula_html.h"

#include <QRegularExpression>
#include <QSet>
#include <QXmlStreamReader>

#include "ui/export/web_page.h"
#include "ui/lessons/formula.h"

namespace headlight {

namespace {

/// Shapes and their places, as MathJax writes them.
bool isShape(QStringView element) {
    static const QSet<QString> shapes{QStringLiteral("svg"), QStringLiteral("g"), QStringLiteral("path"),
                                      QStringLiteral("rect")};
    return shapes.contains(element.toString());
}

bool isPlace(const QString& attribute) {
    static const QSet<QString> places{QStringLiteral("viewBox"), QStringLiteral("transform"),   QStringLiteral("d"),
                                      QStringLiteral("x"),       QStringLiteral("y"),           QStringLiteral("width"),
                                      QStringLiteral("height"),  QStringLiteral("stroke-width")};
    return places.contains(attribute);
}

/// `fill="query"` is a colour of the page's.
QByteArray inkOf(const QString& attribute, const QString& color, QByteArray& classes) {
    if (color == QLatin1String("currentColor") || color == QLatin1String("none"))
        return " " + attribute.toLatin1() + "=\"" + color.toLatin1() + "\"";
    for (const char* role : {"query", "key", "value"})
        if (color == QLatin1String(role)) classes += QByteArray(role) + "-" + attribute.toLatin1() + " ";
    return {};
}

QByteArray tagOf(const QXmlStreamReader& xml) {
    static const QRegularExpression numbers(QStringLiteral("^[-+0-9a-zA-Z.,() ]*$"));
    const bool isRoot = xml.name() == QLatin1String("svg");
    QByteArray tag = "<" + xml.name().toLatin1(), classes;
    for (const QXmlStreamAttribute& attribute : xml.attributes()) {
        const QString name = attribute.qualifiedName().toString(), value = attribute.value().toString();
        if (name == QLatin1String("fill") || name == QLatin1String("stroke"))
            tag += inkOf(name, value, classes);
        else if (isPlace(name) && numbers.match(value).hasMatch() &&
                 !(isRoot && (name == QLatin1String("width") || name == QLatin1String("height"))))
            tag += " " + name.toLatin1() + "=\"" + value.toLatin1() + "\"";
    }
    if (!classes.isEmpty()) tag += " class=\"" + classes.trimmed() + "\"";
    return tag;
}

}  // namespace

QByteArray formulaHtml(const Formula& formula, double em) {
    const QSizeF size = formula.size(em);
    QByteArray html;
    QXmlStreamReader xml(formula.svg());
    int inside = 0;  // how deep in something that is left out
    while (!xml.atEnd()) {
        const auto token = xml.readNext();
        if (token == QXmlStreamReader::StartElement) {
            if (inside > 0 || !isShape(xml.name())) {
                ++inside;
                continue;
            }
            html += tagOf(xml);
            if (xml.name() == QLatin1String("svg"))
                html +=
                    QStringLiteral(" class=\"math\" role=\"img\" style=\"width:%1em;height:%2em;vertical-align:%3em\"")
                        .arg(size.width(), 0, 'f', 3)
                        .arg(size.height(), 0, 'f', 3)
                        .arg(-formula.depth(em), 0, 'f', 3)
                        .toLatin1() +
                    " aria-label=\"" + escaped(formula.tex()) + "\"";
            html += ">";
        } else if (token == QXmlStreamReader::EndElement) {
            if (inside > 0)
                --inside;
            else
                html += "</" + xml.name().toLatin1() + ">";
        }
    }
    return xml.hasError() ? "<code>" + escaped(formula.tex()) + "</code>" : html;
}

}  // namespace headlight
