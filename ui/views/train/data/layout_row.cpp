// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/data/layout_row.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/io/encoding.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"

namespace headlight {

namespace {

constexpr int kNameSize = 11, kWidestList = 150;

/// What the list of kinds offers, in its order; a text is there twice.
constexpr std::array<std::pair<LayoutKind, bool>, 8> kKinds{{{LayoutKind::Tabs, false},
                                                             {LayoutKind::QuotedTabs, false},
                                                             {LayoutKind::Commas, false},
                                                             {LayoutKind::Semicolons, false},
                                                             {LayoutKind::JsonLines, false},
                                                             {LayoutKind::JsonList, false},
                                                             {LayoutKind::Lines, false},
                                                             {LayoutKind::Lines, true}}};

Caption* smallCaption(const QString& text, QFont::Weight weight) {
    return new Caption(text, kNameSize, weight, Caption::Tone::Secondary);
}

QString kindText(LayoutKind kind, bool isRunning) {
    switch (kind) {
        case LayoutKind::Lines:
            return isRunning ? LayoutRow::tr("Running text") : LayoutRow::tr("A sentence a line");
        case LayoutKind::Tabs:
            return LayoutRow::tr("Tabs between");
        case LayoutKind::QuotedTabs:
            return LayoutRow::tr("Tabs, quoted cells");
        case LayoutKind::Commas:
            return LayoutRow::tr("Comma-separated");
        case LayoutKind::Semicolons:
            return LayoutRow::tr("Semicolons between");
        case LayoutKind::JsonLines:
            return LayoutRow::tr("JSON lines");
        case LayoutKind::JsonList:
            return LayoutRow::tr("JSON list");
    }
    return {};
}

QString columnText(const FileLayout& layout, size_t column) {
    return column < layout.names.size() && !layout.names[column].empty() ? QString::fromStdString(layout.names[column])
                                                                         : LayoutRow::tr("Column %1").arg(column + 1);
}

/// Of what was recognised.
QString kindReason(const FileLayout& layout) {
    switch (layout.kind) {
        case LayoutKind::Lines:
            return LayoutRow::tr("no columns");
        case LayoutKind::Tabs:
        case LayoutKind::QuotedTabs:
        case LayoutKind::Commas:
        case LayoutKind::Semicolons:
            return LayoutRow::tr("%1 of %2 rows alike").arg(layout.alike).arg(layout.looked);
        case LayoutKind::JsonLines:
            return LayoutRow::tr("an object a line");
        case LayoutKind::JsonList:
            return layout.list.empty() ? LayoutRow::tr("objects in one list") : LayoutRow::tr("objects in a list");
    }
    return {};
}

QString encodingReason(const FileLayout& layout) {
    const QString letters = QString::fromStdString(layout.letters);
    if (letters.isEmpty()) return LayoutRow::tr("plain letters alone");
    return layout.encoding == kUtf8 ? LayoutRow::tr("with %1").arg(letters)
                                    : LayoutRow::tr("%1 where UTF-8 has none").arg(letters);
}

void fill(ComboBox& list, const QStringList& items, qsizetype chosen) {
    const QSignalBlocker quiet(&list);
    list.clear();
    list.addItems(items);
    list.setCurrentIndex(static_cast<int>(chosen));
}

}  // namespace

LayoutRow::LayoutRow(QWidget* parent)
    : QWidget(parent),
      m_kind(makeChoice(tr("Kind"), tr("What parts its cells, or that it is a text"))),
      m_encoding(makeChoice(tr("Encoding"), tr("Which letters its bytes mean: choose another where é reads as Ã©"))),
      m_list(makeChoice(tr("List"), tr("Which of the file's lists is read"))),
      m_header(makeChoice(tr("First line"), tr("Whether it names the columns, or is read like the others"))),
      m_source(makeChoice(tr("Source"), tr("The column that the model reads"))),
      m_target(makeChoice(tr("Target"), tr("The column that it is to write, or to name"))),
      m_reset(new Button(Button::Kind::Plain, {}, Icon::Reset)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    for (const Choice& choice : {m_kind, m_encoding, m_list, m_header, m_source, m_target}) {
        row->addWidget(choice.box);
        if (choice.list != m_kind.list && choice.list != m_list.list)
            connect(choice.list, &ComboBox::activated, this, &LayoutRow::choose);
    }
    m_reset->setAccessibleName(tr("Read it as recognised"));
    m_reset->setToolTip(tr("Read it as it was recognised, without what was chosen by hand"));
    row->addWidget(m_reset);
    row->addStretch(1);
    connect(m_kind.list, &ComboBox::activated, this, &LayoutRow::chooseKind);
    connect(m_list.list, &ComboBox::activated, this, &LayoutRow::chooseList);
    connect(m_reset, &Button::clicked, this, &LayoutRow::resetWanted);
}

LayoutRow::Choice LayoutRow::makeChoice(const QString& name, const QString& tip) {
    Choice choice{new QWidget, smallCaption(name, QFont::Medium), new ComboBox(name), smallCaption({}, QFont::Normal)};
    auto* column = new QVBoxLayout(choice.box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    choice.list->setToolTip(tip);
    choice.list->setMaximumWidth(kWidestList);
    choice.why->setMaximumWidth(kWidestList);
    column->addWidget(choice.name);
    column->addWidget(choice.list);
    column->addWidget(choice.why);
    return choice;
}

void LayoutRow::show(const FileLayout& layout, const CorpusFiles& files, bool isSaid) {
    m_layout = layout;
    m_choice = files.layout;
    m_use = files.use();
    m_isRunning = m_use == SheetUse::Text && files.reading != TextReading::Lines;
    m_reset->setVisible(isSaid);
    showKind();
    showColumns();
    showReasons();
}

void LayoutRow::showKind() {
    QStringList kinds;
    qsizetype chosen = 0;
    for (const auto& [kind, isRunning] : kKinds) {
        if (kind == m_layout.kind && (kind != LayoutKind::Lines || isRunning == m_isRunning)) chosen = kinds.size();
        kinds << kindText(kind, isRunning);
    }
    fill(*m_kind.list, kinds, chosen);
    m_kind.box->setVisible(m_use != SheetUse::Lines);
    QStringList encodings;
    for (const std::string_view name : usualEncodings())
        encodings << QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    const QString encoding = QString::fromStdString(m_layout.encoding);
    if (!encodings.contains(encoding)) encodings.prepend(encoding);
    fill(*m_encoding.list, encodings, encodings.indexOf(encoding));
}

void LayoutRow::showColumns() {
    // What cannot be read so has no columns.
    const bool hasColumns = m_layout.isTable() && m_layout.width > 0;
    const bool hasHeader = hasColumns && !isJson(m_layout.kind);
    m_list.box->setVisible(hasColumns && m_layout.lists.size() > 1);
    QStringList lists;
    for (const std::string& name : m_layout.lists)
        lists << QString::fromStdString(name);
    fill(*m_list.list, lists, lists.indexOf(QString::fromStdString(m_layout.list)));
    m_header.box->setVisible(hasHeader);
    fill(*m_header.list, {tr("sentences"), tr("names of columns")}, m_layout.hasHeader ? 1 : 0);
    QStringList columns;
    const size_t last = m_use == SheetUse::Pairs ? *std::ranges::max_element(m_layout.columns) : m_layout.columns[0];
    for (size_t i = 0; i < std::max(m_layout.width, last + 1); ++i)
        columns << columnText(m_layout, i);
    const bool isPair = m_use == SheetUse::Pairs;
    m_source.box->setVisible(hasColumns && m_layout.width > 1);
    m_target.box->setVisible(hasColumns && m_layout.width > 1);
    m_source.name->setText(isPair ? tr("Source") : tr("Text"));
    fill(*m_source.list, columns, static_cast<qsizetype>(m_layout.columns[0]));
    columns << tr("none: a text");
    fill(*m_target.list, columns, isPair ? static_cast<qsizetype>(m_layout.columns[1]) : columns.size() - 1);
}

void LayoutRow::showReasons() {
    const QString byHand = tr("chosen by hand");
    // What could not be read so is no reason.
    const bool isRead = m_layout.width > 0;
    m_kind.why->setText(m_choice.kind ? byHand : isRead ? kindReason(m_layout) : QString());
    m_encoding.why->setText(!m_choice.encoding.empty() ? byHand : isRead ? encodingReason(m_layout) : QString());
    m_list.why->setText(m_choice.list.empty() ? tr("the largest") : byHand);
    QStringList first;
    for (const std::string& cell : m_layout.firstRow)
        first << QString::fromStdString(cell).simplified();
    constexpr qsizetype most = 22;
    QString line = first.join(QStringLiteral(", "));
    if (line.size() > most) line = line.first(most - 1).trimmed() + u'…';
    m_header.why->setText(tr("“%1”").arg(line));
    m_header.list->setToolTip(tr("Whether it names the columns, or is read like the others") + u'\n' +
                              first.join(QStringLiteral(", ")).left(400));
    const bool hasNames = !m_layout.names.empty();
    const auto number = [&](const ComboBox& list) {
        return hasNames && list.currentIndex() < static_cast<int>(m_layout.width)
                   ? tr("column %1").arg(list.currentIndex() + 1)
                   : QString();
    };
    m_source.why->setText(number(*m_source.list));
    m_target.why->setText(number(*m_target.list));
}

void LayoutRow::chooseKind(int index) {
    const auto& [kind, isRunning] = kKinds.at(static_cast<size_t>(index));
    if (kind == m_layout.kind && (kind != LayoutKind::Lines || isRunning == m_isRunning)) return;
    emit kindChosen(kind, isRunning);
}

/// Columns are another list's.
void LayoutRow::chooseList(int index) {
    LayoutChoice choice = m_choice;
    choice.list = m_layout.lists.at(static_cast<size_t>(index));
    choice.columns.clear();
    if (choice.list != m_layout.list) emit chosen(choice, m_use);
}

void LayoutRow::choose() {
    LayoutChoice choice = m_choice;
    if (const std::string encoding = m_encoding.list->currentText().toStdString(); encoding != m_layout.encoding)
        choice.encoding = encoding;
    if (m_use == SheetUse::Lines || m_layout.width == 0) {
        if (!(choice == m_choice)) emit chosen(choice, m_use);
        return;
    }
    if (const bool header = m_header.list->currentIndex() == 1; header != m_layout.hasHeader && m_layout.isTable())
        choice.header = header;
    const auto target = static_cast<size_t>(m_target.list->currentIndex());
    std::array columns{static_cast<size_t>(m_source.list->currentIndex()), target};
    const SheetUse use = !m_layout.isTable() || target + 1 == static_cast<size_t>(m_target.list->count())
                             ? SheetUse::Text
                             : SheetUse::Pairs;
    const bool wasPair = m_use == SheetUse::Pairs, isPair = use == SheetUse::Pairs;
    // Who gives one side the other's column lets the two change places.
    if (wasPair && isPair && columns[0] == columns[1])
        (columns[0] == m_layout.columns[0] ? columns[0] : columns[1]) =
            m_layout.columns[columns[0] == m_layout.columns[0] ? 1 : 0];
    const bool isOther = columns[0] != m_layout.columns[0] || (isPair && columns[1] != m_layout.columns[1]);
    if (m_layout.isTable() && (isOther || wasPair != isPair)) {
        choice.columns = std::to_string(columns[0] + 1);
        if (isPair) choice.columns += "," + std::to_string(columns[1] + 1);
    }
    if (!(choice == m_choice) || use != m_use) emit chosen(choice, use);
}

}  // namespace headlight

#include "moc_layout_row.cpp"
