// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <memory>
#include <vector>

#include "core/trace/trace.h"
#include "ui/session/trace/step_scope.h"
#include "ui/widgets/controls/foldable.h"

class QLabel;

namespace headlight {

class Button;
class ComboBox;
class Glide;
class SegmentedControl;
class StepCursor;
struct Theme;

/// The computation as a piece of music: four staves (Model, Layer, Sublayer, Operation) over its steps, and the
/// playhead. A click goes to a step, dragging through the steps and back; arrow keys go step by step.
class TimelineTrack : public QWidget {
    Q_OBJECT
public:
    explicit TimelineTrack(StepCursor* cursor, QWidget* parent = nullptr);

    /// The steps as the reader is told of them, for tool tips.
    void setDescriptions(QStringList descriptions);
    /// Builds the staves from the cursor's scopes.
    void rebuild();
    int positionAt(double x) const;
    /// The middle of a step on the time axis: there the playhead rests when all of it is computed.
    double xOf(int position) const;
    /// Where the playhead stands: between the middle of the step before and that of the step.
    double playheadX() const;

    QSize sizeHint() const override { return {900, 70}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Segment {
        int first = 0;
        int last = 0;
        StepScope::Level level;
        Stack stack = Stack::Shared;
    };

    double stepWidth() const;
    double timeAt(double x) const;
    QColor tint(Stack stack, const Theme& theme) const;
    double besidePlayhead(const QRectF& bar, double wide) const;
    void paintStave(QPainter& painter, int stave, const Theme& theme) const;
    void paintOperations(QPainter& painter, const Theme& theme) const;
    void paintPlayhead(QPainter& painter, const Theme& theme) const;

    StepCursor* m_cursor;
    Glide* m_glide;  ///< of the playhead
    std::array<std::vector<Segment>, 3> m_staves;
    QStringList m_descriptions;
};

/// The bar at the foot of a room: start, previous, play, next, where we are, grain, speed, and the track.
class Timeline : public Foldable {
    Q_OBJECT
public:
    static constexpr int kHeight = 124;

    explicit Timeline(StepCursor* cursor, QWidget* parent = nullptr);

    /// The trace whose steps these are; the cursor is given the same trace by its owner.
    void setTrace(std::shared_ptr<const Trace> trace);
    TimelineTrack* track() const { return m_track; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeControls();
    void refresh();

    StepCursor* m_cursor;
    std::shared_ptr<const Trace> m_trace;
    TimelineTrack* m_track;
    Button* m_start;
    Button* m_previous;
    Button* m_play;
    Button* m_next;
    QLabel* m_place;
    QLabel* m_sentence;
    QLabel* m_grainName;
    SegmentedControl* m_grain;
    ComboBox* m_speed;
};

}  // namespace headlight
