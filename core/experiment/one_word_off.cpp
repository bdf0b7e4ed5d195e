// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/one_word_off.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/embedding_space.h"
#include "core/experiment/patching.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

constexpr size_t kMostPlaces = 24;   ///< words that are tried to replace
constexpr size_t kEachPlace = 24;    ///< candidates for each
constexpr size_t kMostCompared = 6;  ///< answers that are held against A's logits
constexpr size_t kMostForeign = 24;  ///< words that are looked at for being of the source's language
/// In a vocabulary of whole languages the first eighth of its tokens are articles, pronouns, prepositions, auxiliaries
/// and marks: a sentence does not read well with others in their place.
constexpr int kCommonest = 8, kWholeLanguage = 1000;
/// Sentences that are answered: as many as take about a second, by the number of weights.
constexpr double kWeightsInAll = 4e8;
constexpr double kFewestTried = 32, kMostTried = 400;
/// What an answer that differs in all its words loses of its mean log-probability; and one to a word with another
/// ending, which agrees less often with what stands around it.
constexpr double kDistanceCosts = 1, kEndingCosts = 0.02;

/// A word of the sentence that is one token.
struct Place {
    int id = 0;
    size_t begin = 0, size = 0;  ///< of the word in the text, without the punctuation around it
    size_t inPrompt = 0;         ///< where its id stands in what the model reads
};

struct Candidate {
    std::string text;
    double likely = 0;       ///< comparable within a model alone
    std::string word = {};   ///< that stands in the place of another; "" where that is not one word
    bool endsAlike = false;  ///< as the other did
};

bool hasSameEnding(std::string_view one, std::string_view other) {
    constexpr size_t bytes = 2;
    return one.size() > bytes && other.size() > bytes &&
           one.substr(one.size() - bytes) == other.substr(other.size() - bytes);
}

bool isPunctuation(char c) {
    return std::ispunct(static_cast<unsigned char>(c)) != 0;
}

bool hasLetter(std::string_view word) {
    return std::ranges::any_of(word, [](unsigned char c) { return c >= 0x80 || std::isalpha(c); });
}

bool beginsInCapital(std::string_view word) {
    return !word.empty() && std::isupper(static_cast<unsigned char>(word.front())) != 0;
}

/// The words between white space, without the punctuation around them, as [begin, size].
std::vector<std::pair<size_t, size_t>> wordsIn(const std::string& text) {
    std::vector<std::pair<size_t, size_t>> words;
    for (size_t at = 0; at < text.size();) {
        at = text.find_first_not_of(" \t\n", at);
        if (at == std::string::npos) break;
        const size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
        size_t begin = at, last = end;
        while (begin < last && isPunctuation(text[begin]))
            ++begin;
        while (last > begin && isPunctuation(text[last - 1]))
            --last;
        if (begin < last) words.emplace_back(begin, last - begin);
        at = end;
    }
    return words;
}

/// Of each token of a vocabulary, empty for those that are none.
struct TokenTexts {
    std::vector<std::string> pieces;  ///< its letters, without white space or punctuation
    std::vector<std::string> words;   ///< of those, what is a word by itself
};

std::vector<std::string> piecesOf(const Tokenizer& tokenizer) {
    const int count = tokenizer.vocabulary().size();
    const int unknown = tokenizer.specials().unk.value_or(Vocabulary::none);
    std::vector<std::string> all(static_cast<size_t>(count));
    for (int id = 0; id < count; ++id) {
        if (id == unknown || tokenizer.isSpecial(id)) continue;
        const std::string text = tokenizer.decode({id});
        if (findInvalidUtf8(text)) continue;
        const std::string_view word = trimmed(text);
        if (!word.empty() && std::ranges::none_of(word, [](char c) { return c == ' ' || isPunctuation(c); }))
            all[static_cast<size_t>(id)] = word;
    }
    return all;
}

/// Some schemes write a whole word and the end of one alike. “inking” ends “drinking”, which the vocabulary has
/// too; a word has others that begin like it: “eating”, “eat”.
void leaveOutEndings(const Tokenizer& tokenizer, std::vector<std::string>& texts) {
    const PieceMarks::Kind kind = tokenizer.marks().kind;
    if (kind != PieceMarks::Kind::GoesOn && kind != PieceMarks::Kind::Ends) return;
    constexpr size_t kStem = 3;
    const auto stemOf = [](const std::string& word) {
        const auto letters = std::ranges::count_if(word, [](char c) { return (c & 0xC0) != 0x80; });
        size_t end = 0;
        for (auto left = std::max<std::ptrdiff_t>(kStem, letters - static_cast<std::ptrdiff_t>(kStem)) + 1;
             end < word.size(); ++end)
            if ((word[end] & 0xC0) != 0x80 && --left == 0) break;
        return word.substr(0, end);
    };
    std::set<std::string> endings;
    std::map<std::string, int> beginnings;
    for (int id = 0; id < static_cast<int>(texts.size()); ++id) {
        const Piece piece = tokenizer.pieces({id}).front();
        const std::string word = lowercased(piece.text);
        for (size_t size = kStem; size <= word.size(); ++size)
            ++beginnings[word.substr(0, size)];
        for (size_t from = 1; !piece.joinsRight && from < word.size(); ++from)
            endings.insert(word.substr(from));
    }
    for (std::string& text : texts) {
        const std::string word = lowercased(text);
        if (endings.contains(word) || beginnings[stemOf(word)] < 2) text.clear();
    }
}

/// They hang on the vocabulary alone, and a reader asks of one model again at every sentence: the last one's are kept.
std::shared_ptr<const TokenTexts> textsOf(const std::shared_ptr<const Tokenizer>& tokenizer) {
    static std::mutex mutex;
    static std::weak_ptr<const Tokenizer> known;
    static std::shared_ptr<const TokenTexts> texts;
    const std::scoped_lock lock(mutex);
    if (!texts || known.lock() != tokenizer) {
        TokenTexts found;
        found.pieces = piecesOf(*tokenizer);
        found.words = found.pieces;
        if (tokenizer->vocabulary().size() > kWholeLanguage) leaveOutEndings(*tokenizer, found.words);
        texts = std::make_shared<const TokenTexts>(std::move(found));
        known = tokenizer;
    }
    return texts;
}

class Search {
public:
    Search(const TrainedModel& model, const std::string& sentence, const std::function<bool()>& wanted)
        : m_model(model),
          m_sentence(sentence),
          m_wanted(wanted),
          m_ids(model.source->encode(sentence)),
          m_known(textsOf(model.source)) {
        const auto weights = static_cast<double>(model.network->config().weightCount());
        m_mostTried = static_cast<size_t>(std::clamp(kWeightsInAll / std::max(1.0, weights), kFewestTried, kMostTried));
        const Trace trace = traceSentence(model, sentence);
        m_prompt = Prompt::of(trace);
        findPlaces();
    }

    std::optional<std::string> best() {
        if (auto found = bestOf(ofItsTask())) return found;
        size_t tried = 0;
        for (const bool common : {false, true}) {
            m_tried = 0;
            if (auto found = bestOf(candidates(Nearness::Near, common))) return found;
            if (!goesOn()) return {};
            tried += m_tried;
        }
        if (tried == 0 || asksItself()) {
            m_tried = 0;
            if (auto found = bestOf(pieces())) return found;
        }
        if (m_tried >= m_mostTried || asksItself() || !goesOn()) return {};
        return bestOf(candidates(Nearness::Far, true));
    }

private:
    enum class Nearness { Near, Far };

    /// Sentences of the built-in task that it learned, all words but one being the same: these make sense.
    std::vector<Candidate> ofItsTask() const {
        std::vector<Candidate> all;
        const Task* const task = taskOf(m_model.training);
        if (!task || !goesOn()) return all;
        const bool isText = config().corpusKind() == CorpusKind::Text;
        const auto own = wordsIn(m_sentence);
        const CorpusSplits& splits = task->corpus();
        std::set<std::string> known{m_sentence};
        for (const Corpus* part : {&splits.test, &splits.validation, &splits.train})
            for (const SentencePair& pair : *part) {
                const std::string& text = isText ? pair.target : pair.source;
                if (differsInOne(own, text) && known.insert(text).second) all.push_back({text, 0});
            }
        if (all.size() > m_mostTried) all.resize(m_mostTried);
        return all;
    }

    bool differsInOne(const std::vector<std::pair<size_t, size_t>>& own, const std::string& text) const {
        const auto its = wordsIn(text);
        int others = 0;
        for (size_t i = 0; i < own.size() && its.size() == own.size() && others < 2; ++i)
            others += m_sentence.compare(own[i].first, own[i].second, text, its[i].first, its[i].second) != 0;
        return others == 1;
    }

    const ModelConfig& config() const { return m_model.network->config(); }
    bool goesOn() const { return !m_wanted || m_wanted(); }
    /// It says by itself which words it expects in a place.
    bool asksItself() const { return config().continuesTexts() || config().masked(); }

    /// The nth word that is written so is the nth token that says so.
    void findPlaces() {
        const auto lower = [&](std::string_view word) { return lowercased(word); };
        std::map<int, size_t> from;
        for (const auto& [begin, size] : wordsIn(m_sentence)) {
            const std::string word = lower(std::string_view(m_sentence).substr(begin, size));
            for (size_t at = 0; at < m_prompt.source.size(); ++at) {
                const int id = m_prompt.source[at];
                const std::string& text = m_pieces[static_cast<size_t>(id)];
                if (text.empty() || at < from[id] || lower(text) != word) continue;
                m_places.push_back({id, begin, size, at});
                from[id] = at + 1;
                break;
            }
            if (m_places.size() == kMostPlaces) break;
        }
    }

    /// A word that may stand where `old` does: of the same sort, and read as one token there.
    std::optional<std::string> replaced(const Place& place, int id) const {
        const std::string& word = m_texts[static_cast<size_t>(id)];
        const std::string_view old = std::string_view(m_sentence).substr(place.begin, place.size);
        if (word.empty() || id == place.id || lowercased(word) == lowercased(old)) return {};
        if (hasLetter(word) != hasLetter(old) || beginsInCapital(word) != beginsInCapital(old)) return {};
        std::string text = m_sentence;
        text.replace(place.begin, place.size, word);
        const std::vector<int> read = m_model.source->encode(text);
        if (read.size() != m_ids.size()) return {};
        int others = 0;
        for (size_t i = 0; i < read.size(); ++i)
            if (read[i] != m_ids[i]) others += read[i] == id ? 1 : 2;
        return others == 1 ? std::optional(text) : std::nullopt;
    }

    /// How much a token belongs in a place; one number for each of the vocabulary.
    std::vector<double> expected(const Place& place) const {
        Prompt prompt = m_prompt;
        size_t row = place.inPrompt;
        if (config().masked())
            prompt.source[row] = config().mask();
        else
            prompt.source.resize(row--);  // a language model says what follows
        const std::vector<float> logits = logitsOf(m_model, prompt);
        const size_t width = logits.size() / prompt.source.size();
        return {logits.begin() + static_cast<std::ptrdiff_t>(row * width),
                logits.begin() + static_cast<std::ptrdiff_t>((row + 1) * width)};
    }

    /// Vocabularies begin with what is frequent: so often are nouns where a noun stood, and articles where an article.
    static bool isAsFrequent(int id, int other) {
        constexpr double kSpecials = 8, kTimes = 4;
        const double times = (id + kSpecials) / (other + kSpecials);
        return times < kTimes && times > 1 / kTimes;
    }

    std::vector<double> closeness(const Place& place) const {
        const ParameterSet& parameters = std::as_const(*m_model.network).parameters();
        for (size_t i = 0; i < parameters.entries().size(); ++i) {
            if (wordsOf(m_model, parameters.entries()[i]) == m_model.source.get())
                return cosinesWith(parameters.value(static_cast<ParameterId>(i)), place.id);
        }
        return std::vector<double>(m_texts.size());
    }

    /// Is it a word like “the”, of a translator of whole languages? A model that says itself what it expects needs no
    /// such rule.
    bool isCommon(const Place& place) const {
        const int words = m_model.source->vocabulary().size();
        return !asksItself() && words > kWholeLanguage && place.id < words / kCommonest;
    }

    /// `common`: of those places, or of one that a model expects nothing in; else of the others.
    std::vector<Candidate> candidates(Nearness nearness, bool common) const {
        std::vector<Candidate> all;
        for (const Place& place : m_places) {
            if (!goesOn()) return {};
            // The first word of a text is expected by nothing.
            const bool asks = asksItself() && (config().masked() || place.inPrompt > 0);
            const bool comesLast = asksItself() ? !asks : isCommon(place);
            if (nearness == Nearness::Near && comesLast != common) continue;
            std::vector<double> likely = asks ? expected(place) : closeness(place);
            likely.resize(m_texts.size(), -std::numeric_limits<double>::infinity());
            if (nearness == Nearness::Far)
                for (double& each : likely)
                    each = -each;
            std::vector<int> order;
            for (size_t id = 0; id < likely.size(); ++id)
                if (!m_texts[id].empty() && (asks || isAsFrequent(static_cast<int>(id), place.id)))
                    order.push_back(static_cast<int>(id));
            // Many of them are refused: pieces of words, other sorts of words.
            const size_t looked = std::min(order.size(), 20 * kEachPlace);
            std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(looked), [&](int a, int b) {
                const double x = likely[static_cast<size_t>(a)], y = likely[static_cast<size_t>(b)];
                return x > y || (x == y && a < b);
            });
            const double most = order.empty() ? 0 : likely[static_cast<size_t>(order.front())];
            // Where a sentence has few such places, each is tried with more.
            const size_t places = static_cast<size_t>(std::ranges::count_if(
                m_places, [&](const Place& other) { return nearness == Nearness::Far || isCommon(other) == common; }));
            const size_t each = asks ? kEachPlace : std::max(kEachPlace, m_mostTried / std::max<size_t>(1, places));
            size_t taken = 0;
            for (size_t i = 0; i < looked && taken < each; ++i)
                if (std::optional<std::string> text = replaced(place, order[i])) {
                    // Logits of different places compare by what the likeliest has there; cosines as they are.
                    const std::string& word = m_texts[static_cast<size_t>(order[i])];
                    all.push_back({std::move(*text), likely[static_cast<size_t>(order[i])] - (asks ? most : 0), word,
                                   hasSameEnding(word, std::string_view(m_sentence).substr(place.begin, place.size))});
                    ++taken;
                }
        }
        std::ranges::stable_sort(all, std::greater<>(), &Candidate::likely);
        if (all.size() > m_mostTried) all.resize(m_mostTried);
        return all;
    }

    /// Where each token of the sentence stands in it, as [begin, size]; of size 0 where it is not written so.
    std::vector<std::pair<size_t, size_t>> spans() const {
        std::vector<std::pair<size_t, size_t>> all;
        size_t from = 0;
        for (const Piece& piece : m_model.source->pieces(m_ids)) {
            const size_t at = m_sentence.find(piece.text, from);
            all.emplace_back(at == std::string::npos ? std::pair(from, size_t{0}) : std::pair(at, piece.text.size()));
            if (at != std::string::npos) from = at + piece.text.size();
        }
        return all;
    }

    /// Of a text without a word that is one token, or where no other suits: the likeliest other piece in each place.
    std::vector<Candidate> pieces() const {
        std::vector<Candidate> all;
        const auto spans = this->spans();
        const auto from = std::search(m_prompt.source.begin(), m_prompt.source.end(), m_ids.begin(), m_ids.end()) -
                          m_prompt.source.begin();
        for (size_t at = 0; at < std::min(m_ids.size(), kMostPlaces) && goesOn(); ++at) {
            // A gap that is filled asks nothing any more.
            if (spans[at].second == 0 || m_model.source->isSpecial(m_ids[at])) continue;
            const size_t inPrompt = static_cast<size_t>(from) + at;
            const bool asks = asksItself() && inPrompt < m_prompt.source.size() && (config().masked() || inPrompt > 0);
            const Place place{.id = m_ids[at], .inPrompt = inPrompt};
            std::vector<double> likely = asks ? expected(place) : closeness(place);
            std::vector<std::pair<double, int>> here;
            for (size_t id = 0; id < std::min(likely.size(), m_pieces.size()); ++id)
                if (!m_pieces[id].empty() && static_cast<int>(id) != m_ids[at])
                    here.emplace_back(likely[id], static_cast<int>(id));
            const size_t most = std::min(here.size(), kEachPlace);
            std::ranges::partial_sort(here, here.begin() + static_cast<std::ptrdiff_t>(most), std::greater<>());
            here.resize(most);
            for (const auto& [close, id] : here) {
                std::vector<int> ids = m_ids;
                ids[at] = id;
                std::string text = m_sentence;
                text.replace(spans[at].first, spans[at].second, m_model.source->pieces(ids)[at].text);
                if (m_model.source->encode(text) == ids) all.push_back({std::move(text), close});
            }
        }
        std::ranges::stable_sort(all, std::greater<>(), &Candidate::likely);
        if (all.size() > m_mostTried) all.resize(m_mostTried);
        return all;
    }

    std::optional<std::string> bestOf(std::vector<Candidate> all) {
        if (all.size() + m_tried > m_mostTried) all.resize(m_mostTried - m_tried);
        m_tried += all.size();
        if (all.empty() || !goesOn()) return {};
        const std::vector<Answer> answers = answersTo(all);
        if (answers.size() != all.size() + 1) return {};
        // A sentence that makes sense is answered with confidence, and one word changes little else.
        std::vector<std::pair<double, size_t>> order;
        for (size_t i = 0; i < all.size(); ++i) {
            const Answer &before = answers.front(), &now = answers[i + 1];
            if (now.text == before.text || isCopied(all[i].text, now.text, before.text)) continue;
            const double sense = asksItself() ? all[i].likely : now.confidence;
            const double ending = asksItself() || all[i].endsAlike ? 0 : kEndingCosts;
            order.emplace_back(kDistanceCosts * distance(before.text, now.text) + ending - sense, i);
        }
        std::ranges::sort(order);
        leaveOutForeign(all, answers.front().text, order);
        if (order.size() > kMostCompared) order.resize(kMostCompared);
        for (const auto& [cost, i] : order)
            if (goesOn() && isFarEnough(all[i].text)) return all[i].text;
        return {};
    }

    /// One vocabulary may hold the words of both languages: what is translated into itself is one of the other.
    void leaveOutForeign(const std::vector<Candidate>& all, const std::string& before,
                         std::vector<std::pair<double, size_t>>& order) const {
        if (!config().encoderDecoder() || order.empty()) return;
        if (order.size() > kMostForeign) order.resize(kMostForeign);
        std::vector<std::string> words;
        words.reserve(order.size());
        for (const auto& [cost, i] : order)
            words.push_back(all[i].word.empty() ? all[i].text : all[i].word);
        const std::vector<Translation> alone = translate(m_model, words, ownBeam(m_model));
        std::vector<std::pair<double, size_t>> kept;
        for (size_t at = 0; at < order.size(); ++at) {
            const std::string& word = all[order[at].second].word;
            if (word.empty() || !hasWord(alone[at].best().text, word) || hasWord(before, word))
                kept.push_back(order[at]);
        }
        if (!kept.empty()) order = std::move(kept);
    }

    static bool hasWord(const std::string& text, const std::string& word) {
        return std::ranges::any_of(wordsIn(text), [&](const auto& at) {
            return lowercased(std::string_view(text).substr(at.first, at.second)) == lowercased(word);
        });
    }

    struct Answer {
        std::string text;
        double confidence = 0;  ///< the mean log-probability of its words
    };
    /// Of the sentence itself, and of each candidate: what is written, or what is said at the place that answers.
    std::vector<Answer> answersTo(const std::vector<Candidate>& all) const {
        std::vector<Answer> answers;
        if (config().encoderDecoder()) {
            std::vector<std::string> texts{m_sentence};
            for (const Candidate& each : all)
                texts.push_back(each.text);
            for (const Translation& each : translate(m_model, texts, ownBeam(m_model))) {
                const auto tokens = static_cast<double>(each.best().tokens.size());
                answers.push_back({each.best().text, each.best().logProb / std::max(1.0, tokens)});
            }
            return answers;
        }
        answers.push_back(answer(m_prompt));
        for (const Candidate& each : all) {
            if (!goesOn()) break;
            Prompt prompt = m_prompt;
            // What stands around the text stays as it is; a text with masks in it is read anew.
            const auto from = std::search(prompt.source.begin(), prompt.source.end(), m_ids.begin(), m_ids.end());
            if (m_ids.empty() || from == prompt.source.end())
                prompt = Prompt::of(traceSentence(m_model, each.text));
            else
                std::ranges::copy(m_model.source->encode(each.text), from);
            answers.push_back(answer(prompt));
        }
        return answers;
    }

    Answer answer(const Prompt& prompt) const {
        const std::vector<float> logits = logitsOf(m_model, prompt);
        const bool labels = config().corpusKind() == CorpusKind::Labels;
        const size_t width = labels ? logits.size() : logits.size() / prompt.source.size();
        const auto row = static_cast<size_t>(answerRow(m_model, prompt));
        const std::span<const float> here = std::span(logits).subspan(row * width, width);
        const int said = headlight::likeliest(here);
        double sum = 0;
        for (const float logit : here)
            sum += std::exp(static_cast<double>(logit) - static_cast<double>(here[static_cast<size_t>(said)]));
        return {std::to_string(said), -std::log(sum)};
    }

    /// How many words of one are not in the other, over all; a word in the place of another counts once, one that comes
    /// or goes besides twice.
    static double distance(const std::string& a, const std::string& b) {
        std::map<std::string, int> counts;
        int words = 0, come = 0, gone = 0;
        const auto each = [](const std::string& text, const auto& act) {
            for (const auto& [begin, size] : wordsIn(text))
                act(text.substr(begin, size));
        };
        each(a, [&](const std::string& word) { ++counts[word]; });
        each(b, [&](const std::string& word) {
            ++words;
            come += --counts[word] < 0;
        });
        for (const auto& [word, left] : counts)
            gone += std::max(0, left);
        return static_cast<double>(std::max(come, gone) + std::abs(come - gone)) / std::max(1, words);
    }

    /// A word of the other language, or of none, is handed on as it is: that is no translation of another word.
    bool isCopied(const std::string& text, const std::string& its, const std::string& before) const {
        if (!config().encoderDecoder()) return false;
        const auto has = [](const std::string& all, const std::string& word) {
            return std::ranges::any_of(wordsIn(all),
                                       [&](const auto& at) { return all.compare(at.first, at.second, word) == 0; });
        };
        const auto now = wordsIn(text), then = wordsIn(m_sentence);
        for (size_t i = 0; i < std::min(now.size(), then.size()); ++i) {
            const std::string word = text.substr(now[i].first, now[i].second),
                              old = m_sentence.substr(then[i].first, then[i].second);
            if (word != old) return has(its, word) && !has(before, old);
        }
        return false;
    }

    /// So that pieces of the one can move the answer of the other.
    bool isFarEnough(const std::string& text) const {
        try {
            const Patching patching(m_model, m_sentence, text);
            return patching.share(patching.differenceOfB()).has_value();
        } catch (const AnsweredAlike&) {
            return false;
        }
    }

    const TrainedModel& m_model;
    const std::string& m_sentence;
    const std::function<bool()>& m_wanted;
    std::vector<int> m_ids;  ///< of the text alone
    Prompt m_prompt;
    std::shared_ptr<const TokenTexts> m_known;
    const std::vector<std::string>& m_texts = m_known->words;
    const std::vector<std::string>& m_pieces = m_known->pieces;
    std::vector<Place> m_places;
    size_t m_mostTried = 0, m_tried = 0;
};

}  // namespace

std::optional<std::string> oneWordOff(const TrainedModel& model, const std::string& sentence,
                                      const std::function<bool()>& wanted) {
    return Search(model, sentence, wanted).best();
}

}  // namespace headlight
