// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <memory>

#include "core/experiment/embedding_groups.h"
#include "ui/session/open/background.h"
#include "ui/session/open/paced_timer.h"
#include "ui/views/view.h"

class QLabel;
class QLineEdit;

namespace headlight {

class Card;
class ComboBox;
class FailureBox;
class GroupLegend;
class ProgressLine;
class WordBars;
class WordMap;

/// The words of the open model as points: a plane of their embeddings, the groups that they fall into, and of the
/// chosen word its nearest neighbours. All of it is computed in the background: a vocabulary may have a quarter of a
/// million words. The group of a word that the reader chose is lit, so a link that has the word has the group.
class EmbeddingView : public ViewWidget {
    Q_OBJECT
public:
    explicit EmbeddingView(QWidget* parent = nullptr);

    /// Who is told while something is computed; null: nobody.
    void setSettling(Settling* settling) override { m_background.setSettling(settling); }
    bool isBusy() const { return m_background.isBusy(); }
    void setModel(std::shared_ptr<const TrainedModel> model);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;

    /// That is shown; empty while it is computed.
    const EmbeddingTable& table() const { return *m_space->table; }
    WordMap* map() const { return m_map; }
    WordBars* neighbours() const { return m_neighbours; }
    const EmbeddingGroups& groups() const { return m_space->groups; }
    GroupLegend* legend() const { return m_legend; }
    QLineEdit* search() const { return m_search; }
    ProgressLine* progress() const { return m_progress; }

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A table, and what is computed of it once.
    struct Space {
        std::shared_ptr<const TrainedModel> model = {};
        std::string name = {};  ///< of the weight
        std::shared_ptr<const EmbeddingTable> table = std::make_shared<const EmbeddingTable>();
        QStringList words = {}, keys = {};
        std::vector<QPointF> places = {};
        double share = 0;  ///< of the variance, in the plane
        EmbeddingGroups groups = {};
    };
    using Shared = std::shared_ptr<const Space>;
    static Shared compute(const std::shared_ptr<const TrainedModel>& model, const std::string& name,
                          const std::function<bool(double)>& progress);

    void load();
    void showSpace(const Shared& space);
    void showProgress(double share);
    void showFailure(const QString& why);
    void endWaiting();
    void showGroups();
    QStringList namesOf(int group, qsizetype most) const;
    int groupOf(int word) const;
    void chooseGroup(int group);
    void choose(int word);
    void showNeighbours(int word, std::vector<Neighbour> near);
    void listNeighbours();
    void chooseTable();
    void chooseByReader(int word);
    void find(const QString& text);

    std::shared_ptr<const TrainedModel> m_model;
    bool m_stale = true;  ///< the plane is computed when it is looked at
    EmbeddingsOptions::Side m_side = EmbeddingsOptions::Side::Source;
    QString m_nearest;          ///< empty: nobody chose a word
    bool m_findsLater = false;  ///< what was typed is to be found in what is being computed
    Shared m_space = std::make_shared<const Space>();
    std::vector<Neighbour> m_near;
    ComboBox* m_which;
    QLineEdit* m_search;
    Card* m_mapCard;
    ProgressLine* m_progress;
    FailureBox* m_failure;
    WordMap* m_map;
    GroupLegend* m_legend;
    QLabel* m_rule;  ///< how the groups were found
    Card* m_nearCard;
    WordBars* m_neighbours;
    Patience m_patience;            ///< until it is said that something is computed
    Background m_background{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
