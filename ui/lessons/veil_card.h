// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>

class QLineEdit;
class QVBoxLayout;

namespace headlight {

class Button;
class CurvePad;
class LessonPlayer;
class ShareBars;
struct LessonVeil;

/// Asks for a prediction of what the stage hides, and, once it is made or given up, says what is so beside it.
class VeilCard : public QFrame {
    Q_OBJECT
public:
    VeilCard(LessonPlayer& player, int part, QWidget* parent = nullptr);

    /// Of shares; null: something else is predicted.
    ShareBars* shares() const { return m_shares; }
    /// Of a curve; null: something else is predicted.
    CurvePad* curve() const { return m_curve; }
    /// Of a number; null: something else is predicted.
    QLineEdit* number() const { return m_number; }
    Button* revealButton() const { return m_reveal; }
    Button* showButton() const { return m_show; }
    /// Of a curve that was drawn, how it runs beside the measured one; empty: none was.
    QString verdict() const { return m_verdict ? m_verdict->text() : QString(); }
    /// What is wrong with the prediction; empty: nothing.
    QString complaint() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const LessonVeil& veil() const;
    void makeShares(QVBoxLayout* column);
    void makeCurve(QVBoxLayout* column);
    void makeQuestion(QVBoxLayout* column);
    void makeAnswer(QVBoxLayout* column);
    /// How the drawn curve runs beside the measured one.
    QString curveVerdict(const std::vector<double>& own, const std::vector<double>& measured,
                         const std::vector<double>& places) const;
    void reveal();
    /// The hidden cell that the reader points at on the stage: row and column from 1, behind a head where there is one.
    std::vector<double> pointedCell() const;

    LessonPlayer& m_player;
    int m_part;
    ShareBars* m_shares = nullptr;
    CurvePad* m_curve = nullptr;
    QLineEdit* m_number = nullptr;
    Button* m_reveal = nullptr;
    Button* m_show = nullptr;
    QLabel *m_complaint = nullptr, *m_verdict = nullptr;
};

}  // namespace headlight
