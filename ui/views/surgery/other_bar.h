// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileInfoList>
#include <QStringList>
#include <memory>
#include <vector>

#include "ui/session/open/kept_model.h"
#include "ui/session/trace/surgery_picture.h"
#include "ui/widgets/controls/panel.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;

namespace headlight {

class ComboBox;
class SegmentedControl;

/// What pieces are taken from, B: a sentence, the model that reads it and the heads that are off there; and what B
/// writes. Beside it the kind of piece.
class OtherBar : public Panel {
    Q_OBJECT
public:
    explicit OtherBar(SegmentedControl* pieces, QWidget* parent = nullptr);

    struct Wanted {
        QString sentence;     ///< empty: A's own where it is read otherwise, else oneWordOff()
        QString reader;       ///< a file or the key of a model that is held; empty: A's model
        QStringList without;  ///< heads as headName() gives them
        bool operator==(const Wanted&) const = default;
        bool isReadOtherwise() const { return !reader.isEmpty() || !without.isEmpty(); }
    };
    const Wanted& wanted() const { return m_wanted; }
    void setWanted(const Wanted& wanted);
    /// The files among which the reader chooses: those that have the network of A's model.
    void setReaders(const QFileInfoList& files);
    /// A model of a run that may read B as well; the last four are held.
    void hold(const KeptModel& model);
    /// Null where none of that key is held.
    std::shared_ptr<const TrainedModel> held(const QString& key) const;
    /// What was read; null: nothing.
    void setPicture(const SurgeryPicture* picture);

    QLineEdit* sentence() const { return m_sentence; }
    ComboBox* reader() const { return m_reader; }
    ComboBox* heads() const { return m_heads; }

protected:
    void resizeEvent(QResizeEvent* event) override;

signals:
    /// The reader wants another B.
    void changed();

private:
    void choose(const Wanted& wanted);
    void showReader();
    void showHeads();
    /// What B writes, where all of it has room: the side says it too.
    void showWritten();

    Wanted m_wanted;
    std::vector<KeptModel> m_held;
    QLineEdit* m_sentence;
    ComboBox *m_reader, *m_heads;
    QHBoxLayout* m_second;
    QLabel *m_writesName, *m_writes;
};

}  // namespace headlight
