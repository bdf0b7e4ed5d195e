// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/subwords/cut_words.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kHead = 16, kLeastRow = 20, kMostRow = 32, kName = 108, kWhole = 116, kTokens = 56;

}  // namespace

CutWords::CutWords(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Words in pieces"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void CutWords::show(std::shared_ptr<const SubwordsShown> shown) {
    m_shown = std::move(shown);
    QStringList spoken;
    if (m_shown)
        for (const SubwordsShown::Cut& cut : m_shown->cut) {
            QStringList pieces;
            for (const std::string& piece : cut.pieces())
                pieces << bareSymbol(piece);
            spoken << pieces.join(QStringLiteral("@@ "));
        }
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    update();
}

double CutWords::rowHeight() const {
    const double all = m_shown ? static_cast<double>(std::max<size_t>(1, m_shown->cut.size())) : 1;
    return std::clamp((height() - kHead) / all, kLeastRow, kMostRow);
}

int CutWords::shownWords() const {
    return m_shown ? std::min(static_cast<int>((height() - kHead) / rowHeight()), static_cast<int>(m_shown->cut.size()))
                   : 0;
}

QRectF CutWords::rowRect(int row) const {
    return {0, kHead + rowHeight() * row, static_cast<double>(width()), rowHeight()};
}

void CutWords::point(int row) {
    if (row == m_pointed) return;
    m_pointed = row;
    emit pointed(row);
}

void CutWords::mouseMoveEvent(QMouseEvent* event) {
    for (int row = 0; row < shownWords(); ++row)
        if (rowRect(row).contains(event->position())) return point(row);
    point(-1);
}

void CutWords::leaveEvent(QEvent*) {
    if (!hasFocus()) point(-1);
}

void CutWords::focusOutEvent(QFocusEvent* event) {
    point(-1);
    QWidget::focusOutEvent(event);
}

void CutWords::keyPressEvent(QKeyEvent* event) {
    const ArrowKey arrow(event->key());
    if (arrow.down == 0 || shownWords() == 0) return QWidget::keyPressEvent(event);
    point(std::clamp(m_shown->chosen + arrow.down, 0, shownWords() - 1));
}

void CutWords::paintEvent(QPaintEvent*) {
    if (!m_shown || m_shown->cut.empty()) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::centredText(p, {width() - 12.0, kHead / 2}, tr("tokens"), uiFont(12, QFont::Medium), t.text3, Anchor::End);
    paint::centredText(p, {width() - kTokens - kWhole / 2, kHead / 2}, tr("whole words"), uiFont(12, QFont::Medium),
                       t.text3, Anchor::Middle);
    for (int row = 0; row < shownWords(); ++row)
        paintRow(p, t, row);
}

void CutWords::paintRow(QPainter& p, const Theme& t, int row) const {
    const SubwordsShown::Cut& cut = m_shown->cut[static_cast<size_t>(row)];
    const bool on = row == m_shown->chosen;
    const QRectF area = rowRect(row);
    const double middle = area.center().y();
    if (on) paint::box(p, area.adjusted(0, 1, 0, -1), t.sunken, {}, 6);
    const QFont name = uiFont(13, on ? QFont::DemiBold : QFont::Medium);
    paint::centredText(p, {12, middle}, paint::elided(cut.text, name, kName - 16), name, t.text);
    const QFont font = uiFont(13, QFont::DemiBold), mark = monoFont(11);
    const std::string made = m_shown->made();
    p.save();
    p.setClipRect(QRectF(kName - 2, area.top(), width() - kTokens - kWhole - kName - 6, area.height()));
    const double chip = std::min(24.0, area.height() - 1);
    double x = kName;
    for (size_t i = 0; i < cut.pieces().size(); ++i) {
        const QString text = bareSymbol(cut.pieces()[i]);
        const bool goesOn = i + 1 < cut.pieces().size(), isMade = cut.pieces()[i] == made;
        const double letters = paint::textWidth(text, font);
        const double width = letters + (goesOn ? paint::textWidth(QStringLiteral("@@"), mark) : 0) + 16;
        paint::box(p, QRectF(x, middle - chip / 2, width, chip), isMade ? t.nowTint : t.surface,
                   isMade ? t.nowLine : t.line2, 6, isMade ? 2 : 1);
        paint::centredText(p, {x + 8, middle}, text, font, isMade ? t.nowText : t.text);
        if (goesOn) paint::centredText(p, {x + 8 + letters, middle}, QStringLiteral("@@"), mark, t.text3);
        x += width + 4;
    }
    p.restore();
    const QPointF whole(width() - kTokens - kWhole / 2, middle);
    if (cut.count > 0) {
        paint::centredText(p, whole, paint::elided(cut.text, uiFont(12, QFont::Medium), kWhole - 8),
                           uiFont(12, QFont::Medium), t.text2, Anchor::Middle);
    } else {
        const QString unknown = QStringLiteral("<unk>");
        const double width = paint::textWidth(unknown, uiFont(12, QFont::DemiBold)) + 16;
        paint::box(p, QRectF(whole.x() - width / 2, middle - 10, width, 20), t.badTint, t.bad, 4);
        paint::centredText(p, whole, unknown, uiFont(12, QFont::DemiBold), t.bad, Anchor::Middle);
    }
    paint::centredText(p, {width() - 12.0, middle}, QString::number(cut.pieces().size()),
                       monoFont(12, on ? QFont::DemiBold : QFont::Medium), t.text, Anchor::End);
}

}  // namespace headlight

#include "moc_cut_words.cpp"
