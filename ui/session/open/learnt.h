// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "ui/session/open/heads_story.h"

namespace headlight {

/// When a run learnt something: the role of the story's chosen head, or a word that the model is made to write. Of each
/// frame of the story a value; the moment is the first step of the last stretch, up to the newest, that stays at or
/// above a level. Between two frames the steps can be gone through again, and then it is a step and no stretch.
class Learnt : public QObject {
    Q_OBJECT
public:
    explicit Learnt(HeadsStory* story, QObject* parent = nullptr);

    enum class What { Nothing, Role, Word };
    What what() const { return m_what; }
    void setNothing();
    void setRole();
    /// From 0; one that the sentence does not have is followed as nothing until a frame has it.
    void setWord(int word);
    int word() const { return m_word; }

    /// What the reader may choose from: the words that are written.
    std::vector<HeadsFrame::Said> words() const;
    /// What the chosen head does in the newest frame; None where it does none of what is looked for.
    HeadHabit role() const { return m_role; }

    /// Of a role the share of its rows' weight that lies as it says (of Broad the relative entropy); of a word its
    /// probability. By step; frames of the story, and steps that were gone through again.
    struct Point {
        int step = 0;
        double value = 0;
    };
    const std::vector<Point>& points() const { return m_points; }
    /// Of a role what a head must reach to have it (habitShare, broadEntropy); of a word one half: the model says it
    /// rather than not.
    double level() const;

    struct Moment {
        int after = 0;  ///< the last step at which it was known to be below the level; step − 1 where it is exact
        int step = 0;   ///< it was there
        bool isExact() const { return step == after + 1; }
    };
    /// Nothing where it is below the level at the end. From the first step on: {0, 0}.
    std::optional<Moment> moment() const;
    /// "“history” is likelier than not since step 163, …"
    QString sentence() const;

    /// Steps lie between the two frames around the moment.
    bool canReplay() const;
    bool isReplaying() const { return m_left > 0; }
    int left() const { return m_left; }
    void replay();
    void stopReplay();
    /// What the run tells of the steps that it goes through again.
    void add(const std::vector<HeadsFrame>& readings, int left);
    /// Nothing that was told of single steps holds any more: of another run, or another rate.
    void forgetReplayed();

signals:
    void changed();
    /// The reader chose something else.
    void chosenByReader();
    void replayWanted(int after, int upTo);
    void replayStopped();

private:
    void choose(What what, int word);
    void follow();
    void findRole();
    void fillPoints();
    std::optional<double> valueOf(const HeadsFrame& frame) const;
    QString subject() const;
    double valueAt(int step) const;

    /// What the points were computed from.
    struct Followed {
        What what = What::Nothing;
        int word = 0, head = -1, newest = -1;
        size_t frames = 0, replayed = 0;
        int left = 0;
        bool operator==(const Followed&) const = default;
    };

    HeadsStory* m_story;
    Followed m_followed;
    What m_what = What::Nothing;
    int m_word = 0;
    int m_head = -1;  ///< whose role it is
    HeadHabit m_role = HeadHabit::None;
    std::vector<Point> m_points;
    std::vector<Point> m_replayed;  ///< by step
    int m_left = 0;                 ///< steps that are still to be gone through again
};

}  // namespace headlight
