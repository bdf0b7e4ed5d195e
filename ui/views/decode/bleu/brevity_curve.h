// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QString>
#include <QWidget>
#include <vector>

namespace headlight {

/// The brevity penalty over the length of a translation by that of its reference, with where one sentence stands and a
/// tick for each of a test set.
class BrevityCurve : public QWidget {
    Q_OBJECT
public:
    explicit BrevityCurve(QWidget* parent = nullptr);

    /// A length of 0: there is no sentence.
    void setSentence(long hypothesis, long reference);
    void setTicks(std::vector<double> ratios);
    const std::vector<double>& ticks() const { return m_ticks; }

    QSize sizeHint() const override { return {350, 168}; }
    QSize minimumSizeHint() const override { return {220, 150}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF plot() const;
    double xOf(double ratio) const;
    double yOf(double penalty) const;
    void paintNumber(QPainter& p, QPointF at, const QString& number) const;

    long m_hypothesis = 0, m_reference = 0;
    std::vector<double> m_ticks;
};

}  // namespace headlight
