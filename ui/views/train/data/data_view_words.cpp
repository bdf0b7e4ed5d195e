// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences as they will be read, and what will be known of them.
#include <QLabel>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/text/piece.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/views/train/data/curve_chart.h"
#include "ui/views/train/data/data_bar.h"
#include "ui/views/train/data/data_view.h"
#include "ui/views/train/data/layout_row.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"

namespace headlight {

bool DataView::holdsUnknown(size_t sample) const {
    if (m_choice.data().tokenizer.kind == TokenizerOptions::Kind::Char) return false;
    const DataPicture& picture = *m_choice.picture();
    for (size_t side = picture.isText() ? 1 : 0; side < 2; ++side) {
        if (picture.pieces.at(side)) continue;
        const int most = m_choice.vocabulary().at(side);
        if (picture.rarest[sample].at(side) >=
            (most > 0 ? static_cast<size_t>(most) : picture.coverage.at(side)->words()))
            return true;
    }
    return false;
}

/// The pieces that a word of each side falls into; nothing where it stays whole.
std::array<std::optional<Bpe>, 2> DataView::piecesOfWords() const {
    std::array<std::optional<Bpe>, 2> both;
    const TokenizerOptions& options = m_choice.data().tokenizer;
    if (options.kind != TokenizerOptions::Kind::Bpe) return both;
    for (size_t side = 0; side < 2; ++side)
        if (const PieceCurve* pieces = m_choice.picture()->pieces.at(side).get()) {
            const auto& merges = pieces->merges();
            const auto count = std::min(merges.size(), static_cast<size_t>(options.merges));
            both.at(side).emplace(std::vector(merges.begin(), merges.begin() + static_cast<std::ptrdiff_t>(count)));
        }
    return both;
}

std::vector<SentenceRows::Token> DataView::tokensOf(const std::string& text, size_t side, const Bpe* bpe) const {
    const DataPicture& picture = *m_choice.picture();
    std::vector<SentenceRows::Token> tokens;
    const TokenizerOptions& options = m_choice.data().tokenizer;
    if (options.kind == TokenizerOptions::Kind::Char) {
        for (const std::string& character : trainTokenizer({text}, options)->split(text))
            tokens.push_back({character == " " ? QStringLiteral("␣") : QString::fromStdString(character), true});
        return tokens;
    }
    if (bpe) {
        for (const std::string& word : picture.survey->wordsOf(text)) {
            const std::vector<std::string> parts = bpe->split(word);
            for (size_t i = 0; i < parts.size(); ++i)
                tokens.push_back({QString::fromStdString(drawn(Piece{parts[i], i > 0, i + 1 < parts.size()})),
                                  picture.pieces.at(side)->canSpell(parts[i])});
        }
        return tokens;
    }
    const int most = m_choice.vocabulary().at(side);
    const CoverageCurve& curve = *picture.coverage.at(side);
    const size_t known = most > 0 ? static_cast<size_t>(most) : curve.words();
    for (const std::string& word : picture.survey->wordsOf(text))
        tokens.push_back({QString::fromStdString(word), curve.rank(word) < std::min(known, curve.words())});
    return tokens;
}

std::vector<size_t> DataView::shownSamples() const {
    const DataPicture& picture = *m_choice.picture();
    const auto& samples = picture.survey->samples();
    std::vector<size_t> fitting;
    for (size_t i = 0; i < samples.size(); ++i) {
        const bool out = picture.deal.leftOut[samples[i].entry] != LeftOut::No;
        const bool fits = m_filter->currentIndex() == Skipped        ? out
                          : m_filter->currentIndex() == WithUnknowns ? !out && holdsUnknown(i)
                                                                     : !out;
        if (fits) fitting.push_back(i);
    }
    // Spread over the file, so that the first lines, which are often alike, are not all there is to see.
    std::vector<size_t> shown;
    const size_t room = std::min(fitting.size(), static_cast<size_t>(m_rows->capacity()));
    for (size_t k = 0; k < room; ++k)
        shown.push_back(fitting[(k * fitting.size() / room + static_cast<size_t>(m_shift)) % fitting.size()]);
    std::ranges::sort(shown);
    return shown;
}

void DataView::showLayout() {
    const std::optional<FileLayout>& layout = m_choice.layout();
    m_layoutRow->setVisible(m_choice.hasFiles() && layout.has_value());
    const CorpusFiles& files = m_choice.data().files;
    if (layout) m_layoutRow->show(*layout, files, m_choice.isSaid());
}

/// Which reading is chosen, and what the file's lines look like.
void DataView::showReading() {
    const std::optional<TextGuess>& guess = m_choice.guess();
    m_readingRow->setVisible(m_choice.hasFiles() && guess.has_value());
    if (!guess) return;
    const QSignalBlocker quiet(m_reading);
    m_reading->setCurrentIndex(static_cast<int>(m_choice.data().files.reading));
    switch (guess->reading) {
        case TextReading::Lines:
            m_readingNote->setText(tr("This file looks like one sentence a line."));
            break;
        case TextReading::Breaks:
            m_readingNote->setText(
                guess->blank > 0
                    ? tr("This file looks like running text: its lines have different lengths and blank lines "
                         "between them.")
                    : tr("This file looks like running text: its lines are %1 characters long on average.")
                          .arg(formatCount(guess->mean)));
            break;
        case TextReading::Paragraphs:
            m_readingNote->setText(
                tr("This file looks like wrapped text: on %1 of its lines, the next word would not fit into %2 "
                   "characters.")
                    .arg(unbrokenPercents(formatPercent(guess->wrapped, 0)), formatCount(guess->width)));
            break;
    }
}

void DataView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showRows();
}

/// The sentences of the built-in task, which nothing is left out of; written for whoever looks.
void DataView::showTask() {
    m_rowsCard->setCaption(tr("every word of the built-in task will be known"));
    if (isVisible()) m_task.setTask(m_choice.data().files.task);
    m_rows->setEmptyText(m_task.splits() ? QString() : tr("Writing the sentences …"));
    m_rows->setRows(m_task.rows(static_cast<size_t>(m_rows->capacity()), static_cast<size_t>(m_shift)));
    m_rowsLeft->setText(m_task.counts());
    m_rowsRight->setText(m_task.splits() ? tr("each part is numbered by itself") : QString());
}

void DataView::showRows() {
    const auto& picture = m_choice.picture();
    m_filter->setEnabled(picture != nullptr);
    if (!m_choice.hasFiles()) return showTask();
    m_rowsCard->setCaption(tr("hatched: what it will not know, read as <unk>"));
    m_rows->setEmptyText(m_choice.isBusy() ? tr("Reading …") : tr("There is nothing to show"));
    if (!picture) return showGlimpse();
    const QString parts[] = {tr("training"), tr("validation"), tr("test")};
    const QString reasons[] = {{}, tr("blank"), tr("too long"), tr("unequal")};
    std::vector<SentenceRows::Row> rows;
    const std::array<std::optional<Bpe>, 2> pieces = piecesOfWords();
    const auto read = [&](const std::string& text, size_t side) {
        return tokensOf(text, side, pieces.at(side) ? &*pieces.at(side) : nullptr);
    };
    for (const size_t sample : shownSamples()) {
        const auto& [pair, entry] = picture->survey->samples()[sample];
        const CorpusSurvey::Entry& known = picture->survey->entries()[entry];
        SentenceRows::Row row;
        row.line = formatCount(known.line);
        const LeftOut why = picture->deal.leftOut[entry];
        row.leftOut = why != LeftOut::No;
        row.part =
            row.leftOut ? reasons[static_cast<size_t>(why)] : parts[static_cast<size_t>(picture->deal.parts[entry])];
        if (!picture->isText()) row.source = read(pair.source, 0);
        row.target = read(pair.target, 1);
        // What the model reads between the line before and this one.
        if (pair.joint == Joint::Blank) row.target.insert(row.target.begin(), {QStringLiteral("↵"), true});
        if (pair.joint == Joint::Break || pair.joint == Joint::Blank)
            row.target.insert(row.target.begin(), {QStringLiteral("↵"), true});
        const auto noteOf = [&](const std::vector<SentenceRows::Token>& tokens, int words) {
            const auto unknown = std::ranges::count(tokens, false, &SentenceRows::Token::known);
            if (row.leftOut || unknown == 0) return plural(tr("%1 word(s)").arg(words), words);
            return tr("%1 unknown").arg(unknown);
        };
        row.sourceNote = noteOf(row.source, known.sourceWords);
        row.targetNote = noteOf(row.target, known.targetWords);
        rows.push_back(std::move(row));
    }
    m_rows->setRows(std::move(rows));
    qint64 used = 0, withUnknowns = 0;
    const auto& samples = picture->survey->samples();
    for (size_t i = 0; i < samples.size(); ++i) {
        if (picture->deal.leftOut[samples[i].entry] != LeftOut::No) continue;
        ++used;
        withUnknowns += holdsUnknown(i);
    }
    const QString counted = formatCount(withUnknowns), of = formatCount(used);
    const bool areAll = samples.size() >= static_cast<size_t>(picture->deal.used());
    const bool isText = picture->isText();
    m_rowsLeft->setText(
        areAll ? (isText ? tr("%1 of %2 lines hold an unknown word") : tr("%1 of %2 pairs hold an unknown word"))
                     .arg(counted, of)
               : tr("%1 of %2 that were drawn by chance hold an unknown word").arg(counted, of));
    m_rowsRight->setText(hasEntries() ? tr("numbers are those of the entries in the list")
                                      : tr("numbers are those of the lines in the file"));
}

/// What is read so far. Which words will be known, and what each sentence is for, is found out at the end.
void DataView::showGlimpse() {
    const std::optional<DataGlimpse>& glimpse = m_choice.isBusy() ? m_choice.glimpse() : std::nullopt;
    std::vector<SentenceRows::Row> rows;
    if (glimpse) {
        const auto splitter = wordSplitter(m_choice.data().tokenizer);
        const auto tokens = [&](const std::string& text) {
            std::vector<SentenceRows::Token> all;
            for (const std::string& word : splitter->split(text))
                all.push_back({QString::fromStdString(word), true});
            return all;
        };
        const size_t room = std::min(glimpse->rows.size(), static_cast<size_t>(m_rows->capacity()));
        for (size_t i = 0; i < room; ++i) {
            const auto& [line, pair] = glimpse->rows[i];
            SentenceRows::Row row;
            row.line = formatCount(static_cast<qint64>(line));
            row.part = tr("so far");
            row.source = tokens(pair.source);
            row.target = tokens(pair.target);
            rows.push_back(std::move(row));
        }
    }
    m_rows->setRows(std::move(rows));
    m_rowsLeft->setText(glimpse ? tr("So far: %1 read. What will not be known is marked when all of it is.")
                                      .arg(formatCount(glimpse->pairs))
                                : QString());
    m_rowsRight->clear();
}

/// The first place of the sliders is a vocabulary of one word, or no merge.
void DataView::showVocabulary() {
    const TokenizerOptions& options = m_choice.data().tokenizer;
    using Kind = TokenizerOptions::Kind;
    const Tokens which = options.kind == Kind::Bpe          ? Pieces
                         : options.kind == Kind::Char       ? Characters
                         : options.kind == Kind::Whitespace ? AsCut
                                                            : Words;
    {
        const QSignalBlocker quiet(m_tokens), quietCase(m_case);
        m_tokens->setCurrentIndex(which);
        m_case->setCurrentIndex(options.lowercase ? 1 : 0);
    }
    const auto& picture = m_choice.picture();
    for (QWidget* part : {static_cast<QWidget*>(m_seenName), static_cast<QWidget*>(m_seen)})
        part->setVisible(which == Words || which == AsCut);
    m_sides->setVisible(which == Pieces && m_choice.kind() == CorpusKind::Translation);
    {
        const QSignalBlocker quietSides(m_sides);
        m_sides->setCurrentIndex(options.jointBpe ? 1 : 0);
    }
    m_vocabularyCard->setTitle(which == Pieces       ? tr("Pieces it will know")
                               : which == Characters ? tr("Characters it will know")
                                                     : tr("Words it will know"));
    m_coverage->setVisible(picture && which != Characters);
    for (LabelledSlider* slider : m_sizes)
        slider->setVisible(picture && which != Characters);
    if (!picture) {
        m_vocabularyNote->clear();
        return;
    }
    m_sizes[0]->setVisible(!picture->isText() && which != Characters);
    m_sizes[1]->setVisible(which != Characters && m_choice.kind() != CorpusKind::Labels && which != Pieces);
    if (which == Characters)
        m_vocabularyNote->setText(
            tr("Every character of what is learned from is known; what is read is longer for it."));
    else if (which == Pieces)
        showPieces();
    else
        showWords();
}

void DataView::showWords() {
    const DataPicture& picture = *m_choice.picture();
    CurveChart::Content content;
    content.format = [](double value) { return formatPercent(value, 0); };
    content.axisTitle = tr("size of the vocabulary");
    content.solidName = tr("kept away");
    content.dashedName = tr("learned from");
    content.bottom = 1;
    QStringList once, unread;
    for (const size_t side : {size_t{0}, size_t{1}}) {
        const auto curve = picture.coverage.at(side);
        const bool isLabel = side == 1 && m_choice.kind() == CorpusKind::Labels;
        if (!curve || isLabel) continue;
        const auto role = side == 0 ? CurveChart::Role::Source : CurveChart::Role::Target;
        const int words = static_cast<int>(curve->words());
        const int size = std::clamp(m_choice.vocabulary().at(side), 0, words);
        const int chosen = size == 0 ? words : size;
        const auto learned = [curve](int at) { return curve->learned(static_cast<size_t>(at)); };
        const auto other = [curve](int at) { return curve->other(static_cast<size_t>(at)); };
        content.curves.push_back({role, true, words, learned});
        content.curves.push_back({role, false, words, other});
        const QString name = sideName(m_choice.data().files, static_cast<int>(side));
        content.marks.push_back({chosen, role, tr("%1 %2 known").arg(name, formatPercent(other(chosen)))});
        content.most = std::max(content.most, words);
        content.bottom = std::min(content.bottom, other(std::max(1, words / 30)));
        const QSignalBlocker quiet(m_sizes[side]);
        m_sizes[side]->setRange({1, std::max(1, words), std::max(1, chosen)});
        m_sizes[side]->setName(name);
        m_sizes[side]->setText(tr("%1 of %2").arg(formatCount(chosen), formatCount(words)));
        once << tr("%1 %2").arg(formatCount(words - static_cast<int>(curve->wordsSeen(2))), name);
        constexpr double kMostUnread = 0.3;  // of a language that puts no spaces between words nearly all are
        if (1 - other(chosen) > kMostUnread) unread << tr("%1 of %2").arg(formatPercent(1 - other(chosen), 0), name);
    }
    content.bottom = content.bottom >= 0.8 ? 0.8 : content.bottom >= 0.6 ? 0.6 : content.bottom >= 0.2 ? 0.2 : 0;
    m_coverage->setContent(std::move(content));
    showSeen();
    m_vocabularyNote->setText(
        unread.isEmpty()
            ? tr("Words that stand only once: %1.").arg(once.join(QStringLiteral(", ")))
            : tr("%1 would be read as <unk>: try BPE pieces or characters.").arg(unread.join(tr(" and "))));
}

void DataView::showPieces() {
    const DataPicture& picture = *m_choice.picture();
    CurveChart::Content content;
    content.format = [](double value) { return formatNumber(value, 1); };
    content.axisTitle = tr("merges; the height is pieces a word");
    content.bottom = 1;
    content.top = 1;
    int most = 1;
    for (const auto& pieces : picture.pieces)
        if (pieces) most = std::max(most, static_cast<int>(pieces->merges().size()));
    const int merges = m_choice.data().tokenizer.merges;
    QStringList sizes;
    for (const size_t side : {size_t{0}, size_t{1}}) {
        const auto curve = picture.pieces.at(side);
        if (!curve || (side == 1 && m_choice.kind() == CorpusKind::Labels)) continue;
        const auto role = side == 0 ? CurveChart::Role::Source : CurveChart::Role::Target;
        const int end = static_cast<int>(curve->merges().size());
        const auto value = [curve](int at) { return curve->piecesPerWord(static_cast<size_t>(at)); };
        const int at = std::min(merges, end);
        const QString name = sideName(m_choice.data().files, static_cast<int>(side));
        content.curves.push_back({role, false, end, value});
        content.marks.push_back({at, role, tr("%1 %2 pieces a word").arg(name, formatNumber(value(at)))});
        content.top = std::max(content.top, std::ceil(value(0)));
        sizes << tr("%1 %2").arg(formatCount(static_cast<qint64>(curve->vocabularySize(static_cast<size_t>(at)))),
                                 name);
    }
    content.most = most;
    m_coverage->setContent(std::move(content));
    const QSignalBlocker quiet(m_sizes[0]);
    m_sizes[0]->setVisible(true);
    m_sizes[0]->setRange({1, most, std::min(merges, most)});
    m_sizes[0]->setName(picture.joint ? tr("Merges, of both together") : tr("Merges, on each side"));
    m_sizes[0]->setText(tr("%1 of %2").arg(formatCount(std::min(merges, most)), formatCount(most)));
    m_vocabularyNote->setText(
        tr("Known pieces, specials counted in: %1. A new word is spelt.").arg(sizes.join(QStringLiteral(", "))));
}

void DataView::chooseTokens(int which) {
    TokenizerOptions options = m_choice.data().tokenizer;
    using Kind = TokenizerOptions::Kind;
    constexpr int usualMerges = 1500;
    options.kind = which == Pieces       ? Kind::Bpe
                   : which == Characters ? Kind::Char
                   : which == AsCut      ? Kind::Whitespace
                                         : Kind::Word;
    options.merges = which == Pieces ? usualMerges : 0;
    options.jointBpe = options.jointBpe && which == Pieces;
    m_choice.setTokenizer(options);
}

void DataView::chooseSize(int side, int size) {
    if (m_choice.data().tokenizer.kind == TokenizerOptions::Kind::Bpe) {
        TokenizerOptions options = m_choice.data().tokenizer;
        options.merges = std::max(1, size);
        return m_choice.setTokenizer(options);
    }
    const auto& picture = m_choice.picture();
    const auto place = static_cast<size_t>(side);
    if (!picture || !picture->coverage.at(place)) return;
    std::array<int, 2> sizes = m_choice.vocabulary();
    sizes.at(place) = std::clamp(size, 1, std::max(1, static_cast<int>(picture->coverage.at(place)->words())));
    m_choice.setVocabulary(sizes);
}

void DataView::chooseSeen(int index) {
    const auto& picture = m_choice.picture();
    if (!picture || index < 0) return;
    std::array<int, 2> sizes = m_choice.vocabulary();
    for (size_t side = 0; side < 2; ++side)
        if (const CoverageCurve* curve = picture->coverage.at(side).get())
            sizes.at(side) = std::max(1, static_cast<int>(curve->wordsSeen(kSeen.at(static_cast<size_t>(index)))));
    m_choice.setVocabulary(sizes);
}

/// The count that the sizes stand for; where they stand for none, or for two, none is marked.
void DataView::showSeen() {
    const DataPicture& picture = *m_choice.picture();
    int marked = -1;
    for (int index = 0; index < static_cast<int>(kSeen.size()); ++index) {
        bool fits = true;
        for (size_t side = 0; side < 2; ++side) {
            const CoverageCurve* curve = picture.coverage.at(side).get();
            if (!curve || (side == 1 && m_choice.kind() == CorpusKind::Labels)) continue;
            const int words = static_cast<int>(curve->words()), most = m_choice.vocabulary().at(side);
            fits = fits && (most == 0 ? words : std::min(most, words)) ==
                               static_cast<int>(curve->wordsSeen(kSeen.at(static_cast<size_t>(index))));
        }
        if (fits && marked < 0) marked = index;
    }
    const QSignalBlocker quiet(m_seen);
    m_seen->setCurrentIndex(marked);
}

}  // namespace headlight
