// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/change_list.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kThreeLines = 52, kTwoLines = 30;  ///< so that the page is as high for every place and change

/// Weights are masked through the scores that they are made of; nothing of other values.
std::string scoresOf(const std::string& name) {
    const std::string weights = ".weights", scores = ".scores";
    if (name.ends_with(scores)) return name;
    if (!name.ends_with(weights)) return {};
    return name.substr(0, name.size() - weights.size()) + scores;
}

}  // namespace

ChangeList::ChangeList(QWidget* parent)
    : QWidget(parent),
      m_where(new Caption({}, 12, QFont::Normal, Caption::Tone::Main)),
      m_problem(new Caption({}, 12, QFont::Normal, Caption::Tone::Now)),
      m_reach(new SegmentedControl({tr("Cell"), tr("Row"), tr("Column")})),
      m_number(new QDoubleSpinBox),
      m_put(new Button(Button::Kind::Ghost, tr("Put in"))),
      m_mask(new Button(Button::Kind::Ghost, tr("Mask"))),
      m_clear(new Button(Button::Kind::Plain, tr("Take all back"))),
      m_list(new QVBoxLayout) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 0);
    column->setSpacing(6);
    m_where->setWordWrap(true);
    m_where->setMinimumHeight(kThreeLines);
    m_where->setAlignment(Qt::AlignTop);
    column->addWidget(m_where);
    constexpr double kMost = 1e6;
    constexpr int kDecimals = 3;
    m_number->setRange(-kMost, kMost);
    m_number->setDecimals(kDecimals);
    m_number->setSingleStep(0.1);
    m_number->setAccessibleName(tr("The number that is put in"));
    m_number->setKeyboardTracking(false);
    m_reach->setAccessibleName(tr("Where it is put in"));
    m_reach->setToolTip(tr("Into the cell alone, or every cell of its row or column"));
    for (Button* button : {m_put, m_mask, m_clear})
        button->setHeight(28);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_number, 1);
    row->addWidget(m_put);
    row->addWidget(m_mask);
    m_mask->setToolTip(tr("Put −∞ into the scores there: no weight is given to what is masked"));
    column->addWidget(m_reach, 0, Qt::AlignLeft);
    column->addLayout(row);
    m_problem->setWordWrap(true);
    column->addWidget(m_problem);
    m_list->setSpacing(2);
    column->addLayout(m_list);
    column->addWidget(m_clear, 0, Qt::AlignLeft);
    connect(m_put, &Button::clicked, this, [this] {
        HandChange change = m_place;
        change.number = static_cast<float>(m_number->value());
        putIn(std::move(change));
    });
    connect(m_mask, &Button::clicked, this, [this] {
        HandChange change = m_place;
        change.name = scoresOf(change.name);
        change.number = -std::numeric_limits<float>::infinity();
        putIn(std::move(change));
    });
    connect(m_clear, &Button::clicked, this, [this] { emit wanted({}); });
    clearPlace();
    setChanges({}, {});
}

void ChangeList::setPlace(const HandChange& number, const QString& name) {
    if (m_place == number && m_where->text() == name) return;
    m_place = number;
    m_where->setText(name);
    m_number->setValue(static_cast<double>(number.number));
    for (QWidget* each :
         {static_cast<QWidget*>(m_number), static_cast<QWidget*>(m_put), static_cast<QWidget*>(m_reach)})
        each->setEnabled(true);
    m_mask->setEnabled(!scoresOf(number.name).empty());
}

void ChangeList::clearPlace() {
    m_place = {};
    m_where->setText(tr("Click a number of A or B: here it can be put in otherwise."));
    for (QWidget* each :
         {static_cast<QWidget*>(m_number), static_cast<QWidget*>(m_put), static_cast<QWidget*>(m_reach)})
        each->setEnabled(false);
    m_mask->setEnabled(false);
}

QString ChangeList::problem() const {
    return m_problem->text();
}

void ChangeList::setChanges(const QStringList& changes, const QString& problem) {
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_clear->setVisible(changes.size() > 1);
    if (changes == m_changes) return;
    m_changes = changes;
    for (QWidget* each : m_rows) {
        each->hide();
        each->deleteLater();
    }
    m_rows.clear();
    m_takers.clear();
    for (qsizetype i = 0; i < changes.size(); ++i) {
        const QString& text = changes[i];
        auto* taker = new Button(Button::Kind::Plain, tr("Take back %1").arg(text), Icon::Cross);
        taker->setIconAlone(true);
        taker->setToolTip(tr("Take this change back"));
        taker->setHeight(24);
        auto* line = new QWidget;
        auto* inside = new QHBoxLayout(line);
        inside->setContentsMargins(0, 0, 0, 0);
        // Long names break behind their dots.
        auto* name = new Caption(QString(text).replace(u'.', QStringLiteral(".\u200b")), 11, QFont::Normal,
                                 Caption::Tone::Secondary);
        name->setFont(monoFont(11));
        name->setToolTip(text);
        name->setWordWrap(true);
        name->setMinimumHeight(kTwoLines);
        inside->addWidget(name, 1);
        inside->addWidget(taker);
        m_list->addWidget(line);
        connect(taker, &Button::clicked, this, [this, i] {
            QStringList left = m_changes;
            left.removeAt(i);
            emit wanted(left);
        });
        m_rows.push_back(line);
        m_takers.push_back(taker);
    }
}

void ChangeList::putIn(HandChange change) {
    const size_t column = change.indices.size() - 1, row = column - 1;
    constexpr int kAll = 0;
    if (m_reach->currentIndex() == Row) change.indices[column] = kAll;
    if (m_reach->currentIndex() == Column) change.indices[row] = kAll;
    const QString text = QString::fromStdString(change.text()), place = text.section(u'=', 0, 0);
    QStringList changes = m_changes;
    // What was put in there before gives way.
    changes.removeIf([&](const QString& each) { return each.section(u'=', 0, 0) == place; });
    emit wanted(changes << text);
}

}  // namespace headlight

#include "moc_change_list.cpp"
