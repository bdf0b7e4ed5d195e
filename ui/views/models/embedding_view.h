// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/experiment/embedding_space.h"
#include "ui/views/staged.h"

class QLabel;
class QLineEdit;

namespace headlight {

class Card;
class ComboBox;
class WordBars;
class WordMap;

/// The words of the open model as points: a plane of their embeddings, and of the chosen one its nearest neighbours.
class EmbeddingView : public QWidget, public Staged {
    Q_OBJECT
public:
    explicit EmbeddingView(QWidget* parent = nullptr);

    void setModel(std::shared_ptr<const TrainedModel> model);
    void choose(int word);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;

    const EmbeddingTable& table() const { return m_tableShown; }
    WordMap* map() const { return m_map; }
    WordBars* neighbours() const { return m_neighbours; }
    QLineEdit* search() const { return m_search; }

signals:
    /// The reader chose otherwise.
    void optionsChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void load();
    void chooseTable();
    void chooseByReader(int word);
    void find(const QString& text);

    std::shared_ptr<const TrainedModel> m_model;
    bool m_stale = true;  ///< the plane is computed when it is looked at
    StageState::EmbeddingSide m_side = StageState::EmbeddingSide::Source;
    QString m_nearest;  ///< empty: nobody chose a word
    EmbeddingTable m_tableShown;
    std::vector<Neighbour> m_near;
    ComboBox* m_which;
    QLineEdit* m_search;
    Card* m_mapCard;
    WordMap* m_map;
    Card* m_nearCard;
    WordBars* m_neighbours;
};

}  // namespace headlight
