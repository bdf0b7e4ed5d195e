// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/experiment/cell_figures.h"
#include "core/experiment/recurrent_gain.h"
#include "ui/session/open/background.h"

namespace headlight {

/// What a cell does over many sentences: what its units write at which word, and how far back its gradient reaches,
/// beside that of shipped models with other cells. Worked out on threads of its own over the test sentences of the
/// model's task; without a task, over the open sentence alone. What is known stays known as long as this lives.
class CellStudy : public QObject {
    Q_OBJECT
public:
    /// So many sentences are read, and the gradient goes back through the longest ones.
    static constexpr size_t kRead = 200, kWithGradient = kLongestFollowed;

    explicit CellStudy(QObject* parent = nullptr) : QObject(parent) {}

    /// Who is told while something is worked out; null: nobody.
    void setSettling(Settling* settling);
    /// The open model, a layer of it, and the sentence that is open.
    void study(const std::shared_ptr<const TrainedModel>& model, CellPlace place, const SentencePair& open);
    void drop();
    bool isBusy() const { return m_writing.isBusy() || m_reaching.isBusy() || m_gaining.isBusy(); }
    /// What becomes of the open model's gradient before training, W_hh multiplied by that; 1: nothing is asked.
    void multiply(double gain);
    /// As it is before training, and multiplied so; none as long as they are not known or not asked for.
    const std::vector<GainReach>& gains() const { return m_gains; }
    double gain() const { return m_gain; }

    /// Of the layer that is studied; null: not yet.
    const CellWrites* writes() const { return m_writes.get(); }
    struct Reach {
        QString key;  ///< the shipped model's name; empty: the open one
        Cell cell = Cell::Rnn;
        GradientReach reach;
        bool isOfSameTask = true;  ///< as the open one; else it is asked of its own task's sentences
    };
    /// The open model's first; none as long as they are not known.
    const std::vector<Reach>& reaches() const { return m_reaches; }
    /// Shipped models that differ from the open one in their cell: the same task, the same stacks. Its own cell has
    /// the open model's place. By cell; empty: there is none.
    QString sibling(Cell cell) const { return m_siblings[static_cast<size_t>(cell)]; }
    /// Whether only the open sentence could be read.
    bool isOfOneSentence() const { return m_isOfOneSentence; }

signals:
    void writesFound();
    void reachFound();
    void gainFound();
    void failed(const QString& why);

private:
    struct Found {
        std::vector<Reach> reaches;
        std::array<QString, 3> siblings;
    };
    static Found reachesOf(const std::shared_ptr<const TrainedModel>& model, CellPlace place, const Corpus& own,
                           const StillWanted& wanted);
    void askGain();

    std::shared_ptr<const TrainedModel> m_model;
    CellPlace m_place;
    std::function<Corpus()> m_corpus;  ///< that is studied
    std::string m_sentence;            ///< that was studied, where it alone could be
    std::shared_ptr<const CellWrites> m_writes;
    std::vector<Reach> m_reaches;
    std::vector<GainReach> m_gains;
    double m_gain = 1;
    std::array<QString, 3> m_siblings;
    bool m_isOfOneSentence = false;
    Background m_writing{this}, m_reaching{this}, m_gaining{this};
};

}  // namespace headlight
