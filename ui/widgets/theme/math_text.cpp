// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/math_text.h"

#include <QFontMetricsF>
#include <QHash>
#include <QPainter>
#include <vector>

namespace headlight::paint {

namespace {

constexpr double kSmaller = 0.68, kLower = 0.22, kHigher = 0.36;  ///< of a script, in sizes of the line

struct Run {
    QString text;
    QFont font;
    double x = 0, lower = 0;
};

struct Line {
    std::vector<Run> runs;
    double width = 0, capitals = 0;
};

enum class Script { None, Below, Above };
enum class Face { Upright, Italic, Bold };

QFont mathFont(double px, Face face) {
    QFont font(QStringList{QStringLiteral("STIX Two Text"), QStringLiteral("STIXGeneral"), QStringLiteral("STIX"),
                           QStringLiteral("DejaVu Serif")});
    font.setStyleHint(QFont::Serif);
    font.setPixelSize(qRound(px));
    font.setItalic(face == Face::Italic);
    font.setBold(face == Face::Bold);
    return font;
}

bool isMark(QChar letter) {
    return letter == u'_' || letter == u'^' || letter == u'{' || letter == u'}' || letter == u'*';
}

/// From `at` on: one letter, a word of several, or whatever else comes before the next letter or script.
QString nextRun(const QString& text, qsizetype at, bool& italic) {
    qsizetype end = at;
    const bool letter = text[at].isLetter();
    while (end < text.size() && text[end].isLetter() == letter && !isMark(text[end]))
        ++end;
    italic = letter && end - at == 1;
    return text.mid(at, std::max<qsizetype>(1, end - at));
}

/// Whether a mark that changes how the rest is set stands there; then it is passed.
bool passMark(const QString& formula, qsizetype& at, Script& script, bool& bold) {
    if (formula.mid(at, 2) == QLatin1String("_{") || formula.mid(at, 2) == QLatin1String("^{")) {
        script = formula[at] == u'_' ? Script::Below : Script::Above;
        at += 2;
        return true;
    }
    if (formula[at] == u'}') {
        script = Script::None;
        ++at;
        return true;
    }
    if (formula[at] == u'*') {
        bold = !bold;
        ++at;
        return true;
    }
    return false;
}

Line laidOut(const QString& formula, int px) {
    Line line;
    line.capitals = QFontMetricsF(mathFont(px, Face::Upright)).capHeight();
    Script script = Script::None;
    bool bold = false;
    for (qsizetype at = 0; at < formula.size();) {
        if (passMark(formula, at, script, bold)) continue;
        bool italic = false;
        const QString text = nextRun(formula, at, italic);
        at += text.size();
        const QFont font = mathFont(script == Script::None ? px : px * kSmaller, bold     ? Face::Bold
                                                                                 : italic ? Face::Italic
                                                                                          : Face::Upright);
        const double lower = script == Script::Below ? px * kLower : script == Script::Above ? -px * kHigher : 0;
        line.runs.push_back({text, font, line.width, lower});
        line.width += QFontMetricsF(font).horizontalAdvance(text);
    }
    return line;
}

const Line& lineOf(const QString& formula, int px) {
    static auto& known = *new QHash<std::pair<QString, int>, Line>;  // as labels are kept: see paint.cpp
    constexpr qsizetype most = 512;
    if (known.size() > most) known.clear();
    const auto found = known.constFind({formula, px});
    if (found != known.constEnd()) return *found;
    return *known.insert({formula, px}, laidOut(formula, px));
}

}  // namespace

double mathWidth(const QString& formula, int px) {
    return lineOf(formula, px).width;
}

void math(QPainter& painter, QPointF at, const QString& formula, int px, const QColor& color, Anchor anchor) {
    const Line& line = lineOf(formula, px);
    const double left = at.x() - (anchor == Anchor::Start ? 0 : anchor == Anchor::Middle ? line.width / 2 : line.width);
    painter.setPen(color);
    for (const Run& run : line.runs) {
        painter.setFont(run.font);
        painter.drawText(QPointF(left + run.x, at.y() + line.capitals / 2 + run.lower), run.text);
    }
}

QString mathAsText(const QString& formula) {
    QString text = formula;
    text.replace(QLatin1String("_{"), QLatin1String(" "));
    text.replace(QLatin1String("^{"), QLatin1String(" to the "));
    text.remove(u'}');
    text.remove(u'*');
    return text;
}

}  // namespace headlight::paint
