// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decode/beam_search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <string_view>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/models/seq2seq.h"
#include "core/number_text.h"
#include "core/platform/worker_pool.h"
#include "core/tensor/blas.h"
#include "core/tensor/kernels.h"
#include "core/tensor/packed_weights.h"

namespace headlight {

namespace {

constexpr int rowsInBatch = 64;  ///< hypotheses that are extended by one product

/// One of the K that go on.
struct Live {
    int row = 0;    ///< of the decoder's state
    int node = -1;  ///< in the tree
    Hypothesis text;
};

/// A word behind a live hypothesis.
struct Continuation {
    size_t parent = 0;  ///< among the live ones
    int token = 0;
    double logProb = 0;
    double cumulative = 0;
};

/// The best `count` continuations, best first. Of equals the one that came first.
class BestFew {
public:
    explicit BestFew(size_t count) : m_count(count) { m_best.reserve(count + 1); }

    /// What a continuation must surpass to be among them. None without a probability does.
    double bar() const {
        return m_best.size() == m_count ? m_best.back().cumulative : -std::numeric_limits<double>::infinity();
    }
    /// One that surpasses bar().
    void add(const Continuation& next) {
        const auto at = std::upper_bound(m_best.begin(), m_best.end(), next,
                                         [](const auto& a, const auto& b) { return a.cumulative > b.cumulative; });
        m_best.insert(at, next);
        if (m_best.size() > m_count) m_best.pop_back();
    }
    const std::vector<Continuation>& best() const { return m_best; }

private:
    size_t m_count;
    std::vector<Continuation> m_best;
};

/// What the words of a step are worth, all rows: their log-probabilities are worked out where they are asked for, which
/// of most words nobody does.
class StepWords {
public:
    /// The largest logit of so many words is looked at before they are.
    static constexpr int block = 64;

    explicit StepWords(const Tensor<float>& logits)
        : m_logits(logits),
          m_blocks(static_cast<size_t>((logits.cols() + block - 1) / block)),
          m_logSums(static_cast<size_t>(logits.rows())),
          m_largest(m_logSums.size() * m_blocks) {
        for (int r = 0; r < logits.rows(); ++r) {
            RowSummary<float> summary;
            kernels<float>().rowSummary(logits.cols(), logits.row(r), &summary);
            m_logSums[static_cast<size_t>(r)] = summary.logSumExp;
            kernels<float>().blockMaxima(logits.cols(), block, logits.row(r),
                                         m_largest.data() + static_cast<size_t>(r) * m_blocks);
        }
    }
    int count() const { return m_logits.cols(); }
    double logProb(int row, int word) const { return below(row, m_logits.row(row)[word]); }
    /// None of the words from `first` on, a multiple of `block`, has more.
    double mostOfBlock(int row, int first) const {
        return below(row, m_largest[static_cast<size_t>(row) * m_blocks + static_cast<size_t>(first / block)]);
    }

private:
    double below(int row, float logit) const {
        return static_cast<double>(logit - m_logSums[static_cast<size_t>(row)]);
    }

    const Tensor<float>& m_logits;
    size_t m_blocks;
    std::vector<float> m_logSums, m_largest;
};

/// The search of one sentence, step by step: it is handed the words' log-probabilities, and says what goes on.
class SentenceSearch {
public:
    SentenceSearch(const BeamOptions& options, const ModelConfig& config, int limit, int firstRow, SearchTree* tree)
        : m_options(options),
          m_config(config),
          m_limit(limit),
          m_firstRow(firstRow),
          m_tree(tree),
          m_live{{firstRow, -1, {}}} {}

    bool done() const { return m_done; }
    const std::vector<Live>& live() const { return m_live; }

    /// `words` of all sentences; `attention` of the step, where a tree is written.
    void advance(const StepWords& words, const std::vector<Tensor<float>>& attention) {
        const size_t step = m_live.front().text.tokens.size();
        const bool forced = step < m_options.prefix.size();
        const std::vector<Continuation> looked = bestContinuations(words);
        std::vector<Live> next;
        if (forced) {
            force(m_options.prefix[step], words, looked, attention, next);
        } else {
            for (size_t rank = 0; rank < looked.size(); ++rank)
                judge(looked[rank], rank, attention, next);
        }
        m_live = std::move(next);
        m_done = m_live.empty() || mayStop();
    }

    /// After a step each hypothesis has a row of its own, in their order, from `firstRow` on.
    void takeRows(int firstRow) {
        m_firstRow = firstRow;
        for (size_t i = 0; i < m_live.size(); ++i)
            m_live[i].row = m_firstRow + static_cast<int>(i);
    }

    /// Best score first, finished ones before those that the limit cut off.
    std::vector<Hypothesis> take() {
        const auto better = [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; };
        std::ranges::stable_sort(m_finished, better);
        std::vector<Hypothesis> cutOff;
        for (Live& live : m_live)
            cutOff.push_back(std::move(live.text));
        std::ranges::stable_sort(cutOff, better);
        for (Hypothesis& hypothesis : cutOff)
            m_finished.push_back(std::move(hypothesis));
        m_finished.resize(std::min(m_finished.size(), static_cast<size_t>(m_options.nBest)));
        return std::move(m_finished);
    }

private:
    bool mayStop() const {
        const size_t beam = static_cast<size_t>(m_options.beam);
        if (m_finished.size() < beam) return false;
        if (m_options.stop == StopRule::Full) return true;
        std::vector<double> scores;
        for (const Hypothesis& hypothesis : m_finished)
            scores.push_back(hypothesis.score);
        std::ranges::nth_element(scores, scores.begin() + (m_options.beam - 1), std::greater());
        // The first goes on from the likeliest continuation.
        const Hypothesis& best = m_live.front().text;
        const int length = m_options.stop == StopRule::Behind ? static_cast<int>(best.tokens.size()) : m_limit;
        return scores[beam - 1] >= m_options.lengthPenalty.score(best.logProb, length);
    }

    std::vector<Continuation> bestContinuations(const StepWords& words) const {
        BestFew few(2 * static_cast<size_t>(m_options.beam));
        for (size_t parent = 0; parent < m_live.size(); ++parent) {
            const int row = m_live[parent].row;
            const double before = m_live[parent].text.logProb;
            // What is no number (a model whose training failed) stays, in both comparisons.
            for (int first = 0; first < words.count(); first += StepWords::block) {
                if (before + words.mostOfBlock(row, first) <= few.bar()) continue;
                const int behind = std::min(first + StepWords::block, words.count());
                for (int token = first; token < behind; ++token) {
                    const double logProb = words.logProb(row, token);
                    if (before + logProb <= few.bar()) continue;
                    few.add({parent, token, logProb, before + logProb});
                }
            }
        }
        return few.best();
    }

    void judge(const Continuation& continuation, size_t rank, const std::vector<Tensor<float>>& attention,
               std::vector<Live>& next) {
        const size_t beam = static_cast<size_t>(m_options.beam);
        SearchNode::State state = SearchNode::State::Pruned;
        if (m_config.ends(continuation.token)) {
            if (rank < beam) state = SearchNode::State::Finished;
        } else if (next.size() < beam) {
            state = SearchNode::State::Kept;
        }
        accept(continuation, state, attention, next);
    }

    /// The word that is set goes on, all others are excluded.
    void force(int word, const StepWords& words, std::vector<Continuation> looked,
               const std::vector<Tensor<float>>& attention, std::vector<Live>& next) {
        const auto isWord = [&](const Continuation& continuation) { return continuation.token == word; };
        if (std::ranges::none_of(looked, isWord)) {
            const double logProb = words.logProb(m_live[0].row, word);
            looked.back() = {0, word, logProb, m_live[0].text.logProb + logProb};
        }
        for (const Continuation& continuation : looked)
            accept(continuation, isWord(continuation) ? SearchNode::State::Kept : SearchNode::State::Excluded,
                   attention, next);
    }

    void accept(const Continuation& continuation, SearchNode::State state, const std::vector<Tensor<float>>& attention,
                std::vector<Live>& next) {
        const Live& parent = m_live[continuation.parent];
        const int length = static_cast<int>(parent.text.tokens.size()) + 1;
        const double score = m_options.lengthPenalty.score(continuation.cumulative, length);
        const int node = record(parent, continuation, state, score, attention);
        if (state == SearchNode::State::Pruned || state == SearchNode::State::Excluded) return;
        Hypothesis text = parent.text;
        text.tokens.push_back(continuation.token);
        text.tokenLogProbs.push_back(continuation.logProb);
        text.logProb = continuation.cumulative;
        text.score = score;
        text.finished = state == SearchNode::State::Finished;
        if (text.finished)
            m_finished.push_back(std::move(text));
        else
            next.push_back({parent.row, node, std::move(text)});
    }

    int record(const Live& parent, const Continuation& continuation, SearchNode::State state, double score,
               const std::vector<Tensor<float>>& attention) {
        if (!m_tree) return -1;
        SearchNode node{.parent = parent.node,
                        .step = static_cast<int>(parent.text.tokens.size()) + 1,
                        .token = continuation.token,
                        .logProb = continuation.logProb,
                        .cumulative = continuation.cumulative,
                        .score = score,
                        .state = state};
        for (const Tensor<float>& block : attention) {  // [1, heads, beams, source length]
            const int heads = block.shape.dim(1), keys = block.shape.dim(3);
            for (int head = 0; head < heads; ++head) {
                const size_t row = static_cast<size_t>(head) * static_cast<size_t>(block.shape.dim(2)) +
                                   static_cast<size_t>(parent.row - m_firstRow);
                const float* weights = block.data + row * static_cast<size_t>(keys);
                node.attention.insert(node.attention.end(), weights, weights + keys);
            }
            m_tree->heads = heads;
            m_tree->sourceLength = keys;
        }
        m_tree->attentionBlocks = static_cast<int>(attention.size());
        m_tree->steps = std::max(m_tree->steps, node.step);
        m_tree->nodes.push_back(std::move(node));
        return static_cast<int>(m_tree->nodes.size()) - 1;
    }

    const BeamOptions& m_options;
    const ModelConfig& m_config;
    int m_limit;  ///< tokens of a hypothesis at most
    int m_firstRow;
    SearchTree* m_tree;
    std::vector<Live> m_live;
    std::vector<Hypothesis> m_finished;
    bool m_done = false;
};

/// All rows of a step: which row each goes on from, and the word that it reads.
struct NextRows {
    std::vector<int> parents, words;

    NextRows(size_t rows, int bos) : parents(rows), words(rows, bos) {}

    /// So many rows a sentence now, and `beams` then. Those that no hypothesis needs go on from one that is there.
    void begin(int sentences, int beamsNow, int beams) {
        const int rows = sentences * beams;
        words.resize(static_cast<size_t>(rows), words.front());
        parents.resize(words.size());
        for (int row = 0; row < rows; ++row)
            parents[static_cast<size_t>(row)] = row / beams * beamsNow + std::min(row % beams, beamsNow - 1);
    }
    void set(const std::vector<Live>& live, int firstRow) {
        for (size_t i = 0; i < live.size(); ++i) {
            const size_t row = static_cast<size_t>(firstRow) + i;
            parents[row] = live[i].row;
            words[row] = live[i].text.tokens.back();
        }
    }
    /// Only these sentences go on, a rising list.
    void keep(const std::vector<int>& going, int beams) {
        const auto each = static_cast<std::ptrdiff_t>(beams);
        auto to = words.begin();
        for (const int sentence : going)
            to = std::copy_n(words.begin() + sentence * each, each, to);
        words.resize(static_cast<size_t>(to - words.begin()));
        parents.resize(words.size());
    }
};

/// Words that are never written have no probability, and the others share theirs.
void forbid(const std::vector<int>& words, const Tensor<float>& logits) {
    for (int r = 0; r < logits.rows(); ++r)
        for (const int word : words)
            logits.at(r, word) = -std::numeric_limits<float>::infinity();
}

/// Where the model itself sets the first word, that word costs nothing: no other is possible.
void leaveOnly(int word, const Tensor<float>& logits) {
    for (int r = 0; r < logits.rows(); ++r)
        for (int other = 0; other < logits.cols(); ++other)
            if (other != word) logits.at(r, other) = -std::numeric_limits<float>::infinity();
}

/// Memory that one batch after another computes in, as many pieces as there are batches at a time.
class Arenas {
public:
    /// One that is empty, the caller's until give().
    std::unique_ptr<Arena> take() {
        const std::lock_guard lock(m_mutex);
        if (m_free.empty()) return std::make_unique<Arena>();
        std::unique_ptr<Arena> arena = std::move(m_free.back());
        m_free.pop_back();
        return arena;
    }
    void give(std::unique_ptr<Arena> arena) {
        arena->reset();
        const std::lock_guard lock(m_mutex);
        m_free.push_back(std::move(arena));
    }

private:
    std::mutex m_mutex;
    std::vector<std::unique_ptr<Arena>> m_free;
};

std::vector<std::vector<Hypothesis>> searchBatch(const Seq2Seq& model, std::span<const std::vector<int>> sources,
                                                 const BeamOptions& options, Arena& arena, PackedWeights* packed,
                                                 SearchTree* tree) {
    const ModelConfig& config = model.config();
    const bool othersAreSet = !options.prefix.empty() && options.prefix.front() != config.forcedFirstId;
    const bool isForced = config.forcedFirstId >= 0 && !othersAreSet;
    const int limit = options.maxLength > 0 ? std::min(options.maxLength, config.maxLength) : config.maxLength;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    tape.readWeightsFrom(packed);
    ForwardContext context(tape, model.parameters());
    context.mutedHeads = options.mutedHeads;
    context.interventions = options.interventions;
    const TokenBatch source = TokenBatch::pad(sources, config.padId);
    const auto state = model.beginDecoding(context, source, options.beam, limit);

    std::vector<SentenceSearch> searches;
    searches.reserve(sources.size());
    for (int i = 0; i < source.batch; ++i)
        searches.emplace_back(options, config, limit, i, tree);
    std::vector<SentenceSearch*> going;  ///< those that are not done, in the order of their rows
    going.reserve(searches.size());
    for (SentenceSearch& search : searches)
        going.push_back(&search);
    NextRows rows(sources.size(), config.decoderStart());
    const Arena::Mark afterEncoder = arena.mark();
    for (int step = 0; step < limit; ++step) {
        const Tensor<float> logits = model.decodeStep(context, rows.words, *state);
        forbid(config.forbiddenIds, logits);
        if (step == 0 && isForced) leaveOnly(config.forcedFirstId, logits);
        const StepWords words(logits);
        rows.begin(state->sentences, state->beams, options.beam);
        std::vector<int> kept;
        for (size_t i = 0; i < going.size(); ++i) {
            const int firstRow = static_cast<int>(i) * options.beam;
            going[i]->advance(words, state->attention);
            rows.set(going[i]->live(), firstRow);
            going[i]->takeRows(firstRow);
            if (!going[i]->done()) kept.push_back(static_cast<int>(i));
        }
        arena.rewind(afterEncoder);
        if (kept.empty()) break;
        if (options.beam > 1) state->select(rows.parents);
        if (kept.size() < going.size()) {
            state->keep(kept);
            rows.keep(kept, options.beam);
            for (size_t i = 0; i < kept.size(); ++i) {
                going[i] = going[static_cast<size_t>(kept[i])];
                going[i]->takeRows(static_cast<int>(i) * options.beam);
            }
            going.resize(kept.size());
        }
    }
    std::vector<std::vector<Hypothesis>> result;
    result.reserve(searches.size());
    for (SentenceSearch& search : searches)
        result.push_back(search.take());
    return result;
}

void checkLengths(const Seq2Seq& model, std::span<const std::vector<int>> sources) {
    const size_t limit = static_cast<size_t>(model.config().maxLength);
    for (const std::vector<int>& source : sources) {
        if (source.empty()) throw Error("the sentence has no words: give at least one");
        if (source.size() > limit)
            throw Error("the sentence has " + std::to_string(source.size()) + " tokens, and this model reads at most " +
                        std::to_string(limit) + " (max_length): shorten it, or train a model with a larger max_length");
    }
}

/// The kinds that have an exponent, as they are written.
constexpr std::pair<LengthPenalty::Kind, std::string_view> withAlpha[] = {{LengthPenalty::Kind::Gnmt, "gnmt:"},
                                                                          {LengthPenalty::Kind::Power, "power:"}};

}  // namespace

double LengthPenalty::score(double logProb, int length) const {
    switch (kind) {
        case Kind::None:
            return logProb;
        case Kind::Average:
            return logProb / length;
        case Kind::Gnmt:
            return logProb / std::pow((5.0 + length) / 6.0, alpha);
        case Kind::Power:
            return logProb / std::pow(length, alpha);
    }
    return logProb;
}

LengthPenalty LengthPenalty::parse(const std::string& text) {
    if (text == "none") return {Kind::None};
    if (text == "average") return {Kind::Average};
    for (const auto& [kind, prefix] : withAlpha) {
        if (!text.starts_with(prefix)) continue;
        const auto alpha = readNumber(std::string_view(text).substr(prefix.size()));
        if (alpha && *alpha >= 0 && std::isfinite(*alpha)) return {kind, *alpha};
    }
    throw Error("there is no length penalty \"" + text +
                "\": use none, average, gnmt:ALPHA or power:ALPHA, as gnmt:0.6");
}

std::string LengthPenalty::text() const {
    for (const auto& [of, prefix] : withAlpha)
        if (kind == of) return std::string(prefix) + shortestNumber(alpha);
    return kind == Kind::None ? "none" : "average";
}

StopRule parseStopRule(const std::string& text) {
    if (text == "full") return StopRule::Full;
    if (text == "behind") return StopRule::Behind;
    if (text == "hopeless") return StopRule::Hopeless;
    throw Error("there is no rule \"" + text + "\" by which a search stops: use full, behind or hopeless");
}

void BeamOptions::validate() const {
    if (beam < 1 || beam > 1000) throw Error("beam must be between 1 and 1000");
    if (nBest < 1 || nBest > beam)
        throw Error("n-best " + std::to_string(nBest) + " must be between 1 and the beam, " + std::to_string(beam));
}

std::vector<std::vector<Hypothesis>> beamSearch(const Seq2Seq& model, std::span<const std::vector<int>> sources,
                                                const BeamOptions& options) {
    options.validate();
    checkLengths(model, sources);
    // Sentences of like length go together, so that little is padding.
    std::vector<size_t> order(sources.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return sources[a].size() < sources[b].size(); });
    const size_t batchSize =
        tellRows(options.interventions) ? 1 : static_cast<size_t>(std::max(1, rowsInBatch / options.beam));
    const size_t batches = (order.size() + batchSize - 1) / batchSize;

    std::vector<std::vector<Hypothesis>> result(sources.size());
    Arenas arenas;
    // Copying them takes as long as some twenty rows.
    constexpr size_t manyRows = 256;
    PackedWeights packed;
    const bool pays = batchSize > 1 && sources.size() * static_cast<size_t>(options.beam) >= manyRows &&
                      model.parameters().flatSize() <= PackedWeights::most;
    PackedWeights* const copies = pays ? &packed : nullptr;
    const auto search = [&](size_t index) {
        const std::span<const size_t> part =
            std::span(order).subspan(index * batchSize, std::min(batchSize, order.size() - index * batchSize));
        std::vector<std::vector<int>> batch;
        for (size_t i : part)
            batch.push_back(sources[i]);
        std::unique_ptr<Arena> arena = arenas.take();
        std::vector<std::vector<Hypothesis>> found = searchBatch(model, batch, options, *arena, copies, nullptr);
        arenas.give(std::move(arena));
        for (size_t i = 0; i < part.size(); ++i)
            result[part[i]] = std::move(found[i]);
    };
    const int wanted = options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
    const int threads =
        std::clamp(wanted, 1, static_cast<int>(std::clamp<size_t>(batches, 1, WorkerPool::mostThreads)));
    if (threads == 1) {
        for (size_t i = 0; i < batches; ++i)
            search(i);
        return result;
    }
    blas::useOneThread();
    blas::reserve(threads);
    WorkerPool(threads).run(static_cast<int>(batches), [&](int i) { search(static_cast<size_t>(i)); });
    return result;
}

RecordedSearch recordBeamSearch(const Seq2Seq& model, const std::vector<int>& source, const BeamOptions& options) {
    options.validate();
    checkLengths(model, std::span(&source, 1));
    RecordedSearch result;
    Arena arena;
    result.hypotheses = searchBatch(model, std::span(&source, 1), options, arena, nullptr, &result.tree).front();
    return result;
}

std::vector<Hypothesis> decodeGreedily(const Seq2Seq& model, std::span<const std::vector<int>> sources,
                                       const BeamOptions& options) {
    BeamOptions greedy = options;
    greedy.beam = greedy.nBest = 1;
    std::vector<Hypothesis> result;
    for (std::vector<Hypothesis>& best : beamSearch(model, sources, greedy))
        result.push_back(std::move(best.front()));
    return result;
}

}  // namespace headlight
