// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/data_choice.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/data/file_layout.h"
#include "core/data/found_data.h"
#include "core/data/table_columns.h"
#include "core/data/task.h"
#include "core/error.h"
#include "core/io/encoding.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

constexpr int ticksPerSecond = 20;
constexpr size_t usualVocabulary = 8000;

/// What cannot be read is said when it is read.
std::optional<TextGuess> guessOf(const CorpusFiles& files) try {
    return files.textFile.empty() ? std::optional<TextGuess>() : guessReading(files.textFile, files.layout);
} catch (const Error&) {
    return {};
}

/// What cannot be read is said when it is read. It can still be said to be something else.
std::optional<FileLayout> fileLayoutOf(const std::string& path, const CorpusFiles& files) try {
    return path.empty() ? std::optional<FileLayout>() : layoutOf(path, files.use(), files.layout);
} catch (const Error&) {
    std::error_code problem;
    if (!std::filesystem::is_regular_file(path, problem)) return {};
    const LayoutKind asked = files.use() == SheetUse::Pairs ? LayoutKind::Tabs : LayoutKind::Lines;
    const std::string& encoding = files.layout.encoding;
    return FileLayout{.kind = files.layout.kind.value_or(asked),
                      .encoding = encoding.empty() ? std::string(kUtf8) : encoding,
                      .width = 0};
}

/// Tokens that are no words: the special ones, and of running text the line break.
int placesTaken(const CorpusFiles& files) {
    return Vocabulary().size() + (files.reading == TextReading::Lines ? 0 : 1);
}

bool targetsAreLabels(const CorpusSurvey& survey) {
    std::vector<std::string_view> targets;
    for (const CorpusSurvey::Sample& sample : survey.samples())
        targets.push_back(sample.pair.target);
    return !survey.isText() && looksLikeLabels(targets);
}

CorpusSurvey::Counts without(CorpusSurvey::Counts all, const CorpusSurvey::Counts& part) {
    for (const auto& [word, count] : part)
        if (const auto found = all.find(word); found != all.end()) found->second -= count;
    return all;
}

void add(CorpusSurvey::Counts& to, const CorpusSurvey::Counts& more) {
    for (const auto& [word, count] : more)
        to[word] += count;
}

/// Its first characters: a file without line ends is one line of a gigabyte.
std::string shortened(const std::string& text) {
    constexpr int mostCharacters = 400;
    std::int32_t end = 0;
    for (int seen = 0; seen < mostCharacters && static_cast<size_t>(end) < text.size(); ++seen)
        nextCodePoint(text, end);
    return text.substr(0, static_cast<size_t>(end));
}

DataGlimpse glimpseOf(const CorpusSurvey& survey) {
    constexpr size_t mostRows = 40;
    DataGlimpse glimpse{
        .rows = {}, .pairs = static_cast<long>(survey.entries().size()), .words = {survey.words(0), survey.words(1)}};
    const auto& samples = survey.samples();
    for (size_t i = 0; i < std::min(samples.size(), mostRows); ++i)
        glimpse.rows.push_back({survey.entries()[samples[i].entry].line,
                                {shortened(samples[i].pair.source), shortened(samples[i].pair.target), {}}});
    std::ranges::sort(glimpse.rows, {}, &DataGlimpse::Row::line);
    return glimpse;
}

/// The pieces of each side, or of both together and of each by those merges.
void addPieces(DataPicture& picture, std::array<CorpusSurvey::Counts, 2>& learned, bool joint,
               const WorkProgress& progress) {
    const bool isText = picture.isText();
    if (joint && !isText) {
        CorpusSurvey::Counts both = learned[0];
        add(both, learned[1]);
        picture.joint = std::make_shared<const PieceCurve>(both, DataChoice::mostMerges, progress);
    }
    for (size_t side = isText ? 1 : 0; side < 2; ++side)
        picture.pieces.at(side) =
            picture.joint ? std::make_shared<const PieceCurve>(learned.at(side), picture.joint->merges(), progress)
                          : std::make_shared<const PieceCurve>(learned.at(side), DataChoice::mostMerges, progress);
}

std::shared_ptr<const DataPicture> pictureOf(const std::shared_ptr<const CorpusSurvey>& survey,
                                             const std::array<std::shared_ptr<const CorpusSurvey>, 2>& own,
                                             const TrainingData& data, uint64_t seed, const WorkProgress& progress) {
    auto picture = std::make_shared<DataPicture>();
    picture->survey = survey;
    picture->own = own;
    picture->deal = deal(*survey, data, seed);
    const std::vector<CorpusSurvey::Entry>& entries = survey->entries();
    constexpr signed char keptAway = 0, leftOut = 1;
    std::vector<signed char> groups(entries.size(), CorpusSurvey::noGroup);
    for (size_t i = 0; i < entries.size(); ++i) {
        if (picture->deal.leftOut[i] == LeftOut::Blank) continue;
        if (picture->deal.leftOut[i] != LeftOut::No)
            groups[i] = leftOut;
        else if (picture->deal.parts[i] != CorpusPart::Training)
            groups[i] = keptAway;
        for (const auto& [side, words] : {std::pair{0, entries[i].sourceWords}, {1, entries[i].targetWords}}) {
            std::vector<long>& lengths = picture->lengths.at(static_cast<size_t>(side));
            if (lengths.size() <= words) lengths.resize(words + size_t{1});
            ++lengths[words];
            picture->longestWords = std::max<int>(picture->longestWords, words);
        }
    }
    const std::vector<CorpusSurvey::SideCounts> counts = survey->countsOf(groups, 2, progress);
    CorpusSurvey::SideCounts kept = counts[keptAway];
    const CorpusSurvey::SideCounts& out = counts[leftOut];
    std::array<CorpusSurvey::Counts, 2> learnedFrom;
    for (size_t side = survey->isText() ? 1 : 0; side < 2; ++side) {
        CorpusSurvey::Counts others = kept.at(side);
        add(others, out.at(side));
        CorpusSurvey::Counts& learned = learnedFrom.at(side);
        learned = without(survey->counts(static_cast<int>(side)), others);
        for (const auto& part : own)
            if (part) add(kept.at(side), part->counts(static_cast<int>(side)));
        picture->coverage.at(side) = std::make_shared<const CoverageCurve>(learned, kept.at(side));
        std::set<std::string, std::less<>> characters{" "};
        for (const auto& [word, count] : learned)
            if (count > 0)
                for (const std::string_view character : codePoints(word))
                    characters.emplace(character);
        picture->characters.at(side) = characters.size();
    }
    if (data.tokenizer.kind == TokenizerOptions::Kind::Bpe)
        addPieces(*picture, learnedFrom, data.tokenizer.jointBpe, progress);
    for (const CorpusSurvey::Sample& sample : survey->samples()) {
        std::array<size_t, 2> rarest{};
        for (size_t side = survey->isText() ? 1 : 0; side < 2; ++side)
            for (const std::string& word : survey->wordsOf(side == 0 ? sample.pair.source : sample.pair.target))
                rarest.at(side) = std::max(rarest.at(side), picture->coverage.at(side)->rank(word));
        picture->rarest.push_back(rarest);
    }
    return picture;
}

}  // namespace

long DataPicture::size(CorpusPart part) const {
    const auto& files = part == CorpusPart::Training ? nullptr : own.at(static_cast<size_t>(part) - 1);
    return files ? files->wholePairs() : deal.size(part);
}

DataChoice::DataChoice(QObject* parent)
    : QObject(parent), m_share(std::make_shared<std::atomic<double>>(0)), m_reading(this), m_counting(this) {
    m_data.files.task = "vi-en";
    m_ticks.setInterval(1000 / ticksPerSecond);
    connect(&m_ticks, &QTimer::timeout, this, [this] {
        if (!isBusy()) m_ticks.stop();
        emit progressed();
    });
}

CorpusKind DataChoice::kind() const {
    if (!m_data.files.task.empty()) return findTask(m_data.files.task).kind;
    if (!m_data.files.textFile.empty()) return CorpusKind::Text;
    return m_labels ? CorpusKind::Labels : CorpusKind::Translation;
}

CorpusFiles DataChoice::filesOf(const QStringList& paths) {
    const std::string first = paths.value(0).toStdString();
    if (paths.size() > 1) return {.sourceFile = first, .targetFile = paths[1].toStdString()};
    return looksLikePairs(first) ? CorpusFiles{.pairs = first} : CorpusFiles{.textFile = first};
}

void DataChoice::setSettling(Settling* settling) {
    m_reading.setSettling(settling);
    m_counting.setSettling(settling);
}

void DataChoice::setFiles(const CorpusFiles& files) {
    m_data.files = files;
    lookAtFile();
    m_data.files.reading = m_guess ? m_guess->reading : TextReading::Lines;
    m_data.rules = {};
    m_data.sizes = {};
    m_data.validation = m_data.test = {};
    m_labels = false;
    m_isVocabularyChosen = false;
    m_vocabulary = {};
    m_picture.reset();
    emit chosen();
    read();
}

void DataChoice::applyTo(TrainingSetup& setup) const {
    setup.data = m_data;
    if (!hasFiles() || m_data.tokenizer.kind == TokenizerOptions::Kind::Bpe) return;
    const auto [source, target] = m_vocabulary;
    const int specials = placesTaken(m_data.files);
    setup.config.sourceVocabSize = source > 0 ? source + specials : 0;
    setup.config.targetVocabSize = target > 0 && kind() != CorpusKind::Labels ? target + specials : 0;
}

void DataChoice::choose(const TrainingSetup& setup) {
    if (!setup.data.files.task.empty()) return setTask(setup.data.files.task);
    const auto words = [&](int size) { return std::max(0, size - placesTaken(setup.data.files)); };
    const bool labels = setup.config.corpusKind() == CorpusKind::Labels;
    std::array<int, 2> vocabulary = m_vocabulary;  // what does not limit a run stays as it is
    if (setup.data.tokenizer.kind != TokenizerOptions::Kind::Bpe) {
        vocabulary[0] = words(setup.config.sourceVocabSize);
        if (!labels) vocabulary[1] = words(setup.config.targetVocabSize);
    }
    if (m_data == setup.data && m_vocabulary == vocabulary && m_labels == labels) return;
    m_vocabulary = vocabulary;
    m_labels = labels;
    m_isVocabularyChosen = true;
    if (m_data.files != setup.data.files) m_picture.reset();
    if (m_data == setup.data)
        emit chosen();
    else
        become(setup.data);
}

/// A mebibyte of it.
void DataChoice::lookAtFile() {
    m_guess = guessOf(m_data.files);
    const CorpusFiles& files = m_data.files;
    m_layout = fileLayoutOf(files.first(), files);
    if (!m_layout || !m_layout->letters.empty()) return;
    // The encoding is that of both, and its reason may stand in the second alone.
    const std::optional<FileLayout> other = fileLayoutOf(files.targetFile, files);
    if (other && other->encoding == m_layout->encoding) m_layout->letters = other->letters;
}

/// Reads or counts again what the change asks for.
void DataChoice::become(const TrainingData& data) {
    if (m_data == data) return;
    const TrainingData before = std::exchange(m_data, data);
    if (before.files.named() != data.files.named() || before.files.layout != data.files.layout) lookAtFile();
    emit chosen();
    const auto look = [](const TokenizerOptions& options) {  // all that decides what a word is
        return std::pair(options.lowercase, options.kind == TokenizerOptions::Kind::Whitespace);
    };
    if (before.files != data.files || look(before.tokenizer) != look(data.tokenizer))
        read();
    else if (before.validation != data.validation || before.test != data.test)
        read(Read::OwnParts);
    else if (before.rules != data.rules || before.sizes != data.sizes || before.tokenizer.kind != data.tokenizer.kind ||
             before.tokenizer.jointBpe != data.tokenizer.jointBpe)
        count();
}

void DataChoice::setPartFiles(CorpusPart part, const CorpusFiles& files) {
    if (!hasFiles() || part == CorpusPart::Training) return;
    TrainingData data = m_data;
    (part == CorpusPart::Validation ? data.validation : data.test) = files;
    become(data);
}

void DataChoice::setLabels(bool labels) {
    if (m_labels == labels) return;
    m_labels = labels;
    emit chosen();
}

void DataChoice::setUndoEntities(bool undo) {
    if (!hasFiles()) return;
    TrainingData data = m_data;
    data.files.undoEntities = undo;
    become(data);
}

void DataChoice::setLayout(const LayoutChoice& layout, SheetUse use) {
    if (!hasFiles()) return;
    TrainingData data = m_data;
    data.files.layout = layout;
    readFor(data, use);
    m_picture.reset();  // it is of other words
    become(data);
}

/// A file that is there alone, as a table or as a text.
void DataChoice::readFor(TrainingData& data, SheetUse use) {
    CorpusFiles& files = data.files;
    if (use == files.use() || use == SheetUse::Lines || files.use() == SheetUse::Lines) return;
    std::swap(files.pairs, files.textFile);
    files.reading = TextReading::Lines;
    m_isVocabularyChosen = false;  // it was of other sentences
    m_vocabulary = {};
    if (use == SheetUse::Pairs) return;
    m_labels = false;
    if (const std::optional<TextGuess> guess = guessOf(files)) files.reading = guess->reading;
}

void DataChoice::setFileKind(LayoutKind kind, bool isRunning) {
    if (!hasFiles() || m_data.files.use() == SheetUse::Lines) return;
    TrainingData data = m_data;
    data.files.layout = {.kind = kind, .encoding = m_data.files.layout.encoding};
    // One column of what may be quoted, or of JSON, is a text; one of anything else shows that it is no such table.
    const auto isColumn = [&] {
        if (kind != LayoutKind::Commas && !isJson(kind)) return false;
        try {
            return layoutOf(data.files.first(), SheetUse::Text, data.files.layout).width == 1;
        } catch (const Error&) {
            return false;
        }
    };
    readFor(data, kind == LayoutKind::Lines || isColumn() ? SheetUse::Text : SheetUse::Pairs);
    if (kind == LayoutKind::Lines) {
        const std::optional<TextGuess> guess = guessOf(data.files);
        const bool looksRunning = guess && guess->reading != TextReading::Lines;
        data.files.reading = !isRunning ? TextReading::Lines : looksRunning ? guess->reading : TextReading::Breaks;
    }
    m_picture.reset();
    become(data);
}

void DataChoice::recognise() {
    if (!hasFiles() || m_data.files.use() == SheetUse::Lines) return setLayout({}, m_data.files.use());
    TrainingData data = m_data;
    data.files.layout = {};
    readFor(data, looksLikePairs(data.files.first()) ? SheetUse::Pairs : SheetUse::Text);
    if (const std::optional<TextGuess> guess = guessOf(data.files)) data.files.reading = guess->reading;
    m_picture.reset();
    become(data);
}

bool DataChoice::isSaid() const {
    if (!hasFiles()) return false;
    if (!(m_data.files.layout == LayoutChoice())) return true;
    return m_guess && m_data.files.reading != m_guess->reading;
}

void DataChoice::setReading(TextReading reading) {
    if (m_data.files.textFile.empty()) return;
    TrainingData data = m_data;
    data.files.reading = reading;
    become(data);
}

void DataChoice::setTokenizer(const TokenizerOptions& tokenizer) {
    TrainingData data = m_data;
    data.tokenizer = tokenizer;
    become(data);
}

void DataChoice::setVocabulary(std::array<int, 2> most) {
    m_isVocabularyChosen = true;
    if (std::exchange(m_vocabulary, most) != most) emit chosen();
}

void DataChoice::setRules(const PairRules& rules) {
    TrainingData data = m_data;
    data.rules = rules;
    become(data);
}

void DataChoice::setSizes(SplitSizes sizes) {
    TrainingData data = m_data;
    data.sizes = sizes;
    become(data);
}

void DataChoice::setSeed(uint64_t seed) {
    if (std::exchange(m_seed, seed) != seed) count();
}

void DataChoice::swapSides() {
    if (m_data.files.sourceFile.empty()) return;
    CorpusFiles files = m_data.files;
    std::swap(files.sourceFile, files.targetFile);
    setFiles(files);
}

void DataChoice::setTask(const std::string& task) {
    if (m_data == TrainingData{.files = {.task = task}}) return;
    m_reading.drop();
    m_counting.drop();
    m_data = {.files = {.task = task}};
    m_guess.reset();
    m_layout.reset();
    m_vocabulary = {};
    m_labels = false;
    m_surveys = {};
    m_glimpse.reset();
    m_picture.reset();
    m_failure.clear();
    emit chosen();
    emit looked();
}

void DataChoice::cancel() {
    if (isBusy() && !m_picture) return clear();
    m_reading.drop();
    m_counting.drop();
    emit looked();
}

void DataChoice::read(Read which) {
    m_counting.drop();
    m_failure.clear();
    m_glimpse.reset();
    if (!hasFiles()) return clear();
    const auto before = which == Read::OwnParts ? m_surveys[0] : nullptr;
    m_surveys = {};
    m_share = std::make_shared<std::atomic<double>>(0);
    m_ticks.start();
    m_reading.ask<Surveys>(
        [this, data = m_data, before, share = m_share](const Background::Wanted& wanted) {
            const WorkProgress tell = [&](double done) {
                *share = done;
                return wanted();
            };
            // What was read before there is a picture; a picture says more.
            const auto glimpse = [&](const CorpusSurvey& survey) {
                QMetaObject::invokeMethod(this, [this, wanted, newest = glimpseOf(survey)] {
                    if (!wanted() || m_picture) return;
                    m_glimpse = newest;
                    emit progressed();
                });
            };
            Surveys surveys{before};
            if (!before) surveys[0] = std::make_shared<const CorpusSurvey>(data.files, data.tokenizer, tell, glimpse);
            for (const CorpusPart part : {CorpusPart::Validation, CorpusPart::Test}) {
                const CorpusFiles own = filesForPart(data, part);
                if (own.isEmpty()) continue;
                surveys.at(static_cast<size_t>(part)) =
                    std::make_shared<const CorpusSurvey>(data.files.readAlike(own), data.tokenizer, tell);
            }
            return surveys;
        },
        [this](Surveys surveys) {
            m_surveys = std::move(surveys);
            // A model that learned from such a file, and asks for it, finds it.
            for (const auto& [key, path] : m_data.files.named())
                rememberDataFile(path);
            if (!m_isVocabularyChosen) m_labels = !m_data.files.pairs.empty() && targetsAreLabels(*m_surveys[0]);
            emit chosen();
            count();
        },
        [this](const QString& why) { fail(why); });
    emit looked();
}

/// What the rules leave, and which words it has.
void DataChoice::count() {
    if (!m_surveys[0]) return;
    m_share = std::make_shared<std::atomic<double>>(0);
    m_ticks.start();
    using Picture = std::shared_ptr<const DataPicture>;
    m_counting.ask<Picture>(
        [surveys = m_surveys, data = m_data, seed = m_seed, share = m_share](const Background::Wanted& wanted) {
            return pictureOf(surveys[0], {surveys[1], surveys[2]}, data, seed, [&](double done) {
                *share = done;
                return wanted();
            });
        },
        [this](Picture picture) {
            m_picture = std::move(picture);
            m_glimpse.reset();
            suggestVocabulary();
            emit looked();
        },
        [this](const QString& why) { fail(why); });
}

/// Until the reader says otherwise: words that stand twice or more, and no more than a small model has use for.
void DataChoice::suggestVocabulary() {
    if (m_isVocabularyChosen) return;
    for (size_t side = 0; side < 2; ++side) {
        const CoverageCurve* curve = m_picture->coverage.at(side).get();
        const size_t seen = !curve ? 0 : side == 1 && m_labels ? curve->words() : curve->wordsSeen(2);
        m_vocabulary.at(side) = static_cast<int>(std::min(std::max(seen, size_t{1}), usualVocabulary));
    }
    m_isVocabularyChosen = true;
    emit chosen();
}

void DataChoice::fail(const QString& why) {
    m_failure = why;
    m_picture.reset();
    emit looked();
}

}  // namespace headlight

#include "moc_data_choice.cpp"
