// SPDX-License-Identifier: GPL-3.0-or-later
// What both readings are fed, what each says behind it, and what of it is left as more is taken out.
#include <QLabel>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/session/open/selection.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/views/compare/compare_view.h"
#include "ui/views/compare/divergence_map.h"
#include "ui/views/compare/fed_table.h"
#include "ui/views/compare/head_chips.h"
#include "ui/views/compare/parting_lines.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/words/found_list.h"
#include "ui/widgets/words/token_strip.h"
#include "ui/widgets/words/word_bars.h"

namespace headlight {

using Kind = Comparison::Kind;

void CompareView::showText() {
    const Session* sides[] = {&m_comparison->first(), &m_comparison->second()};
    const bool ready = m_comparison->isReady();
    const auto& model = sides[0]->model();
    const bool namesLabel = model && model->network->config().corpusKind() == CorpusKind::Labels;
    m_itself->setText(namesLabel ? tr("What each answers") : tr("What each writes by itself"));
    QStringList reference;
    for (size_t i = 0; i < 2; ++i) {
        const auto& reading = sides[i]->reading();
        const bool shown = reading && (i == 0 || ready);
        const TranslationRow row = shown ? reading->muted.value_or(reading->baseline) : TranslationRow();
        const QString name =
            i == 0 ? tr("A  ·  %1").arg(sides[0]->modelName()) : tr("B  ·  %1").arg(m_comparison->title());
        // A text without a gap is not filled in, and a model without a head writes nothing.
        const bool isSilent = shown && row.words.isEmpty();
        m_names[i]->setText(isSilent ? tr("%1: nothing").arg(name) : name);
        m_names[i]->setVisible(i == 0 || !m_comparison->title().isEmpty());  // nobody is there who would write
        m_texts[i]->setTokens(row, i == 0 ? QStringList() : reference);
        m_logProbs[i]->setText(row.words.isEmpty() ? QString() : formatLogProb(row.logProb));
        reference = row.words;
    }
    m_found->setFound(m_comparison->found(), tr("now"));
}

void CompareView::showFed() {
    const bool ready = m_comparison->isReady();
    const Session &one = m_comparison->first(), &other = m_comparison->second();
    FedTable::Shown shown;
    if (ready) {
        const Trace &a = *one.reading()->trace, &b = *other.reading()->trace;
        if (m_rowOf.lock() != one.reading()->trace) m_row = -1;
        m_rowOf = one.reading()->trace;
        m_fedWords = fedWords(*one.model(), a, *other.model(), b);
        shown = {m_fedWords,
                 one.modelName(),
                 m_comparison->title(),
                 !one.model()->network->config().masked(),
                 logProbOfFed(*one.model(), a),
                 {}};
        const bool isFedTheSame =
            std::ranges::all_of(m_fedWords, [](const FedWord& word) { return word.second.has_value(); });
        if (isFedTheSame) shown.secondLogProb = logProbOfFed(*other.model(), b);
    } else {
        m_fedWords.clear();
    }
    m_fed->setShown(std::move(shown));
    m_fed->setCurrent(fedRow());
    // Its room stays while B is read again.
    m_fed->setVisible(!ready || !m_fedWords.empty());
}

/// Before the reader chooses: where B says another word first, or else where the two are furthest apart.
int CompareView::fedRow() const {
    if (m_row >= 0 && m_row < std::ssize(m_fedWords)) return m_row;
    const auto first = std::ranges::find_if(m_fedWords, &FedWord::differs);
    if (first != m_fedWords.end()) return static_cast<int>(first - m_fedWords.begin());
    const auto furthest =
        std::ranges::max_element(m_fedWords, {}, [](const FedWord& word) { return word.apart.value_or(-1); });
    return furthest == m_fedWords.end() ? -1 : static_cast<int>(furthest - m_fedWords.begin());
}

/// In a value that has a row for it, its number is chosen; in others it is remembered.
void CompareView::chooseFedRow(int row) {
    m_row = row;
    const TraceRecord* const left = value();
    if (left && hasFedRows(*m_comparison->first().reading()->trace, *left)) {
        const ValueCell now = m_selection->number();
        m_selection->setNumber({m_selection->head(), row, std::max(0, now.valid() ? now.column : 0)});
    }
    showFedRow();
}

/// Words of the other stack are rows of the value that is looked at.
void CompareView::chooseLine(int word) {
    if (m_areLinesFed) return chooseFedRow(word);
    const TraceRecord* const left = value();
    if (!left || word >= matrixRows(*left)) return;
    m_selection->setNumber({m_selection->head(), word, std::max(0, m_selection->number().column)});
}

/// Everything that tells of the chosen word.
void CompareView::showFedRow() {
    m_fed->setCurrent(fedRow());
    showLines();
    showHeads();
    showPieces();
}

bool CompareView::isFedBand(size_t band) const {
    const std::vector<DivergenceMap::Band>& bands = m_map->whole();
    return band + 1 == bands.size() && bands[band].words.size() == std::ssize(m_fedWords);
}

/// Of the stack that is looked at, where anything in it is apart; else of the one that says the words.
void CompareView::showLines() {
    const std::vector<DivergenceMap::Band>& bands = m_map->whole();
    const TraceRecord* const left = value();
    const QString scope = left ? QString::fromStdString(left->owner().scope) : QString();
    size_t shown = bands.empty() ? 0 : bands.size() - 1;
    for (size_t i = 0; i < bands.size(); ++i)
        if (!bands[i].isLow &&
            std::ranges::find(bands[i].columns, scope, &DivergenceMap::Column::scope) != bands[i].columns.end())
            shown = i;
    std::vector<char> lost;
    int word = -1;
    m_areLinesFed = !bands.empty() && isFedBand(shown);
    m_lineRow = m_selection->number().row;
    if (m_areLinesFed) {
        word = fedRow();
        for (const FedWord& each : m_fedWords)
            lost.push_back(each.differs() ? 1 : 0);
    } else if (left && shown < bands.size() && matrixRows(*left) == bands[shown].words.size()) {
        word = m_lineRow;
    }
    m_lines->setBand(bands.empty() ? DivergenceMap::Band() : bands[shown], lost);
    m_lines->setCurrent(scope, word);
    const bool isFed = !bands.empty() && isFedBand(bands.size() - 1);
    m_map->setWord(bands.empty() ? Stack::Only : bands.back().stack, isFed ? fedRow() : -1);
    m_where->setText(unbrokenPercents(m_whereAll + whatOfTheWord()));
}

/// The heads of the chosen block; below them what each gives to the word that the muted ones look at most where the
/// chosen word is said.
void CompareView::showHeads() {
    const auto& reading = m_comparison->first().reading();
    const QString scope = m_block->currentData().toString();
    if (!reading || scope.isEmpty()) return m_heads->setHeads(0, {}, {});
    const std::vector<int> muted = mutedIn(scope);
    m_headsNote->setText(tr("A muted head’s output counts as zero."));
    for (const AttentionBlock& block : attentionBlocks(*reading->trace)) {
        if (block.scope != scope) continue;
        std::vector<float> weights;
        const int row = fedRow();
        if (row >= 0 && row < block.rows && hasFedRows(*reading->trace, *block.weights)) {
            std::vector<double> sums(static_cast<size_t>(block.columns));
            for (const int head : muted)
                for (size_t column = 0; column < sums.size(); ++column)
                    sums[column] += static_cast<double>(matrixRow(*block.weights, head, row)[column]);
            const auto most = static_cast<size_t>(std::ranges::max_element(sums) - sums.begin());
            for (int head = 0; head < block.heads; ++head)
                weights.push_back(matrixRow(*block.weights, head, row)[most]);
            m_headsNote->setText(tr("Below each, its weight on “%1” where A says “%2”: there the muted ones look most.")
                                     .arg(columnLabels(*reading->trace, block).value(static_cast<qsizetype>(most)),
                                          m_fedWords[static_cast<size_t>(row)].first.word));
        }
        m_heads->setHeads(block.heads, muted, weights);
    }
}

/// Bars of the probability of A's word as more is taken out of A.
void CompareView::showPieces() {
    const PieceStudy& study = m_comparison->pieces();
    const int row = fedRow();
    m_piecesPart->setVisible(!study.empty() && row >= 0);
    m_pieceSets.clear();
    if (study.empty() || row < 0) return;
    const bool ofHeads = m_comparison->kind() == Kind::Heads;
    const QStringList& names = m_comparison->pieceNames();
    const QStringList& chosen = ofHeads ? m_comparison->mutedHeads() : m_comparison->changes();
    const auto at = static_cast<size_t>(row);
    const FedWord& word = m_fedWords[at];
    m_piecesNote->setText(word.fed.isEmpty() ? tr("p of “%1”").arg(word.first.word)
                                             : tr("p of “%1” after “%2”").arg(word.first.word, word.fed));
    std::vector<WordBars::Bar> bars;
    const auto add = [&](const QString& label, double p, const QStringList& set, bool isNow) {
        bars.push_back({label, p, isNow, false});
        m_pieceSets.push_back(set);
    };
    const auto number = [&](const QString& name) {
        return ofHeads ? name.section(u'.', -1).toInt() + 1 : static_cast<int>(names.indexOf(name)) + 1;
    };
    // Heads of several blocks are not told apart by their numbers.
    const bool ofBlocks = ofHeads && std::ranges::any_of(names, [&](const QString& name) {
                              return name.section(u'.', 0, -2) != names.first().section(u'.', 0, -2);
                          });
    add(ofHeads ? tr("none muted") : tr("as it was"), study.none[at], {}, false);
    const QString worst = names.value(study.worst(at));
    if (names.size() > 1)
        add(ofBlocks  ? tr("the worst of %1").arg(names.size())
            : ofHeads ? tr("head %1, the worst").arg(number(worst))
                      : tr("change %1, the worst").arg(number(worst)),
            study.alone[static_cast<size_t>(study.worst(at))][at], {worst}, chosen == QStringList{worst});
    if (chosen.size() < names.size() && chosen != QStringList{worst}) {
        QStringList numbers;
        for (const QString& each : chosen)
            numbers << QString::number(number(each));
        const auto many = chosen.size();
        add(many == 1              ? tr("head %1").arg(numbers.first())
            : ofBlocks || many > 4 ? tr("those %1 heads").arg(many)
                                   : tr("heads %1").arg(numbers.join(QStringLiteral(", "))),
            study.chosen[at], chosen, true);
    }
    add(names.size() == 1 ? (ofHeads ? tr("its only head") : tr("the change")) : tr("all %1").arg(names.size()),
        study.all[at], names, chosen.size() == names.size());
    m_pieces->setBars(std::move(bars));
}

/// A bar's pieces become what B is without.
void CompareView::choosePieces(int bar) {
    const QStringList set = m_pieceSets[static_cast<size_t>(bar)];
    if (set.isEmpty()) return;
    m_seeksDifference = true;
    if (m_comparison->kind() == Kind::Heads)
        m_comparison->setMutedHeads(set);
    else
        m_comparison->setChanges(set);
    emit optionsChanged();
}

}  // namespace headlight
