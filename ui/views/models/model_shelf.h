// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QWidget>
#include <map>

#include "ui/session/open/background.h"
#include "ui/views/models/model_section.h"

namespace headlight {

class TrainedShelf;

/// All models that are at hand: those that ship, those that were trained here, those that were opened from elsewhere.
/// Files are read and sentences asked in the background; what is read of a file is kept until it changes.
class ModelShelf : public QWidget {
    Q_OBJECT
public:
    explicit ModelShelf(QWidget* parent = nullptr);

    /// Who is told while there is something to read; null: nobody.
    void setSettling(Settling* settling);
    /// Looks which models there are. `folder`: of those that were trained here; empty: there is none.
    void refresh(const QString& folder, const std::vector<std::pair<QString, QString>>& trained);
    /// Every model is asked this.
    void setSentence(const QString& sentence);
    void setOpen(const QString& path);

    ModelSection* shipped() const { return m_shipped; }
    TrainedShelf* trained() const { return m_trained; }
    ModelSection* elsewhere() const { return m_elsewhere; }
    bool isBusy() const { return m_reads.isBusy() || m_asks.isBusy(); }

signals:
    /// `sentence`: what its card asks it; empty where it asks nothing.
    void openRequested(const QString& path, const QString& sentence);
    /// The reader wants to choose a file.
    void modelWanted();

private:
    std::vector<ModelSection*> sections() const;
    QStringList paths() const;
    void read();
    void take(const ShelfModel& model);
    void ask();
    void scale();

    struct Known {
        QDateTime written;
        ShelfModel model;
    };
    ModelSection* m_shipped;
    TrainedShelf* m_trained;
    ModelSection* m_elsewhere;
    std::map<QString, Known> m_known;  ///< by their files
    QString m_sentence;
    bool m_isScaling = false;
    Background m_reads{this}, m_asks{this};  ///< last, so that their threads end before what they report to
};

}  // namespace headlight
