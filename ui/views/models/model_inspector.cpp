// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/model_inspector.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/session/format/model_names.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/views/models/model_figures.h"
#include "ui/views/train/data/model_blueprint.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/plain_table.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {
constexpr int kRowHeight = 64;

/// A tensor's shape and, where it has no column of its own, its count below.
class ShapeCells : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        constexpr double kInset = 4, kLine = 14;
        const Theme& t = Theme::of(option.widget);
        if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, t.sunken);
        const QStringList lines = index.data().toString().split(u'\n');
        const QRectF room = QRectF(option.rect).adjusted(kInset, 0, -kInset, 0);
        const double middle = static_cast<double>(lines.size() - 1) / 2;
        for (qsizetype i = 0; i < lines.size(); ++i)
            paint::centredText(*painter, {room.right(), room.center().y() + (static_cast<double>(i) - middle) * kLine},
                               paint::elided(lines[i], monoFont(12), room.width()), monoFont(12),
                               i == 0 ? t.text : t.text2, Anchor::End);
    }
};

}  // namespace

ModelInspector::ModelInspector(QWidget* parent)
    : Panel(Qt::LeftEdge, parent),
      m_title(new Caption(tr("No model open"), 18, QFont::DemiBold, Caption::Tone::Main)),
      m_caption(new Caption(tr("Choose one of the shelf."), 12, QFont::Normal, Caption::Tone::Secondary)),
      m_facts(new Caption({}, 12, QFont::Normal, Caption::Tone::Main)),
      m_part(new Caption({}, 12, QFont::DemiBold, Caption::Tone::Main)),
      m_ownTools(makeOwnTools()),
      m_blueprint(new ModelBlueprint),
      m_tensors(makePlainTable({tr("Tensor"), tr("Shape"), tr("Parameters")}, tr("Tensors of the open model"))) {
    takeShare(330, 440, 0.3);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 16, 12);
    column->setSpacing(8);
    for (QLabel* label : {m_title, m_caption, m_facts, m_part})
        label->setWordWrap(true);
    auto* explore = new Button(Button::Kind::Primary, tr("Open in Explore"), Icon::Explore);
    explore->setToolTip(tr("Its heads at work on your sentence"));
    explore->setHeight(28);
    explore->hide();
    m_explore = explore;
    connect(explore, &Button::clicked, this, &ModelInspector::exploreRequested);
    column->addWidget(m_title);
    column->addWidget(m_caption);
    column->addWidget(m_facts);
    column->addWidget(explore, 0, Qt::AlignLeft);
    column->addWidget(m_ownTools);
    column->addSpacing(4);
    m_blueprint->setChoosable(true);
    connect(m_blueprint, &ModelBlueprint::chosenChanged, this, &ModelInspector::showTensors);
    column->addWidget(m_blueprint);
    column->addWidget(m_part);
    for (const int number : {1, 2})
        m_tensors->horizontalHeader()->setSectionResizeMode(number, QHeaderView::Interactive);
    m_tensors->setItemDelegateForColumn(1, new ShapeCells(m_tensors));
    m_tensors->setColumnWidth(1, 84);
    m_tensors->setColumnWidth(2, 84);
    m_tensors->verticalHeader()->setDefaultSectionSize(36);  // of two lines, where a name is long
    m_tensors->setTextElideMode(Qt::ElideLeft);              // the end of a name is what tells tensors apart
    column->addWidget(m_tensors, 1);
}

/// Where it is narrow a tensor's count stands below its shape, so that its name keeps its room.
void ModelInspector::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    constexpr int kRoomForCounts = 380;
    const bool isNarrow = width() < kRoomForCounts;
    if (std::exchange(m_isNarrow, isNarrow) == isNarrow) return;
    m_tensors->setColumnHidden(2, isNarrow);
    m_tensors->horizontalHeaderItem(1)->setText(isNarrow ? tr("Shape, count") : tr("Shape"));
    if (m_model) showTensors();
}

QWidget* ModelInspector::makeOwnTools() {
    auto* tools = new QWidget;
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    const auto add = [&](const QString& text, Icon icon, const QString& hint, void (ModelInspector::*wanted)()) {
        auto* button = new Button(Button::Kind::Ghost, text, icon);
        button->setHeight(28);
        button->setToolTip(hint);
        connect(button, &Button::clicked, this, wanted);
        row->addWidget(button);
    };
    add(tr("Train on"), Icon::Train, tr("Go on training this model, under Train"), &ModelInspector::trainOnRequested);
    add(tr("Rename …"), Icon::Edit, tr("The model and its file (F2 on its card)"), &ModelInspector::renameRequested);
    add(tr("Delete"), Icon::Cross, tr("Into the wastebasket (Del on its card)"), &ModelInspector::deleteRequested);
    row->addStretch();
    tools->hide();
    return tools;
}

QString ModelInspector::title() const {
    return m_title->text();
}

void ModelInspector::setModel(std::shared_ptr<const TrainedModel> model, const QString& name) {
    m_model = std::move(model);
    const ParameterSet& parameters = std::as_const(*m_model->network).parameters();
    const ModelConfig& config = m_model->network->config();
    m_title->setText(name);
    const QString count = formatCount(static_cast<qint64>(parameters.count()));
    const QString source = formatCount(m_model->source->vocabulary().size());
    const QString words =
        config.hasOneVocabulary() ? tr("%1 parameters, one vocabulary of %2 pieces").arg(count, source)
        : config.corpusKind() == CorpusKind::Labels
            ? tr("%1 parameters, %2 words, %3 labels")
                  .arg(count, source, formatCount(m_model->target->vocabulary().size() - config.firstLabel()))
            : tr("%1 parameters, %2 source words, %3 target words")
                  .arg(count, source, formatCount(m_model->target->vocabulary().size()));
    m_caption->setText(QStringList{describeModel(config), words, figuresOf(m_model->training),
                                   whatFiguresAreOf(m_model->training),
                                   QString::fromStdString(m_model->training.credit())}
                           .join(u'\n')
                           .trimmed());
    m_facts->setText(QStringLiteral("✓ ") + factsOf(config, m_model->training).join(QStringLiteral("\n✓ ")));
    m_explore->show();
    std::vector<std::pair<ModuleRef, long>> pieces;
    for (const ParameterSet::Entry& entry : parameters.entries())
        pieces.emplace_back(entry.module, static_cast<long>(entry.shape.count()));
    m_blueprint->setParameters(pieces);
    m_blueprint->setFixedHeight(static_cast<int>(m_blueprint->rows().size()) * kRowHeight);
    showTensors();
}

/// Those of the chosen part; all of them where none is.
void ModelInspector::showTensors() {
    const auto& chosen = m_blueprint->chosen();
    const ModelBlueprint::Column* column = chosen ? &m_blueprint->rows()[chosen->row].columns[chosen->column] : nullptr;
    std::vector<const ParameterSet::Entry*> entries;
    for (const ParameterSet::Entry& entry : std::as_const(*m_model->network).parameters().entries())
        if (!column || std::ranges::find(column->modules, entry.module) != column->modules.end())
            entries.push_back(&entry);
    const auto number = static_cast<int>(entries.size());
    const QString tensors = plural(tr("%n tensor(s)", nullptr, number), number);
    m_part->setText(column
                        ? tr("%1: %2, %3 parameters").arg(nameOfColumn(*column), tensors, formatCount(column->count()))
                        : tr("%1. Area is parameters: click a part to go in.").arg(tensors));
    m_tensors->setRowCount(number);
    for (int row = 0; row < number; ++row) {
        const ParameterSet::Entry& entry = *entries[static_cast<size_t>(row)];
        const QString shape = QString::fromStdString(entry.shape.text()),
                      count = formatCount(static_cast<qint64>(entry.shape.count()));
        // A vector's shape is its count.
        const bool saysBoth = m_isNarrow && shape.contains(u'×');
        setPlainRow(m_tensors, row,
                    {QString::fromStdString(entry.name), saysBoth ? shape + u'\n' + count : shape, count});
        m_tensors->item(row, 0)->setFont(monoFont(11));
        m_tensors->item(row, 0)->setToolTip(QString::fromStdString(entry.name));
    }
}

}  // namespace headlight

#include "moc_model_inspector.cpp"
