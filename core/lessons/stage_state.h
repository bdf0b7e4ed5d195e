// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace headlight {

/// The views, by the names that they bear in lessons, on the command line, in links and in documents (viewWords()).
enum class ViewName {
    Lessons,
    Architecture,
    Attention,
    QueryKeyValue,
    Masks,
    Positions,
    Recurrent,
    Cell,
    Residuals,
    FeedForward,
    Loss,
    Subwords,
    Values,
    Lens,
    Why,
    Surgery,
    Training,
    TrainingHeads,
    TrainingData,
    TrainingSettings,
    Weights,
    Sentences,
    Runs,
    Decode,
    Forcing,
    Bleu,
    Compare,
    Models,
    Cost,
    Embeddings,
};
inline constexpr std::array viewWords = {"lessons",   "architecture",   "attention",     "query-key-value",
                                         "masks",     "positions",      "recurrent",     "cell",
                                         "residuals", "feed-forward",   "loss",          "subwords",
                                         "values",    "lens",           "why",           "surgery",
                                         "training",  "training-heads", "training-data", "training-settings",
                                         "weights",   "sentences",      "runs",          "decode",
                                         "forcing",   "bleu",           "compare",       "models",
                                         "cost",      "embeddings"};

/// All that the stage shows, as a value: where the reader is, what is open, what is pointed at, what was changed by
/// hand, and each view's options. What a lesson's step, `--option k=v` and a `headlight:` link say are text forms of
/// it, and all three follow from visitFields(). Positions, heads, rows and columns count from 1, as a reader counts;
/// 0: none. A fresh StageState is a fresh stage.
struct StageState {
    struct Cell {
        int row = 0, column = 0;
        bool operator==(const Cell&) const = default;
        bool valid() const { return row > 0 && column > 0; }
    };
    enum class Grain { Layer, Sublayer, Operation };
    enum class Level { Model, Layer, Block, Operation };
    enum class Quantity { Weights, Scores, Rollout };
    enum class Picture { Lines, Heads, Text, Wall };
    enum class Pairs { All, FirstToSecond, SecondToFirst, WithinFirst, WithinSecond };
    enum class Order { Layer, Habit, Entropy, Distance, First, Importance };
    /// Any, and those of HeadHabit in their order.
    enum class Habit { Any, None, Previous, Next, Itself, SameWord, AfterSame, First, Punctuation, Alignment, Broad };
    enum class Matrices { Example, Model };
    enum class Masking { Add, Billion, Multiply, After };
    enum class Stack { Decoder, Encoder };
    enum class Table { Sinusoid, Model };
    enum class Waves { Curves, Hands };
    enum class LensRows { Sublayer, Layer };
    /// None: the picture alone. Of the view `forcing` the card that is brought into sight: Places, Runs.
    enum class Side { Auto, Alignment, Gradient, Length, None, Places, Runs };
    enum class Search { Own, Set };
    enum class Scoring { Gnmt, Average, None, Power };
    enum class River { Depth, Text };
    /// Of rows of units: as the weights store them, or the largest first.
    enum class Units { Stored, Sorted };
    enum class Activation { Own, Relu, Gelu };
    enum class With { Model, Heads, Positions, Sentence, Changes };
    enum class EmbeddingSide { Source, Target, Positions };
    using Texts = std::vector<std::string>;
    /// Texts that may hold anything but a line's end, by which they are joined.
    struct Lines : std::vector<std::string> {
        using std::vector<std::string>::vector;
    };

    ViewName view = ViewName::Attention;
    std::string lesson;  ///< its slug, where the stage stands beside one; its matrices by hand are in force then
    int page = 0;        ///< the step of that lesson
    /// The name of a shipped model, a file's path, or `run:STEP`, the run below after so many steps; empty: the one
    /// that is open.
    std::string model;
    std::string modelHash;  ///< of the file's bytes (SHA-256, 16 hexadecimal digits), so that it is found elsewhere
    std::string source;     ///< empty: the example of the model's task
    std::string target;     ///< what an encoder-decoder is made to write; empty: its own translation
    Texts mute;             ///< `decoder.layers.1.cross_attn.3`, head from 0 as the trace's axis
    /// Inputs that the reader keeps: a source, and behind a tab its target, where it has one; none: those that there
    /// are stay.
    Lines kept;
    bool isBare = false;  ///< pictures alone: no rail, no sentence, no options of a view

    std::string focus;  ///< a traced value, or of a worked example the matrix
    std::string block;  ///< an attention block of the trace; empty: the one of the focus
    int head = 1;
    Cell cell;
    int step = 0;  ///< of the timeline, or of the unrolled network where that is the view; 0: all is computed
    Grain grain = Grain::Operation;
    bool animate = false;

    Level level = Level::Block;
    bool histogram = false;  ///< of the value, in place of its numbers
    Quantity quantity = Quantity::Weights;
    Picture picture = Picture::Lines;
    Order order = Order::Layer;         ///< of the heads on the wall
    Habit habit = Habit::Any;           ///< of those that are shown
    int firstLayer = 1, lastLayer = 0;  ///< on the wall; 0: the last that there is
    double least = 0.5;                 ///< weight from which on a head looks at a word

    Texts overlaid;  ///< heads of the block that are laid over `head`, counted from 1
    int top = 100;   ///< per cent of what each word gives that its lines show, the strongest first
    bool withoutSpecials = false, withoutFirst = false;  ///< special tokens, the first word: taken out
    Pairs pairs = Pairs::All;                            ///< of two sentences: which may be seen looking at which
    double zoom = 0;  ///< of the matrix, 1: all of it fits; 0: its cells are never too small to be read

    bool kinds = false;       ///< the four kinds of score side by side
    bool angle = false;       ///< the chosen score as an angle between its query and its key
    bool batch = false;       ///< a block's numbers in a batch of two sentences, cut into heads
    std::string batchSecond;  ///< the other sentence there; empty: the beginning of the first
    bool apart = false;       ///< each matrix on a card of its own, in the place of one equation
    Matrices matrices = Matrices::Example;
    bool scaled = true;
    double sharpness = 1;  ///< the temperature that scores are divided by before their softmax
    Texts numbers;         ///< changed by hand: `Q[1,2]=0.5`

    Masking masking = Masking::Add;
    Stack stack = Stack::Decoder;
    int padding = 1;     ///< pads behind the sentence
    std::string second;  ///< the other sentence of the batch; empty: the beginning of the first; `none`: there is none
    int sentence = 1;    ///< of the batch
    Texts cells;         ///< of the mask, turned over by hand: `1,3`

    Table table = Table::Sinusoid;
    int length = 40, width = 64;
    double base = 10000;
    int word = 2;      ///< whose embedding meets its position
    int shuffles = 0;  ///< how often the words were shuffled
    Waves waves = Waves::Curves;
    int offset = 3;  ///< by which the hands are turned on

    LensRows lensRows = LensRows::Sublayer;
    Cell lensCell;  ///< its row counts every sublayer, the embedding being 1; its column is the position

    int whyRow = 0;                   ///< of what is written; 0: where the model came closest to writing something else
    std::string whyWord, whyAgainst;  ///< empty: the likeliest, and the likeliest of the others
    /// The bars that are opened, one in each column, from 1: `6`, or `6s` for the score behind a weight; none: the
    /// largest reading; `0`: no bar.
    Texts whyOpened;
    /// The difference of two logits, or what each word that was read has to do with the one that is written: the
    /// method whose matrix is shown, AttributionMethod's in their order.
    enum class WhyMethod { Difference, Gradient, Integrated, Occlusion, Attention, Values };
    WhyMethod whyMethod = WhyMethod::Difference;

    enum class Pieces { State, Sublayer, Head };
    /// The sentence that pieces are taken from; empty: the one that is read, where it is read otherwise, or one like
    /// it.
    std::string surgeryOther;
    Texts surgeryWithout;       ///< heads that are off where it is read, as `mute`
    std::string surgeryReader;  ///< the model that reads it, as `against`; empty: the open one
    Pieces surgeryPieces = Pieces::State;
    /// Pieces that stand in the reading: `state:2:4`, the kind, its depth and the word, from 1; with a minus in front
    /// those that are switched off.
    Texts surgeryEdits;

    int layer = 1;  ///< of the recurrent network; those that read from last to first are counted behind the others
    Side side = Side::Auto;
    Texts measured;  ///< models of which it is measured how they fare as sentences grow

    int cellUnit = 1;  ///< the unit that is followed through the recurrent cell
    int cellWord = 0;  ///< the word at which; 0: the last
    Units cellUnits = Units::Stored;
    double recurrentGain = 1;  ///< by which its recurrent weights are multiplied where its gradient is followed

    Stack residualStack = Stack::Decoder;
    int residualDepth = 1;   ///< the sublayer of that stack, from the first
    int residualWord = 1;    ///< whose row is added and normalised
    int residualNumber = 1;  ///< of the row, that is followed

    Stack unitStack = Stack::Decoder;  ///< whose feed-forward network is looked at
    int unitLayer = 1, unitWord = 1, unit = 1;
    Units unitOrder = Units::Stored;
    Activation activation = Activation::Own;  ///< that the sums of the units are drawn with
    bool unitMuted = false;                   ///< the chosen unit's, in the probabilities beside it

    int lossWord = 1;        ///< the target's word that is opened
    double smoothing = 0.1;  ///< ε of label smoothing
    int descended = 0;       ///< steps that the opened word's logits have gone down their gradient

    std::string corpus = "small";  ///< that merges are learnt of: it, a task's name, or a file's path
    int merges = 0;                ///< that are done
    int mergesLearned = 0;         ///< at most; 0: as many as suits the text
    std::string cut;               ///< words that are cut with them, a space between two; empty: the corpus' own
    std::string ownText;           ///< in the place of the small corpus

    int forcedWord = 1;  ///< that is looked at of the two ways of decoding
    Texts truth;         ///< places, from 1, at which the free one is handed the truth

    int testSentence = 0;  ///< of the task's test set, from 1; 0: the one that is read
    int ngram = 4;         ///< the longest that counts
    Lines references;      ///< besides the task's own

    /// The search that the model brings along, where it does; or what follows. Naming one of these means them.
    Search search = Search::Own;
    int beam = 2;
    Scoring scoring = Scoring::Average;  ///< as everywhere else; GNMT's where only its α is named
    double penalty = 0.7;                ///< α of the length penalty
    int maxLength = 20;
    std::string fixed;           ///< words that the search must begin with, a space between them
    bool deadEndsShown = false;  ///< each in a row of its own, not folded into "+5"
    bool nextWord = false;       ///< of a translator, in the place of its search
    River river = River::Depth;
    double temperature = 1;  ///< of the next word
    int topK = 0;            ///< 0: all
    double topP = 1;

    With with = With::Model;
    std::string against;      ///< the other model: a shipped one's name or a file's path
    std::string againstHash;  ///< of its bytes, as modelHash
    Texts without;            ///< heads that the other side lacks
    std::string beside;       ///< the sentence that the other side reads
    /// Values that the other side has otherwise, as HandChange writes them:
    /// `encoder.layers.0.self_attn.weights[1,3,2]=0`.
    Texts changes;

    std::string task = "vi-en";
    int seed = 42;
    Texts settings;      ///< of the run, where they are not as at first: `d_model=32`
    int train = 0;       ///< the step at which the run rests; 0: it is not trained
    int frame = 0;       ///< of the film, by its step; 0: the newest
    std::string film;    ///< the head of the run that it shows, as one of `mute`; empty: the first of the last block
    std::string learnt;  ///< what is dated: `role` of that head, or a word of what is written, from 1; empty: nothing

    EmbeddingSide embedding = EmbeddingSide::Source;
    std::string nearest;  ///< the word whose neighbours are listed
    int costWords = 50, costWidth = 512, costKernel = 3;
    bool costDilated = true;  ///< the convolution whose way is drawn
    enum class CostModel { Open, Lstm };
    CostModel costModel = CostModel::Open;  ///< whose parameters are counted
    int costSource = 16055, costTarget = 36256, costEmbedding = 200, costHidden = 256, costBiases = 1;  ///< of the LSTM

    bool operator==(const StageState&) const = default;
};

/// What is true of a field besides its name and its words.
struct StageField {
    enum class Lives {
        On,      ///< a step of a lesson that does not name it shows what the step before did
        OneStep  ///< it holds for the step that names it
    };
    enum class By {
        Moving,  ///< where the reader is, what is pointed at
        Editing  ///< what a reader changes and may want back: undone and redone
    };
    const char* name;
    By by = By::Moving;
    Lives lives = Lives::On;
    int least = 0, most = 999999;  ///< of a whole number
};

/// Calls visit(field, member) for every field, or visit(field, member, words) where only these words are allowed: an
/// enum's words stand in the order of its values, a truth's are that of false and that of true.
template <class State, class Visit>
requires std::is_same_v<std::remove_const_t<State>, StageState>
void visitFields(State& s, Visit&& visit) {
    using By = StageField::By;
    using Lives = StageField::Lives;
    using Words = std::initializer_list<const char*>;
    const Words offOn = {"off", "on"};
    visit(StageField{"view"}, s.view, viewWords);
    visit(StageField{"lesson"}, s.lesson);
    visit(StageField{"page"}, s.page);
    visit(StageField{"model"}, s.model);
    visit(StageField{"model_hash"}, s.modelHash);
    visit(StageField{"source", By::Editing}, s.source);
    visit(StageField{"target", By::Editing}, s.target);
    visit(StageField{"mute", By::Editing}, s.mute);
    visit(StageField{"kept"}, s.kept);
    const Words taken = {"shown", "hidden"};
    visit(StageField{"controls"}, s.isBare, taken);
    visit(StageField{"focus"}, s.focus);
    visit(StageField{"block"}, s.block);
    visit(StageField{"head", By::Moving, Lives::On, 1}, s.head);
    visit(StageField{"cell"}, s.cell);
    visit(StageField{"step", By::Moving, Lives::OneStep}, s.step);
    visit(StageField{"grain"}, s.grain, Words{"layer", "sublayer", "operation"});
    visit(StageField{"animate", By::Moving, Lives::OneStep}, s.animate, Words{"false", "true"});
    visit(StageField{"level"}, s.level, Words{"model", "layer", "block", "operation"});
    visit(StageField{"histogram"}, s.histogram, offOn);
    visit(StageField{"quantity"}, s.quantity, Words{"weights", "scores", "rollout"});
    visit(StageField{"picture"}, s.picture, Words{"lines", "heads", "text", "wall"});
    visit(StageField{"overlaid"}, s.overlaid);
    visit(StageField{"top", By::Moving, Lives::On, 1, 100}, s.top);
    visit(StageField{"specials"}, s.withoutSpecials, taken);
    visit(StageField{"first_word"}, s.withoutFirst, taken);
    visit(StageField{"pairs"}, s.pairs,
          Words{"all", "first-to-second", "second-to-first", "within-first", "within-second"});
    visit(StageField{"zoom"}, s.zoom);
    visit(StageField{"order"}, s.order, Words{"layer", "habit", "entropy", "distance", "first-word", "importance"});
    visit(StageField{"habit"}, s.habit,
          Words{"any", "none", "previous", "next", "itself", "same-word", "after-same", "first", "punctuation",
                "alignment", "broad"});
    visit(StageField{"first_layer", By::Moving, Lives::On, 1}, s.firstLayer);
    visit(StageField{"last_layer"}, s.lastLayer);
    visit(StageField{"least_weight"}, s.least);
    visit(StageField{"kinds"}, s.kinds, offOn);
    visit(StageField{"angle"}, s.angle, offOn);
    visit(StageField{"batch"}, s.batch, offOn);
    visit(StageField{"batch_second", By::Editing}, s.batchSecond);
    visit(StageField{"equation"}, s.apart, Words{"one", "apart"});
    visit(StageField{"matrices"}, s.matrices, Words{"example", "model"});
    visit(StageField{"scaled", By::Editing}, s.scaled, offOn);
    visit(StageField{"sharpness", By::Editing}, s.sharpness);
    visit(StageField{"numbers", By::Editing}, s.numbers);
    visit(StageField{"masking", By::Editing}, s.masking, Words{"add", "billion", "multiply", "after"});
    visit(StageField{"stack"}, s.stack, Words{"decoder", "encoder"});
    visit(StageField{"padding", By::Editing}, s.padding);
    visit(StageField{"second", By::Editing}, s.second);
    visit(StageField{"sentence", By::Moving, Lives::On, 1}, s.sentence);
    visit(StageField{"cells", By::Editing}, s.cells);
    visit(StageField{"table"}, s.table, Words{"sinusoid", "model"});
    visit(StageField{"length", By::Editing, Lives::On, 1, 512}, s.length);
    visit(StageField{"width", By::Editing, Lives::On, 1, 512}, s.width);
    visit(StageField{"base", By::Editing}, s.base);
    visit(StageField{"word", By::Moving, Lives::On, 1}, s.word);
    visit(StageField{"shuffles", By::Editing}, s.shuffles);
    visit(StageField{"waves"}, s.waves, Words{"curves", "hands"});
    visit(StageField{"offset", By::Editing, Lives::On, 0, 512}, s.offset);
    visit(StageField{"lens_rows"}, s.lensRows, Words{"sublayer", "layer"});
    visit(StageField{"lens_cell"}, s.lensCell);
    visit(StageField{"why_row"}, s.whyRow);
    visit(StageField{"why_word"}, s.whyWord);
    visit(StageField{"why_against"}, s.whyAgainst);
    visit(StageField{"why_opened"}, s.whyOpened);
    visit(StageField{"why_method"}, s.whyMethod,
          Words{"difference", "gradient", "integrated", "occlusion", "attention", "values"});
    visit(StageField{"surgery_other", By::Editing}, s.surgeryOther);
    visit(StageField{"surgery_without", By::Editing}, s.surgeryWithout);
    visit(StageField{"surgery_read_by", By::Editing}, s.surgeryReader);
    visit(StageField{"surgery_pieces"}, s.surgeryPieces, Words{"state", "sublayer", "head"});
    visit(StageField{"surgery_edits", By::Editing}, s.surgeryEdits);
    visit(StageField{"layer", By::Moving, Lives::On, 1}, s.layer);
    visit(StageField{"side"}, s.side, Words{"auto", "alignment", "gradient", "length", "none", "places", "runs"});
    visit(StageField{"measured"}, s.measured);
    const Words storedSorted = {"stored", "sorted"}, stacks = {"decoder", "encoder"};
    visit(StageField{"cell_unit", By::Moving, Lives::On, 1}, s.cellUnit);
    visit(StageField{"cell_word"}, s.cellWord);
    visit(StageField{"cell_units"}, s.cellUnits, storedSorted);
    visit(StageField{"recurrent_gain", By::Editing}, s.recurrentGain);
    visit(StageField{"residual_stack"}, s.residualStack, stacks);
    visit(StageField{"residual_depth", By::Moving, Lives::On, 1}, s.residualDepth);
    visit(StageField{"residual_word", By::Moving, Lives::On, 1}, s.residualWord);
    visit(StageField{"residual_number", By::Moving, Lives::On, 1}, s.residualNumber);
    visit(StageField{"unit_stack"}, s.unitStack, stacks);
    visit(StageField{"unit_layer", By::Moving, Lives::On, 1}, s.unitLayer);
    visit(StageField{"unit_word", By::Moving, Lives::On, 1}, s.unitWord);
    visit(StageField{"unit", By::Moving, Lives::On, 1}, s.unit);
    visit(StageField{"unit_order"}, s.unitOrder, storedSorted);
    visit(StageField{"activation"}, s.activation, Words{"own", "relu", "gelu"});
    visit(StageField{"unit_muted", By::Editing}, s.unitMuted, offOn);
    visit(StageField{"loss_word", By::Moving, Lives::On, 1}, s.lossWord);
    visit(StageField{"smoothing", By::Editing}, s.smoothing);
    visit(StageField{"descended", By::Editing, Lives::On, 0, 1000}, s.descended);
    visit(StageField{"corpus", By::Editing}, s.corpus);
    visit(StageField{"merges", By::Moving, Lives::On, 0, 10000}, s.merges);
    visit(StageField{"merges_learned", By::Editing, Lives::On, 0, 10000}, s.mergesLearned);
    visit(StageField{"cut", By::Editing}, s.cut);
    visit(StageField{"own_text", By::Editing}, s.ownText);
    visit(StageField{"forced_word", By::Moving, Lives::On, 1}, s.forcedWord);
    visit(StageField{"truth", By::Editing}, s.truth);
    visit(StageField{"test_sentence"}, s.testSentence);
    visit(StageField{"ngram", By::Editing, Lives::On, 1, 4}, s.ngram);
    visit(StageField{"references", By::Editing}, s.references);
    visit(StageField{"search", By::Editing}, s.search, Words{"own", "set"});
    visit(StageField{"beam", By::Editing, Lives::On, 1, 1000}, s.beam);
    visit(StageField{"scoring", By::Editing}, s.scoring, Words{"gnmt", "average", "none", "power"});
    visit(StageField{"penalty", By::Editing}, s.penalty);
    visit(StageField{"max_length", By::Editing, Lives::On, 1}, s.maxLength);
    visit(StageField{"fixed", By::Editing}, s.fixed);
    visit(StageField{"dead_ends"}, s.deadEndsShown, Words{"folded", "shown"});
    visit(StageField{"next_word"}, s.nextWord, offOn);
    visit(StageField{"river"}, s.river, Words{"depth", "text"});
    visit(StageField{"temperature", By::Editing}, s.temperature);
    visit(StageField{"top_k", By::Editing}, s.topK);
    visit(StageField{"top_p", By::Editing}, s.topP);
    visit(StageField{"with"}, s.with, Words{"model", "heads", "positions", "sentence", "changes"});
    visit(StageField{"against"}, s.against);
    visit(StageField{"against_hash"}, s.againstHash);
    visit(StageField{"without", By::Editing}, s.without);
    visit(StageField{"beside", By::Editing}, s.beside);
    visit(StageField{"changes", By::Editing}, s.changes);
    visit(StageField{"task"}, s.task);
    visit(StageField{"seed"}, s.seed);
    visit(StageField{"settings"}, s.settings);
    visit(StageField{"train", By::Moving, Lives::OneStep}, s.train);
    visit(StageField{"frame", By::Moving, Lives::OneStep}, s.frame);
    visit(StageField{"film"}, s.film);
    visit(StageField{"learnt"}, s.learnt);
    visit(StageField{"embedding"}, s.embedding, Words{"source", "target", "positions"});
    visit(StageField{"nearest"}, s.nearest);
    visit(StageField{"cost_words", By::Editing, Lives::On, 1}, s.costWords);
    visit(StageField{"cost_width", By::Editing, Lives::On, 1}, s.costWidth);
    visit(StageField{"cost_kernel", By::Editing, Lives::On, 1}, s.costKernel);
    visit(StageField{"cost_layers"}, s.costDilated, Words{"plain", "dilated"});
    visit(StageField{"cost_model"}, s.costModel, Words{"open", "lstm"});
    visit(StageField{"cost_source", By::Editing, Lives::On, 1}, s.costSource);
    visit(StageField{"cost_target", By::Editing, Lives::On, 1}, s.costTarget);
    visit(StageField{"cost_embedding", By::Editing, Lives::On, 1}, s.costEmbedding);
    visit(StageField{"cost_hidden", By::Editing, Lives::On, 1}, s.costHidden);
    visit(StageField{"cost_biases", By::Editing, Lives::On, 1}, s.costBiases);
}

/// What the stage is to show, key by key, as it is written in a file or on the command line; the items of a list are
/// joined by ", ".
using StageSetting = std::map<std::string, std::string>;

/// The name that a view or a key bears today, for one that it bore before (`qkv`, `steps`); else the word itself.
std::string presentViewName(const std::string& word);
std::string presentKey(const std::string& key);

/// The view of that name, or of a former one.
std::optional<ViewName> viewNamed(const std::string& name);
const char* nameOf(ViewName view);

/// What is wrong with a value of a key; empty: nothing.
std::string whyWrong(const std::string& key, const std::string& value);
/// Every key, in the order of visitFields().
std::vector<std::string> stageKeyNames();
/// The words that a key's value may be; empty: what fits its type.
std::vector<std::string> wordsOf(const std::string& key);
bool livesOn(const std::string& key);

/// Throws Error that names the key, for one that there is not, and for a value that is none of it.
StageState stageFrom(const StageSetting& setting);
/// The fields that are not as on a fresh stage.
StageSetting settingOf(const StageState& state);

/// The field of that key as `from` has it.
void copyField(const std::string& key, const StageState& from, StageState& to);

/// `headlight:VIEW?key=value&…`, the values percent-encoded (RFC 3986).
std::string linkTo(const StageState& state);
/// Throws Error for what is no such link, and as stageFrom().
StageState stageFromLink(const std::string& link);

/// `now` with the edits of `edits` in the place of its own: what undoing and redoing sets.
StageState withEditsOf(StageState now, const StageState& edits);
/// Names of the fields that were edited between the two.
std::vector<std::string> editsBetween(const StageState& before, const StageState& after);

}  // namespace headlight
