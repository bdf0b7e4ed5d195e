// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/values/values_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollArea>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/session/open/selection.h"
#include "ui/session/trace/left_out.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/values/number_panel.h"
#include "ui/views/values/value_panel.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kListWidth = 300, kPanelWidth = 372, kMargin = 20;
constexpr int kNarrowestPanel = 292;  ///< the arithmetic, two margins and a scroll bar
constexpr int kNameRole = Qt::UserRole;

}  // namespace

ValuesView::ValuesView(Selection* selection, QWidget* parent)
    : ViewWidget(parent),
      m_selection(selection),
      m_filter(new QLineEdit),
      m_list(new QTreeWidget),
      m_leftOut(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_head(new ComboBox(tr("Head"))),
      m_value(new ValuePanel(selection)),
      m_number(new NumberPanel(selection)) {
    auto* left = new Panel(Qt::RightEdge);
    left->setPanelName("list");
    left->takeShare(200, kListWidth, 0.26);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(16, 12, 8, 0);
    column->setSpacing(8);
    m_filter->setPlaceholderText(tr("Find: scores, layers.1, …"));
    m_filter->setAccessibleName(tr("Find a value"));
    m_filter->setClearButtonEnabled(true);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(0, 0, 8, 0);
    top->addWidget(m_filter);
    column->addLayout(top);
    m_list->setColumnCount(2);
    m_list->setHeaderHidden(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setIndentation(14);
    m_list->setAccessibleName(tr("Values"));
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(false);
    column->addWidget(m_list, 1);
    m_leftOut->setWordWrap(true);
    m_leftOut->setContentsMargins(0, 0, 8, 12);
    column->addWidget(m_leftOut);
    m_leftOut->hide();

    auto* middle = new QWidget;
    auto* stage = new QVBoxLayout(middle);
    stage->setContentsMargins(kMargin, 12, kMargin, 16);
    stage->setSpacing(8);
    m_head->setFixedWidth(120);
    stage->addWidget(m_value, 1);
    auto* heads = new QHBoxLayout;
    heads->addWidget(m_head);
    heads->addStretch();
    stage->addLayout(heads);

    auto* right = new Panel(Qt::LeftEdge);
    right->setPanelName("side");
    right->takeShare(kNarrowestPanel, kPanelWidth, 0.28);
    right->yieldBelow(860);
    auto* content = new QWidget;
    auto* inside = new QVBoxLayout(content);
    inside->setContentsMargins(kMargin, 12, kMargin, 16);
    inside->addWidget(m_number);
    auto* outer = new QVBoxLayout(right);
    outer->setContentsMargins(1, 0, 0, 0);
    outer->addWidget(scrolling(content));

    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(left);
    columns->addWidget(middle, 1);
    columns->addWidget(right);

    connect(m_filter, &QLineEdit::textChanged, this, &ValuesView::applyFilter);
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        const QString name = item ? item->data(0, kNameRole).toString() : QString();
        if (!name.isEmpty()) m_selection->setValue(name);
    });
    connect(m_head, &QComboBox::activated, m_selection, &Selection::setHead);
    connect(selection, &Selection::valueChanged, this, &ValuesView::showSelection);
    connect(m_value, &ValuePanel::kindChosen, this, &ValuesView::optionsChanged);
}

void ValuesView::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    m_trace = trace;
    if (m_trace) chooseFirstValue(*m_selection, *m_trace);
    m_value->setReading(model, trace);
    m_number->setReading(std::move(model), std::move(trace));
    fill();
}

void ValuesView::showOptions(const StageState& state) {
    m_value->showHistogram(state.histogram);
}

/// What the architecture shows beside it is the architecture's to tell.
void ValuesView::tellOptions(StageState& state) const {
    if (state.view != ViewName::Architecture) state.histogram = m_value->showsHistogram();
}

void ValuesView::setVeil(const std::vector<NumberName>& veiled) {
    m_value->setVeil(veiled);
    m_number->setVeil(veiled);
}

void ValuesView::setRevealed(int recordIndex) {
    m_value->setRevealed(recordIndex);
    m_number->setRevealed(recordIndex);
}

void ValuesView::fill() {
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    m_leftOut->setText(m_trace ? whyLeftOut(*m_trace) : QString());
    m_leftOut->setVisible(!m_leftOut->text().isEmpty());
    if (!m_trace) return;
    QTreeWidgetItem* group = nullptr;
    QString scope;
    for (const TraceRecord& record : m_trace->records()) {
        const QString here = scopeTitle(record);
        if (!group || here != scope) {
            group = new QTreeWidgetItem(m_list, {here.isEmpty() ? tr("Model") : here});
            group->setFlags(Qt::ItemIsEnabled);
            group->setFont(0, uiFont(12, QFont::DemiBold));
            group->setFirstColumnSpanned(true);
            group->setExpanded(true);
            scope = here;
        }
        const QString heads = matrixHeads(record) > 1 ? QStringLiteral("%1×").arg(matrixHeads(record)) : QString();
        auto* item = new QTreeWidgetItem(group, {valueTitle(record), heads + shapeText(record)});
        item->setData(0, kNameRole, QString::fromStdString(record.name));
        item->setToolTip(0, QString::fromStdString(record.name));
        item->setFont(1, monoFont(11));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    }
    applyFilter();
    showSelection();
}

/// Titles and names count; a group without any of them goes away.
void ValuesView::applyFilter() {
    const QString wanted = m_filter->text().trimmed();
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = m_list->topLevelItem(i);
        bool any = false;
        for (int j = 0; j < group->childCount(); ++j) {
            QTreeWidgetItem* item = group->child(j);
            const bool fits = item->text(0).contains(wanted, Qt::CaseInsensitive) ||
                              item->data(0, kNameRole).toString().contains(wanted, Qt::CaseInsensitive);
            item->setHidden(!fits);
            any = any || fits;
        }
        group->setHidden(!any);
    }
}

void ValuesView::showSelection() {
    const TraceRecord* const record = m_trace ? m_trace->find(m_selection->value().toStdString()) : nullptr;
    const int heads = record ? matrixHeads(*record) : 1;
    m_head->setVisible(heads > 1);
    while (m_head->count() < heads)
        m_head->addItem(tr("Head %1").arg(m_head->count() + 1));
    while (m_head->count() > heads)
        m_head->removeItem(m_head->count() - 1);
    m_head->setCurrentIndex(std::min(m_selection->head(), heads - 1));
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        for (int j = 0; j < m_list->topLevelItem(i)->childCount(); ++j) {
            QTreeWidgetItem* item = m_list->topLevelItem(i)->child(j);
            if (item->data(0, kNameRole).toString() != m_selection->value() || m_list->currentItem() == item) continue;
            m_list->setCurrentItem(item);
            m_list->scrollToItem(item, QAbstractItemView::PositionAtCenter);  // wherever the list stood before
        }
}

}  // namespace headlight

#include "moc_values_view.cpp"
