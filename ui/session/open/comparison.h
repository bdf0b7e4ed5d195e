// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <string>
#include <vector>

#include "core/experiment/hand_change.h"
#include "ui/session/open/background.h"
#include "ui/session/open/kept_model.h"
#include "ui/session/open/piece_study.h"
#include "ui/session/open/session.h"
#include "ui/session/trace/found_texts.h"

namespace headlight {

/// The value of `b` to hold beside one of `a`: that of the same name, or else the weights (scores) of the first
/// attention of the same kind. Null where there is none.
const TraceRecord* counterpart(const Trace& a, const TraceRecord& value, const Trace& b);

/// The open model and sentence beside a second reading, which differs from it in one thing. Follows the session.
class Comparison : public QObject {
    Q_OBJECT
public:
    enum class Kind { Model, Heads, Positions, Sentence, Changes };

    explicit Comparison(Session& session, QObject* parent = nullptr);

    /// Where nobody has chosen and no model that ships has a value to hold against the open one's: itself without
    /// heads.
    Kind kind() const;
    /// As it was set.
    Kind chosenKind() const { return m_kind; }
    void setKind(Kind kind);
    /// Another model, though it may have nothing in common with the open one.
    void insistOnModel();
    /// The file of the other model, or the key of one that setModel() gave; empty: the one that shippedBeside() the
    /// open one.
    void setModelPath(const QString& path);
    /// Another model that lies in memory; the last four are held.
    void setModel(const KeptModel& model);
    /// What the reader is to call the model of that path or key.
    QString nameOf(const QString& path) const;
    /// The key is that of a run's model which is not held any more: there is nothing to compare with.
    bool isGone() const;
    QString modelPath() const;
    /// Nobody chose the other model.
    bool isByDefault() const { return m_chosenPath.isEmpty(); }
    /// Of its bytes, as Session::modelHash(); empty as long as it does not stand on the second side.
    QString modelHash() const;
    void setMutedHeads(const QStringList& heads);
    const QStringList& mutedHeads() const { return m_muted; }
    /// As HandChange::text() writes them; what is none, or has no place in the model, is said by problem().
    void setChanges(const QStringList& changes);
    const QStringList& changes() const { return m_changes; }
    /// Those that stand in the second reading.
    const std::vector<HandChange>& made() const { return m_made; }
    /// Why the changes that are wanted cannot be made; empty: they can.
    const QString& problem() const { return m_problem; }
    /// What the beam search answers to them, in the background; empty where there are none, and until it is known.
    const std::vector<FoundText>& found() const { return m_found; }
    /// How many pieces of what is otherwise it takes, in the background: heads of the blocks that are without some, or
    /// the changes one by one. Empty of the other kinds, and until it is known.
    const PieceStudy& pieces() const { return m_pieces; }
    /// What they are called: heads as mutedHeads(), changes as changes().
    const QStringList& pieceNames() const { return m_pieceNames; }
    void setSentence(const QString& sentence);
    const QString& sentence() const { return m_sentence; }

    const Session& first() const { return m_first; }
    /// Its reading is complete once isReady().
    const Session& second() const { return m_second; }
    bool isReady() const;
    /// What stands beside the open model: "without head 3 of …".
    QString title() const;

    /// Nobody looks on before this is told: only then there is read.
    void setWatched(bool watched);

signals:
    void changed();
    void failed(const QString& message);

private:
    const KeptModel* held(const QString& key) const;
    void seeWhatShips();
    void renew();
    void follow();
    void search();
    void study();
    PieceQuestion piecesOfHeads();
    PieceQuestion piecesOfChanges();
    QString wantedSource() const;
    QString wantedTarget() const;
    QStringList wantedHeads() const;
    std::vector<Intervention> wantedChanges();

    Session& m_first;
    Session m_second;
    Kind m_kind = Kind::Model;
    QString m_chosenPath;
    std::vector<KeptModel> m_held;  ///< the newest last
    QString m_openPath;             ///< of the model in m_second; empty: a variant of the first one
    QStringList m_muted;
    QStringList m_changes;
    std::vector<HandChange> m_made;
    QString m_problem;
    QString m_sentence;
    bool m_watched = false;
    QString m_insisted;         ///< the path that insistOnModel() set: it is for this model alone
    bool m_lacksOther = false;  ///< nothing that ships can be held against the open model, which has heads
    bool m_possible = true;     ///< the open model allows what is wanted of the second side
    std::vector<FoundText> m_found;
    std::weak_ptr<const Trace> m_searched;  ///< of the second reading that m_found is of
    PieceStudy m_pieces;
    QStringList m_pieceNames;
    std::weak_ptr<const Trace> m_studied;  ///< of the second reading that m_pieces is of
    Background m_searching{this};          ///< these last, so that their threads end before what they report to
    Background m_studying{this};
};

}  // namespace headlight
