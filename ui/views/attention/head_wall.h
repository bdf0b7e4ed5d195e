// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QSet>
#include <QVariantAnimation>
#include <QWidget>
#include <algorithm>
#include <optional>
#include <vector>

#include "ui/session/trace/head_survey.h"

namespace headlight {

struct Theme;

/// What of a survey a wall shows, and in which order.
struct WallOptions {
    /// Layer: where they stand in the model. Any other: the best first.
    enum class Order { Layer, Habit, Entropy, Distance, First, Importance };

    Order order = Order::Layer;
    std::optional<HeadHabit> habit;  ///< only heads with this one
    int fromLayer = 0;
    int toLayer = -1;    ///< the last one shown, from 0; −1: the last that there is
    double least = 0.5;  ///< weight from which on a head looks at a word
    HeadSurvey::Look look;
    bool operator==(const WallOptions&) const = default;

    int firstLayer(const HeadSurvey& survey) const {
        return std::clamp(fromLayer, 0, std::max(0, survey.layers() - 1));
    }
    int lastLayer(const HeadSurvey& survey) const {
        const int last = survey.layers() - 1;
        return toLayer < 0 ? last : std::clamp(toLayer, std::min(firstLayer(survey), last), last);
    }
    bool hasLayer(const HeadSurvey& survey, int layer) const {
        return layer >= firstLayer(survey) && layer <= lastLayer(survey);
    }
    bool shows(const HeadSurvey& survey, const HeadSurvey::Head& head) const {
        return hasLayer(survey, head.layer) && (!habit || head.facts.habit == *habit);
    }
};

/// All heads of a kind of attention on one screen: small matrices, layer by layer or in another order, each with the
/// mark of its habit and its weight on the first word. Heads of another habit than the one asked for fade where they
/// stand, or are left out where the best come first. Arrow keys move over the heads, Enter chooses, M mutes.
class HeadWall : public QWidget {
    Q_OBJECT
public:
    explicit HeadWall(QWidget* parent = nullptr);

    /// The survey is its owner's, who keeps it; `muted` names heads.
    void setSurvey(const HeadSurvey* survey, const QSet<QString>& muted);
    void setMuted(const QSet<QString>& muted);
    /// Of each head the cells that are hidden until they were predicted, as HeadSurvey::at() counts them; empty: none.
    /// What it does on average would tell them, and is hidden too.
    void setVeil(std::vector<std::vector<char>> hidden);
    bool hasVeil(int head) const {
        return static_cast<size_t>(head) < m_hidden.size() && !m_hidden[static_cast<size_t>(head)].empty();
    }
    void setOptions(const WallOptions& options);
    /// Heads that the search found.
    void setFound(const std::vector<int>& heads);
    void setChosen(int head);
    /// Of each block of the survey, as the trace is played; `layers` computed so far.
    void setRevealed(int layers);

    int chosen() const { return m_chosen; }
    /// The one that the arrow keys stand at, or else the chosen one.
    int current() const { return m_cursor >= 0 ? m_cursor : m_chosen; }
    /// Heads in the order in which they stand.
    const std::vector<int>& order() const { return m_order; }
    /// Of the matrix in the widget; empty: it is left out.
    QRectF headRect(int head) const;
    /// Of the mark of its habit: in the corner that a causal mask leaves empty, else above the matrix.
    QRectF markRect(int head) const;
    const QSet<QString>& muted() const { return m_muted; }
    const std::vector<int>& found() const { return m_found; }
    /// Ends a movement that is under way.
    void finishMoving();

    QSize sizeHint() const override { return {640, 720}; }
    QSize minimumSizeHint() const override { return {240, 200}; }

signals:
    void headChosen(int head);
    /// The arrow keys have moved.
    void currentChanged();
    void muteToggled(int head);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Motion { Cut, Flow };
    void arrange(Motion motion);
    std::vector<int> wantedOrder() const;
    void placeHeads();
    void makeImages();
    QImage imageOf(int head, const std::vector<char>& open, int side) const;
    int headAt(QPointF position) const;
    int neighbour(int head, int down, int right) const;
    bool isByLayer() const { return m_options.order == WallOptions::Order::Layer; }
    double side() const;
    double markUnit() const;
    void paintLabels(QPainter& painter, const Theme& theme) const;
    void paintHead(QPainter& painter, int head, const Theme& theme) const;
    void paintVeil(QPainter& painter, int head, const Theme& theme) const;
    void paintOutlines(QPainter& painter, const Theme& theme) const;
    void paintLegend(QPainter& painter, const Theme& theme) const;
    const HeadSurvey::Head& at(int head) const { return m_survey->heads()[static_cast<size_t>(head)]; }

    static constexpr double kLeft = 40, kTop = 22;  ///< of the first head: labels stand before it

    const HeadSurvey* m_survey = nullptr;
    WallOptions m_options;
    QSet<QString> m_muted;
    std::vector<std::vector<char>> m_hidden;
    std::vector<int> m_found;
    std::vector<int> m_order;
    int m_chosen = -1, m_cursor = -1, m_hovered = -1;
    int m_revealed = -1;
    double m_pitch = 0;                ///< from a head to the next one beside it
    double m_above = 0;                ///< of each row of heads, for their marks
    std::vector<QRectF> m_from, m_to;  ///< of each head; empty where it is left out
    QVariantAnimation m_moving;
    std::vector<QImage> m_images;  ///< of each head, as large as it is drawn
};

}  // namespace headlight
