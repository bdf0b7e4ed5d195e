// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

class QLabel;

namespace headlight {

class Button;
class ProgressLine;

/// A model on a line: its name, what it is, how large, whether it fits, and what can be done with it.
class ModelRow : public QWidget {
    Q_OBJECT
public:
    /// Whether this computer's memory is enough.
    enum class Fit { Unknown, Fits, TooLarge };
    struct Facts {
        QString name, what, size;
        Fit fit = Fit::Unknown;
        QString memory;  ///< "fits: 0.3 GB of 24 GB"
        QString action,
            actionName;       ///< on the button, and to who cannot see beside what it stands; empty: there is none
        bool isMain = false;  ///< the button is the one to press
        QString progress;     ///< "102 of 166 MB, 9 s left"
        std::optional<double> share = {};
        QString trouble = {};  ///< what went wrong
    };

    /// Room is kept for how far a download is, so that columns stay where they are.
    enum class Comes { Yes, No };
    explicit ModelRow(Comes comes, QWidget* parent = nullptr);
    void show(const Facts& facts);
    const Facts& facts() const { return m_facts; }
    Button* button() const { return m_button; }

signals:
    void acted();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Facts m_facts;
    QLabel *m_name, *m_what, *m_size, *m_memory, *m_progress, *m_trouble;
    ProgressLine* m_line;
    Button* m_button;
};

}  // namespace headlight
