// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/subwords/model_cut.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "core/text/bpe_tokenizer.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/sentencepiece_tokenizer.h"
#include "ui/session/format/number_format.h"

namespace headlight {

namespace {

struct ModelCutText {
    Q_DECLARE_TR_FUNCTIONS(ModelCut)
};

constexpr size_t kMostOfVocabulary = 60;  ///< words and endings that are shown beside the sentence
constexpr const char* kWordEnd = "</w>";

const BpeTokenizer* bytePairsOf(const TrainedModel& model) {
    return dynamic_cast<const BpeTokenizer*>(model.source.get());
}

}  // namespace

ModelCut::ModelCut(std::shared_ptr<const TrainedModel> model, QString sentence, QString written)
    : m_model(std::move(model)), m_sentence(std::move(sentence)) {
    // What it writes is in another vocabulary where it has two.
    if (m_model->source->vocabulary().tokens() == m_model->target->vocabulary().tokens())
        m_written = std::move(written);
}

bool ModelCut::hasMerges() const {
    return bytePairsOf(*m_model) != nullptr;
}

QString ModelCut::whyNone() const {
    const Tokenizer* const tokenizer = m_model->source.get();
    if (hasMerges()) return {};
    if (dynamic_cast<const SentencePieceTokenizer*>(tokenizer))
        return ModelCutText::tr(
            "SentencePiece chooses the likeliest cut of the whole text, so there are no merges to "
            "play. This is how it cuts your sentence.");
    if (const auto* pipeline = dynamic_cast<const PipelineTokenizer*>(tokenizer)) {
        switch (pipeline->marks().kind) {
            case PieceMarks::Kind::Continues:
                return ModelCutText::tr(
                    "WordPiece takes the longest piece that fits, from left to right, so there are "
                    "no merges to play. This is how it cuts your sentence.");
            case PieceMarks::Kind::Starts:
            case PieceMarks::Kind::Ends:
                return ModelCutText::tr(
                    "Its merges join bytes or characters with their spaces, which cannot be played "
                    "here. This is how it cuts your sentence.");
            case PieceMarks::Kind::None:
            case PieceMarks::Kind::GoesOn:
                break;
        }
    }
    return ModelCutText::tr(
        "This model reads whole words or single characters, so there are no merges to play. A word "
        "that its vocabulary lacks is <unk>.");
}

QString ModelCut::source() const {
    if (const BpeTokenizer* own = bytePairsOf(*m_model))
        return ModelCutText::tr(
                   "%1 merges of the open model; your sentence, and common words and endings of its vocabulary")
            .arg(formatCount(static_cast<qint64>(own->bpe().merges().size())));
    return ModelCutText::tr("your sentence, as the open model reads it");
}

/// The words of a text with the pieces that the model reads of each; as in the film, the last one bears the mark of its
/// word's end.
std::vector<ModelCut::Word> ModelCut::wordsOf(const QString& text) const {
    const std::string normal = text.normalized(QString::NormalizationForm_C).toStdString();
    const Tokenizer& tokenizer = *m_model->source;
    std::vector<Word> words;
    const BpeTokenizer* const own = bytePairsOf(*m_model);
    const auto read = [&](const std::string& part) {
        const std::vector<int> ids = tokenizer.encode(part);
        const std::vector<Piece> pieces = tokenizer.pieces(ids);
        bool goesOn = false;
        for (size_t i = 0; i < ids.size(); ++i) {
            // What is unknown of a word touches nothing, and is part of it all the same.
            if (i == 0 || !(own || goesOn || pieces[i].joinsLeft)) words.emplace_back();
            words.back().text += pieces[i].text;
            words.back().pieces.push_back(pieces[i].text);
            words.back().isUnknown = words.back().isUnknown || ids[i] == tokenizer.specials().unk;
            goesOn = pieces[i].joinsRight;
        }
    };
    for (const std::string& word : own ? own->wordsOf(normal) : std::vector<std::string>{normal}) {
        read(word);
        if (own && !words.empty()) words.back().text = word;  // whatever of it is unknown
    }
    for (Word& word : words)
        word.pieces.back() += kWordEnd;
    return words;
}

WordCounts ModelCut::ownWords() const {
    WordCounts counts;
    for (const QString& text : {m_sentence, m_written})
        for (const Word& word : wordsOf(text))
            ++counts[word.text];
    return counts;
}

std::shared_ptr<const MergeFilm> ModelCut::film(const WorkProgress& progress) const {
    WordCounts counts = ownWords();
    const BpeTokenizer* const own = bytePairsOf(*m_model);
    if (!own) return std::make_shared<const MergeFilm>(counts, std::vector<Merge>(), progress);
    size_t added = 0;
    for (int id = 0; id < own->vocabulary().size() && added < kMostOfVocabulary; ++id) {
        if (own->isSpecial(id) || id == own->specials().unk) continue;
        const std::string& token = own->vocabulary().token(id);
        // Whether it is a word or the end of others its vocabulary does not say.
        const bool isWord = own->split(token) == std::vector<std::string>{token} && lettersIn(bareSymbol(token)) > 2;
        if (isWord && counts.emplace(token, 1).second) ++added;
    }
    return std::make_shared<const MergeFilm>(counts, own->bpe().merges(), progress);
}

std::vector<SubwordsShown::Cut> ModelCut::cut(const QString& text, const MergeFilm& film, int merges) const {
    std::vector<SubwordsShown::Cut> all;
    for (Word& word : wordsOf(text)) {
        // Whole words alone would have it where it is one piece.
        const bool isWhole = !word.isUnknown && word.pieces.size() == 1;
        SubwordsShown::Cut cut{QString::fromStdString(word.text), isWhole ? 1 : 0, {}};
        if (hasMerges()) cut.ladder = film.ladder(word.text, merges);
        if (!hasMerges() || (merges == film.mergeCount() && cut.ladder.back().symbols != word.pieces))
            cut.ladder.push_back({{}, std::move(word.pieces)});
        all.push_back(std::move(cut));
    }
    return all;
}

std::vector<MergeFilm::Word> ModelCut::pieces() const {
    std::vector<MergeFilm::Word> words;
    for (const QString& text : {m_sentence, m_written})
        for (Word& word : wordsOf(text)) {
            const auto known = std::ranges::find(words, word.text, &MergeFilm::Word::text);
            if (known == words.end())
                words.push_back({word.text, 1, std::move(word.pieces)});
            else
                ++known->count;
        }
    std::ranges::stable_sort(words, std::ranges::greater(), &MergeFilm::Word::count);
    return words;
}

}  // namespace headlight
