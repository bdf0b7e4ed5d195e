// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/io/trained_model.h"
#include "core/lessons/lesson.h"
#include "core/trace/trace.h"
#include "ui/session/trace/value_cell.h"
#include "ui/widgets/matrix/arithmetic_lines.h"

class QLabel;

namespace headlight {

class Selection;
class WordBars;

/// The number that is pointed at: between which words it stands, how it was computed, and, of an attention, what the
/// softmax makes of its row.
class NumberPanel : public QWidget {
    Q_OBJECT
public:
    explicit NumberPanel(Selection* selection, QWidget* parent = nullptr);

    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    /// As Staged::setVeil(): a sum that needs a hidden number is not written out either.
    void setVeil(const std::vector<NumberName>& veiled);
    /// The number under the playhead, and what of its products is in its sum.
    struct UnderWay {
        ValueCell cell;
        ArithmeticLines::SoFar soFar;
    };
    /// Values recorded after this index are not shown; -1 shows all. Of that one itself a part `phase` is there, at
    /// first the number that is under way.
    void setRevealed(int recordIndex, double phase = 1, const std::optional<UnderWay>& underWay = {});
    ArithmeticLines* lines() const { return m_lines; }
    WordBars* row() const { return m_row; }

private:
    void refresh();
    void showRow(const TraceRecord& value, int head, int row, int column);

    Selection* m_selection;
    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    std::vector<NumberName> m_veiled;
    int m_revealed = -1;
    double m_phase = 1;
    std::optional<UnderWay> m_underWay;

    QLabel* m_words;
    QLabel* m_formula;
    ArithmeticLines* m_lines;
    QLabel* m_rowTitle;
    WordBars* m_row;
};

}  // namespace headlight
