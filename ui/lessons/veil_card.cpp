// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/veil_card.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "core/lessons/lesson_veil.h"
#include "core/number_text.h"
#include "ui/lessons/curve_pad.h"
#include "ui/lessons/lesson_card.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_text.h"
#include "ui/lessons/share_bars.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

VeilCard::VeilCard(LessonPlayer& player, int part, QWidget* parent) : QFrame(parent), m_player(player), m_part(part) {
    QVBoxLayout* const column = lessonCardColumn(this);
    column->addWidget(new Kicker(tr("Predict")));
    column->addWidget(lessonText(player, veil().ask));
    if (veil().predict == LessonVeil::Predict::Shares) makeShares(column);
    if (veil().predict == LessonVeil::Predict::Curve) makeCurve(column);
    if (player.isSolved(part))
        makeAnswer(column);
    else
        makeQuestion(column);
}

const LessonVeil& VeilCard::veil() const {
    return std::get<LessonVeil>(m_player.current().parts[static_cast<size_t>(m_part)]);
}

void VeilCard::makeShares(QVBoxLayout* column) {
    m_shares = new ShareBars;
    column->addWidget(m_shares);
    m_player.withNumbers(m_shares, [this] {
        const auto row = m_player.hiddenRow(m_part);
        if (!row) return;
        m_shares->setWords(row->words);
        const std::vector<double> own = m_player.predicted(m_part);
        if (!own.empty()) m_shares->setShares(own);
        if (m_player.isSolved(m_part)) m_shares->setAnswer(row->values, !own.empty());
    });
}

void VeilCard::makeCurve(QVBoxLayout* column) {
    m_curve = new CurvePad(veil());
    column->addWidget(m_curve);
    m_verdict = new Caption({}, 14, QFont::Medium, Caption::Tone::Main);
    m_verdict->setWordWrap(true);
    m_verdict->hide();
    column->addWidget(m_verdict);
    m_player.withNumbers(m_curve, [this] {
        const auto row = m_player.hiddenRow(m_part);
        if (!row || row->places.size() < 2) return;
        m_curve->setPlaces(row->places);
        const std::vector<double> own = m_player.predicted(m_part);
        if (!own.empty()) m_curve->setCurve(own);
        if (!m_player.isSolved(m_part)) return;
        m_curve->setAnswer(row->values, !own.empty());
        if (own.size() != row->values.size()) return;
        m_verdict->setText(curveVerdict(own, row->values, row->places));
        m_verdict->show();
    });
}

QString VeilCard::curveVerdict(const std::vector<double>& own, const std::vector<double>& measured,
                               const std::vector<double>& places) const {
    const CurveShape mine = shapeOf(veil(), own, places), theirs = shapeOf(veil(), measured, places);
    const QString run[] = {tr("stays level"), tr("rises"), tr("falls"), tr("rises and falls again"),
                           tr("falls and rises again")};
    const auto ran = [&](const CurveShape& shape) { return run[static_cast<size_t>(shape.run)]; };
    const bool isAlike = mine.run == theirs.run;
    QStringList said{isAlike ? tr("Your curve %1, and so does the measured one.").arg(ran(mine))
                             : tr("Your curve %1; the measured one %2.").arg(ran(mine), ran(theirs))};
    const bool doTurn =
        isAlike && (mine.run == CurveShape::Run::RisesAndFalls || mine.run == CurveShape::Run::FallsAndRises);
    const auto place = [](double at) { return QString::fromStdString(shortestNumber(at)); };
    if (doTurn && turnTogether(mine, theirs, places))
        said << tr("Both turn near %1.").arg(place(theirs.turn));
    else if (doTurn)
        said << tr("It turns at %1, yours at %2.").arg(place(theirs.turn), place(mine.turn));
    switch (endsAbove(veil(), mine, theirs)) {
        case 1:
            said << tr("Yours ends too high.");
            break;
        case -1:
            said << tr("Yours ends too low.");
            break;
        default:
            said << tr("They end near one another.");
    }
    return said.join(u' ');
}

void VeilCard::makeQuestion(QVBoxLayout* column) {
    const LessonVeil::Predict kind = veil().predict;
    if (kind == LessonVeil::Predict::Cell)
        column->addWidget(
            new Caption(tr("Click a hatched cell on the stage."), 13, QFont::Normal, Caption::Tone::Secondary));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    if (kind == LessonVeil::Predict::Number) {
        m_number = new QLineEdit;
        m_number->setFont(monoFont(15));
        m_number->setMinimumWidth(72);
        m_number->setMaximumWidth(120);
        m_number->setMaxLength(32);
        m_number->setAccessibleName(tr("Your prediction"));
        row->addWidget(m_number);
        connect(m_number, &QLineEdit::returnPressed, this, &VeilCard::reveal);
    }
    m_reveal = new Button(Button::Kind::Primary, tr("Reveal"));
    m_show = new Button(Button::Kind::Plain, tr("Show me"));
    m_show->setToolTip(tr("Without a prediction"));
    row->addWidget(m_reveal);
    row->addWidget(m_show);
    row->addStretch();
    column->addLayout(row);
    m_complaint = new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary);
    m_complaint->setWordWrap(true);
    m_complaint->hide();
    column->addWidget(m_complaint);
    connect(m_reveal, &Button::clicked, this, &VeilCard::reveal);
    connect(m_show, &Button::clicked, this, [this] { m_player.reveal(m_part, {}); });
}

void VeilCard::makeAnswer(QVBoxLayout* column) {
    auto* after = new LessonText(kLessonPx);
    const auto fill = [this, after] {
        after->setText(m_player.afterVeil(m_part), m_player.library().formulaFolders());
    };
    fill();
    if (!m_player.hasNumbers()) m_player.withNumbers(after, fill);
    column->addWidget(after);
}

void VeilCard::reveal() {
    std::vector<double> given;
    if (m_shares) {
        given = m_shares->shares();
    } else if (m_curve) {
        given = m_curve->curve();
    } else if (m_number) {
        bool isNumber = false;
        const QString text = m_number->text().trimmed().replace(u',', u'.').replace(QChar(0x2212), u'-');
        given = {text.toDouble(&isNumber)};
        if (!isNumber) given.clear();
    } else {
        given = pointedCell();
    }
    if (!given.empty()) return m_player.reveal(m_part, given);
    m_complaint->setText(m_curve    ? tr("Draw a curve first, from left to right.")
                         : m_number ? tr("Write a number like 0.385.")
                                    : tr("None of the hatched cells is chosen yet."));
    m_complaint->show();
}

std::vector<double> VeilCard::pointedCell() const {
    constexpr int most = 64;
    for (const NumberName& hidden : veil().hidden) {
        NumberName cell = hidden;
        const auto chosen = [&] {
            const auto isThere = m_player.sight().isPointedAt;
            return isThere && isThere(cell) ? std::vector<double>(cell.indices.begin(), cell.indices.end())
                                            : std::vector<double>();
        };
        if (auto at = chosen(); hidden.indices.size() >= 2 && !at.empty()) return at;
        cell.indices.push_back(1);
        for (; cell.indices.back() <= most; ++cell.indices.back())
            if (auto at = chosen(); !at.empty()) return at;
    }
    return {};
}

QString VeilCard::complaint() const {
    return m_complaint && !m_complaint->isHidden() ? m_complaint->text() : QString();
}

void VeilCard::paintEvent(QPaintEvent*) {
    paintLessonCard(this, m_player.isSolved(m_part) ? LessonCardState::Solved : LessonCardState::Open);
}

}  // namespace headlight

#include "moc_veil_card.cpp"
