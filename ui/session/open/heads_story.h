// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <utility>
#include <vector>

#include "ui/session/open/heads_probe.h"

namespace headlight {

/// The heads of a run through its steps, which of its frames is looked at, and of which head: what the scrubber, the
/// wall, the film and the words are drawn from, and what they change.
class HeadsStory : public QObject {
    Q_OBJECT
public:
    explicit HeadsStory(QObject* parent = nullptr);

    struct Head {
        int block = 0, head = 0;  ///< from 0; the block is a place in blocks()
    };
    /// What the model wrote from a step on, until it wrote something else.
    struct Writing {
        int step = 0;
        QStringList words;
        std::vector<bool> isNew;  ///< of each word: it did not stand there before
    };

    /// Forgets all that was told; `last` is the step at which the run ends. The head that is wanted stays so.
    void begin(int last);
    void append(const std::vector<HeadsFrame>& frames);
    /// Forgets later steps, and the frame of a step where the run only rested.
    void cutBack(int step);

    const std::vector<HeadsFrame>& frames() const { return m_frames; }
    bool isEmpty() const { return m_frames.empty(); }
    int lastStep() const { return m_last; }
    /// −1: there is none.
    int newest() const { return static_cast<int>(m_frames.size()) - 1; }
    /// The frame that is looked at: the newest, unless another is held.
    int current() const;
    bool isNow() const { return current() == newest(); }
    const HeadsFrame* shown() const;

    /// Looks at a frame for as long as somebody points at it.
    void peek(int frame);
    void release();
    /// Stays at a frame; at the newest it follows the run.
    void hold(int frame);
    /// The last frame that is not later; 0: follows the run. Tells nobody that it was chosen.
    void holdStep(int step);
    /// 0: it follows the run.
    int heldStep() const { return m_held; }
    /// The frame whose step is nearest.
    int nearest(int step) const;

    /// Of a frame; none where the model has no attention.
    const std::vector<AttentionBlock>& blocks(int frame) const { return m_blocks[static_cast<size_t>(frame)]; }
    const std::vector<Head>& heads() const { return m_heads; }
    /// −1: there is none.
    int chosen() const;
    void choose(int head);
    /// `decoder.layers.1.cross_attn.3`, as it was wanted; empty: the first of the last block.
    const QString& wantedHead() const { return m_wanted; }
    void wantHead(const QString& name);
    QString nameOf(int head) const;
    std::span<const float> weights(int frame, int head) const;

    bool isSharp(int frame, int head) const;
    /// The step since which a head that is sharp in a frame has been; nothing where it is not.
    std::optional<int> sharpSince(int frame, int head) const;
    int sharpHeads(int frame) const;

    /// The cell that the film outlines: a row and a column of the chosen head.
    std::pair<int, int> cell() const;
    void chooseCell(int row, int column);

    /// All different ones up to a frame.
    std::vector<Writing> writings(int frame) const;

    /// At most `most` frames, the first, the newest and the current among them, and the others evenly between them as
    /// stepPlace() counts.
    std::vector<int> film(int most) const;

signals:
    /// What is there or what is looked at.
    void changed();
    /// The reader chose a frame or a head.
    void chosenByReader();

private:
    void addFrame(const HeadsFrame& frame);
    void dropResting();

    int m_last = 1;
    std::vector<HeadsFrame> m_frames;
    std::vector<std::vector<AttentionBlock>> m_blocks;  ///< of each frame
    std::vector<Head> m_heads;
    QString m_wanted;
    int m_held = 0;   ///< step
    int m_peek = -1;  ///< frame
    std::optional<std::pair<int, int>> m_cell;
};

/// Where a step stands on an axis that gives early steps more room: 0 at the beginning, 1 at `last`.
double stepPlace(double step, int last);
/// The step that stands there.
double stepAt(double place, int last);

/// Which words of a text did not stand in the one before: those that no longest common run of words in order holds.
std::vector<bool> newWords(const QStringList& before, const QStringList& now);

}  // namespace headlight
