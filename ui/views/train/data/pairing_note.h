// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "ui/session/open/data_choice.h"
#include "ui/widgets/controls/tinted_box.h"

class QLabel;

namespace headlight {

class Button;

/// Says that a text which came while another one was chosen is taken for its translation, and leads back. Hidden where
/// nothing of the kind was guessed, and once the reader has decided.
class PairingNote : public TintedBox {
    Q_OBJECT
public:
    /// The choice must outlive it.
    explicit PairingNote(DataChoice& choice, QWidget* parent = nullptr);

    /// The chosen text and `other`, line by line; what is chosen now is remembered.
    CorpusFiles pairWith(const std::string& other);

    QString text() const;
    Button* keep() const { return m_keep; }
    Button* onlyOther() const { return m_onlyOther; }
    Button* undo() const { return m_undo; }

private:
    void refresh();

    DataChoice& m_choice;
    TrainingSetup m_before;
    std::string m_source, m_other;  ///< empty: nothing was guessed, or the reader has decided
    QLabel* m_text;
    Button *m_keep, *m_onlyOther, *m_undo;
};

}  // namespace headlight
