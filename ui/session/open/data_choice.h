// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <array>
#include <atomic>
#include <memory>
#include <optional>

#include "core/data/corpus_survey.h"
#include "ui/session/open/background.h"
#include "ui/session/open/training_setup.h"

namespace headlight {

/// The reader's own files in the place of a part, among those that he chose.
inline const CorpusFiles& filesForPart(const TrainingData& data, CorpusPart part) {
    return part == CorpusPart::Training ? data.files : part == CorpusPart::Validation ? data.validation : data.test;
}

/// What is known of the chosen files, all of it computed from them.
struct DataPicture {
    std::shared_ptr<const CorpusSurvey> survey;
    /// Of files of their own for validation and for the test; null where there are none.
    std::array<std::shared_ptr<const CorpusSurvey>, 2> own;
    CorpusDeal deal;
    /// 0 source, 1 target; of a text the target alone. What is learned from against what is kept away.
    std::array<std::shared_ptr<const CoverageCurve>, 2> coverage;
    /// Where text is cut into pieces.
    std::array<std::shared_ptr<const PieceCurve>, 2> pieces;
    /// Of both sides together, where their merges are learned together: as many pieces as one list for both has.
    std::shared_ptr<const PieceCurve> joint;
    /// How many pairs that are read whole have so many words on a side; what the rules leave out among them.
    std::array<std::vector<long>, 2> lengths;
    int longestWords = 0;                ///< on either side
    std::array<size_t, 2> characters{};  ///< different ones, of words and the space between them
    /// Of each sample the rarest word's rank on a side: it is known whole where the vocabulary is larger than that.
    std::vector<std::array<size_t, 2>> rarest;

    bool isText() const { return survey->isText(); }
    /// Pairs, or lines, of a part, whichever files they are from.
    long size(CorpusPart part) const;
};

/// What is known of files that are still being read.
struct DataGlimpse {
    struct Row {
        size_t line = 0;
        SentencePair pair;  ///< cut where it is very long
    };
    std::vector<Row> rows;
    long pairs = 0;  ///< so far, and all the rest too
    std::array<long, 2> words{};
};

/// The files that a run is to learn from, and how they are read: chosen by the reader, looked at in the background.
/// What is shown stays until what was asked for last is there.
class DataChoice : public QObject {
    Q_OBJECT
public:
    explicit DataChoice(QObject* parent = nullptr);

    /// Merges are counted up to here.
    static constexpr int mostMerges = 8000;

    const TrainingData& data() const { return m_data; }
    /// Whether there are files of the reader's own; otherwise nothing is looked at.
    bool hasFiles() const { return m_data.files.task.empty() && !m_data.files.isEmpty(); }
    CorpusKind kind() const;
    /// Of a table: whether its second column is a label.
    bool hasLabels() const { return m_labels; }
    /// Most words of each side; 0: all. Of subwords the merges are the tokenizer's.
    std::array<int, 2> vocabulary() const { return m_vocabulary; }
    uint64_t seed() const { return m_seed; }
    /// How a text's first lines look; nothing where there is no text, or it cannot be read.
    const std::optional<TextGuess>& guess() const { return m_guess; }

    /// How the file is laid out, or the first of two; nothing where there is none, or it cannot be opened. Where it is
    /// none of what was said, or of what it was taken for, no columns (a width of 0).
    const std::optional<FileLayout>& layout() const { return m_layout; }

    /// One file: a table of pairs where it looks like one, else a text. Two: line by line, the first the source.
    static CorpusFiles filesOf(const QStringList& paths);

    /// What the choice decides of a run: its data, and the limits of its vocabularies.
    void applyTo(TrainingSetup& setup) const;
    /// What a run learns from is chosen; where it is already, nothing is read again.
    void choose(const TrainingSetup& setup);
    /// A text is read as its lines look, until the reader says otherwise.
    void setFiles(const CorpusFiles& files);
    /// Files for validation or for the test, in the place of what is set aside; empty: that again.
    void setPartFiles(CorpusPart part, const CorpusFiles& files);
    void setLabels(bool labels);
    void setUndoEntities(bool undo);
    /// What is said of the file's layout, and whether pairs are read of it, or a text; the rest is seen from it.
    void setLayout(const LayoutChoice& layout, SheetUse use);
    /// One file is of another kind than it was taken for; a text of it is one sentence a line, or running text. What
    /// was said of its columns is forgotten.
    void setFileKind(LayoutKind kind, bool isRunning = false);
    /// Nothing is said of the file any more: it is read as it looks.
    void recognise();
    /// Whether something is said that recognise() would take back.
    bool isSaid() const;
    /// How the lines of a text hang together.
    void setReading(TextReading reading);
    void setTokenizer(const TokenizerOptions& tokenizer);
    void setVocabulary(std::array<int, 2> most);
    void setRules(const PairRules& rules);
    void setSizes(SplitSizes sizes);
    void setSeed(uint64_t seed);
    void swapSides();
    /// A built-in task, and no files.
    void setTask(const std::string& task);
    /// Back to the first built-in task.
    void clear() { setTask("vi-en"); }
    /// The reading that is under way is no longer wanted.
    void cancel();

    void setSettling(Settling* settling);
    /// Null before the files are read, and where they cannot be.
    std::shared_ptr<const DataPicture> picture() const { return m_picture; }
    /// While there is no picture yet: what was read so far; nothing before the first of it.
    const std::optional<DataGlimpse>& glimpse() const { return m_glimpse; }
    bool isBusy() const { return m_reading.isBusy() || m_counting.isBusy(); }
    /// How much of the files is read, 0 to 1; negative: nothing is being read.
    double share() const { return isBusy() ? m_share->load() : -1; }
    const QString& failure() const { return m_failure; }

signals:
    /// The reader's choice is another one.
    void chosen();
    /// picture() or failure() is another one.
    void looked();
    /// share() is another one, and glimpse() may be.
    void progressed();

private:
    /// What was read, by part.
    using Surveys = std::array<std::shared_ptr<const CorpusSurvey>, 3>;
    enum class Read { All, OwnParts };

    void lookAtFile();
    void readFor(TrainingData& data, SheetUse use);
    void become(const TrainingData& data);
    void read(Read which = Read::All);
    void count();
    void suggestVocabulary();
    void fail(const QString& why);

    TrainingData m_data;
    std::array<int, 2> m_vocabulary{};
    std::optional<TextGuess> m_guess;
    std::optional<FileLayout> m_layout;
    bool m_labels = false;
    bool m_isVocabularyChosen = false;
    uint64_t m_seed = 1;
    Surveys m_surveys;
    std::optional<DataGlimpse> m_glimpse;
    std::shared_ptr<const DataPicture> m_picture;
    QString m_failure;
    std::shared_ptr<std::atomic<double>> m_share;
    QTimer m_ticks;
    Background m_reading, m_counting;
};

}  // namespace headlight
