// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/data/layout_row.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "core/io/encoding.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"

namespace headlight {

namespace {

constexpr int kNameSize = 11, kWidestList = 190;

Caption* nameOfChoice(const QString& text) {
    return new Caption(text, kNameSize, QFont::Medium, Caption::Tone::Secondary);
}

QString kindText(FileLayout::Kind kind) {
    switch (kind) {
        case FileLayout::Kind::Lines:
            return LayoutRow::tr("Lines");
        case FileLayout::Kind::Tabs:
            return LayoutRow::tr("Tabs between");
        case FileLayout::Kind::Commas:
            return LayoutRow::tr("Comma-separated");
        case FileLayout::Kind::Semicolons:
            return LayoutRow::tr("Semicolons between");
        case FileLayout::Kind::JsonLines:
            return LayoutRow::tr("JSON lines");
        case FileLayout::Kind::JsonList:
            return LayoutRow::tr("JSON list");
    }
    return {};
}

QString columnText(const FileLayout& layout, size_t column) {
    return column < layout.names.size() && !layout.names[column].empty() ? QString::fromStdString(layout.names[column])
                                                                         : LayoutRow::tr("Column %1").arg(column + 1);
}

}  // namespace

LayoutRow::LayoutRow(QWidget* parent)
    : QWidget(parent),
      m_kind(new Caption({}, 13, QFont::Medium, Caption::Tone::Main)),
      m_encoding(makeChoice(tr("Encoding"), tr("Which letters its bytes mean: choose another where é reads as Ã©"))),
      m_header(makeChoice(tr("First line"), tr("Whether it names the columns, or is read like the others"))),
      m_source(makeChoice(tr("Source"), tr("The column that the model reads"))),
      m_target(makeChoice(tr("Target"), tr("The column that it is to write, or to name"))) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    auto* kind = new QVBoxLayout;
    kind->setSpacing(4);
    kind->addWidget(nameOfChoice(tr("Read as")));
    kind->addWidget(m_kind, 1);
    row->addLayout(kind);
    for (const Choice& choice : {m_encoding, m_header, m_source, m_target})
        row->addWidget(choice.box);
    row->addStretch(1);
}

LayoutRow::Choice LayoutRow::makeChoice(const QString& name, const QString& tip) {
    Choice choice{new QWidget, nameOfChoice(name), new ComboBox(name)};
    auto* column = new QVBoxLayout(choice.box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    choice.list->setToolTip(tip);
    choice.list->setMaximumWidth(kWidestList);
    column->addWidget(choice.name);
    column->addWidget(choice.list);
    connect(choice.list, &ComboBox::activated, this, &LayoutRow::choose);
    return choice;
}

void LayoutRow::show(const FileLayout& layout, const LayoutChoice& choice, SheetUse use) {
    m_layout = layout;
    m_choice = choice;
    m_use = use;
    const auto fill = [](ComboBox& list, const QStringList& items, int chosen) {
        const QSignalBlocker quiet(&list);
        list.clear();
        list.addItems(items);
        list.setCurrentIndex(chosen);
    };
    m_kind->setText(kindText(layout.kind));
    QStringList encodings;
    for (const std::string_view name : usualEncodings())
        encodings << QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    const QString encoding = QString::fromStdString(layout.encoding);
    if (!encodings.contains(encoding)) encodings.prepend(encoding);
    fill(*m_encoding.list, encodings, static_cast<int>(encodings.indexOf(encoding)));
    const bool isTable = layout.isTable(), hasFirstLine = isTable && !isJson(layout.kind);
    m_header.box->setVisible(hasFirstLine);
    fill(*m_header.list, {tr("sentences"), tr("names of columns")}, layout.hasHeader ? 1 : 0);
    QStringList columns;
    for (size_t i = 0; i < std::max(layout.width, *std::ranges::max_element(layout.columns) + 1); ++i)
        columns << columnText(layout, i);
    m_source.box->setVisible(isTable && layout.width > 1);
    m_target.box->setVisible(isTable && layout.width > 1 && use == SheetUse::Pairs);
    m_source.name->setText(use == SheetUse::Pairs ? tr("Source") : tr("Text"));
    fill(*m_source.list, columns, static_cast<int>(layout.columns[0]));
    fill(*m_target.list, columns, static_cast<int>(layout.columns[1]));
}

void LayoutRow::choose() {
    LayoutChoice choice = m_choice;
    if (const std::string encoding = m_encoding.list->currentText().toStdString(); encoding != m_layout.encoding)
        choice.encoding = encoding;
    if (const bool header = m_header.list->currentIndex() == 1; header != m_layout.hasHeader) choice.header = header;
    std::array columns{static_cast<size_t>(m_source.list->currentIndex()),
                       static_cast<size_t>(m_target.list->currentIndex())};
    // Who gives one side the other's column lets the two change places.
    if (m_use == SheetUse::Pairs && columns[0] == columns[1])
        (columns[0] == m_layout.columns[0] ? columns[0] : columns[1]) =
            m_layout.columns[columns[0] == m_layout.columns[0] ? 1 : 0];
    if (m_use != SheetUse::Pairs) columns[1] = m_layout.columns[1];
    if (columns != m_layout.columns) {
        choice.columns = std::to_string(columns[0] + 1);
        if (m_use == SheetUse::Pairs) choice.columns += "," + std::to_string(columns[1] + 1);
    }
    if (!(choice == m_choice)) emit chosen(choice);
}

}  // namespace headlight

#include "moc_layout_row.cpp"
