// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/words/group_legend.h"

#include <QAbstractButton>
#include <QGridLayout>
#include <QPainter>
#include <algorithm>
#include <functional>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/group_colors.h"
#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kEntryHeight = 24, kEntryWidth = 210;

class GroupEntry : public QAbstractButton {
public:
    GroupEntry(int group, const GroupLegend::Group& what, std::function<void(bool)> point, QWidget* parent)
        : QAbstractButton(parent), m_group(group), m_count(formatCount(what.words)), m_point(std::move(point)) {
        setText(what.name);
        setCheckable(true);
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_Hover);
        setFocusPolicy(Qt::StrongFocus);
        setFixedHeight(kEntryHeight);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setAccessibleName(GroupLegend::tr("Group of %1, %2 words").arg(what.name, m_count));
        setToolTip(
            GroupLegend::tr("%1 and others like these: %2 words. Click to keep them lit.").arg(what.name, m_count));
    }
    QSize sizeHint() const override { return {kEntryWidth, kEntryHeight}; }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        paint::box(p, rect(), isChecked() ? t.sunken : hoverTint(this, t.sunken), isChecked() ? t.line2 : QColor(), 5);
        p.setPen(Qt::NoPen);
        p.setBrush(groupColor(t, m_group));
        p.drawEllipse(QPointF(13, height() / 2.0), 5, 5);
        const QFont font = uiFont(12, isChecked() ? QFont::DemiBold : QFont::Medium), digits = monoFont(11);
        const double count = paint::textWidth(m_count, digits), room = width() - 24 - 16 - count;
        const QString name = paint::elided(text(), font, room);
        paint::centredText(p, {24, height() / 2.0}, name, font, t.text);
        // Behind its name: at the far end it would stand nearer the next group's dot.
        paint::centredText(p, {24 + paint::textWidth(name, font) + 8, height() / 2.0}, m_count, digits, t.text3);
    }
    void enterEvent(QEnterEvent* event) override {
        QAbstractButton::enterEvent(event);
        m_point(true);
    }
    void leaveEvent(QEvent* event) override {
        QAbstractButton::leaveEvent(event);
        m_point(false);
    }
    void focusInEvent(QFocusEvent* event) override {
        QAbstractButton::focusInEvent(event);
        m_point(true);
    }
    void focusOutEvent(QFocusEvent* event) override {
        QAbstractButton::focusOutEvent(event);
        m_point(false);
    }

private:
    int m_group;
    QString m_count;
    std::function<void(bool)> m_point;
};

}  // namespace

GroupLegend::GroupLegend(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    setAccessibleName(tr("Groups of words"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(2);
}

void GroupLegend::setGroups(const std::vector<Group>& groups) {
    for (QAbstractButton* const entry : m_entries)
        delete entry;
    m_entries.clear();
    for (int group = 0; group < static_cast<int>(groups.size()); ++group) {
        const auto point = [this, group](bool on) { emit pointed(on ? group : -1); };
        auto* entry = new GroupEntry(group, groups[static_cast<size_t>(group)], point, this);
        connect(entry, &QAbstractButton::clicked, this, [this, group] { emit chosen(group); });
        m_entries.push_back(entry);
    }
    m_columns = 0;
    layOut();
    setVisible(!groups.empty());
}

void GroupLegend::setChosen(int group) {
    for (int i = 0; i < static_cast<int>(m_entries.size()); ++i)
        m_entries[static_cast<size_t>(i)]->setChecked(i == group);
}

void GroupLegend::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

/// As many beside one another as there is room for their names.
void GroupLegend::layOut() {
    const int columns = std::max(1, width() / kEntryWidth);
    if (columns == m_columns) return;
    for (int column = 0; column < m_columns; ++column)
        m_grid->setColumnStretch(column, 0);
    m_columns = columns;
    for (int i = 0; i < static_cast<int>(m_entries.size()); ++i)
        m_grid->addWidget(m_entries[static_cast<size_t>(i)], i / columns, i % columns);
    for (int column = 0; column < columns; ++column)
        m_grid->setColumnStretch(column, 1);
}

}  // namespace headlight

#include "moc_group_legend.cpp"
