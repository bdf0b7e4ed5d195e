// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QPointF>
#include <optional>
#include <vector>

#include "ui/session/open/shelf_model.h"

namespace headlight {

class ModelBlueprint;

/// A model on the shelf: itself as a blueprint, what kind it is, what it says to the sentence, and its figures; of one
/// that was trained here its data, its settings and the curve of its loss. Checked: it is open.
class ModelTile : public QAbstractButton {
    Q_OBJECT
public:
    /// What is told of it: a run of the reader's own has settings and a curve.
    enum class Tells { Model, Run };
    ModelTile(const QString& path, const QString& name, Tells tells, QWidget* parent);

    const QString& path() const { return m_path; }
    /// What its file says, once it is read.
    void setModel(const ShelfModel& model);
    void setAnswer(const std::optional<ShelfAnswer>& answer);
    const std::optional<ShelfAnswer>& answer() const { return m_answer; }

    /// One scale for all tiles that stand together.
    void setScale(double parametersPerPixel);
    /// The scale at which it would just fit.
    double leastScale() const;
    ModelBlueprint* blueprint() const { return m_blueprint; }

    QString kind() const { return m_kind; }
    QString figures() const { return m_figures; }
    long count() const { return m_count; }
    /// Loss of the steps as its file has them; empty where it has none.
    const std::vector<QPointF>& lossCurve() const { return m_loss; }
    /// Where a point of the curve is drawn.
    QPointF placeOf(const QPointF& point) const;

    static int heightOf(Tells tells) { return tells == Tells::Run ? 236 : 200; }
    static constexpr int kNarrowest = 212;
    QSize sizeHint() const override { return {kNarrowest, heightOf(m_tells)}; }

signals:
    /// An arrow key: so many tiles to the right and down.
    void stepRequested(int right, int down);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void paintCurve(QPainter& painter) const;
    void paintAnswer(QPainter& painter) const;
    QString figuresWithin(double room) const;
    QRectF curveArea() const;
    double blueprintTop() const;

    QString m_path, m_name;
    Tells m_tells;
    ModelBlueprint* m_blueprint;
    QString m_kind, m_about, m_settings, m_figures, m_trouble;
    long m_count = 0;
    std::vector<QPointF> m_loss;
    std::optional<ShelfAnswer> m_answer;
};

}  // namespace headlight
