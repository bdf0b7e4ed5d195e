// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QWidget>

#include "core/train/sentence_bleu.h"

class QLabel;

namespace headlight {

/// What the three kinds of bars mean.
class NgramKey : public QWidget {
    Q_OBJECT
public:
    explicit NgramKey(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// A band in the tint of what is looked at, with a line of words about it.
class NowBand : public QFrame {
    Q_OBJECT
public:
    explicit NowBand(QWidget* parent = nullptr);
    /// A first word in bold, and what it is about.
    void setText(const QString& head, const QString& text);
    QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel *m_head, *m_text;
};

/// The counts of all sentences, added up before anything is divided, beside the mean of the sentences' own scores.
class BleuSums : public QWidget {
    Q_OBJECT
public:
    explicit BleuSums(QWidget* parent = nullptr);
    void setSums(const Bleu& sum, double mean, long sentences, int longest);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {230, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Bleu m_sum;
    double m_mean = 0;
    long m_sentences = 0;
    int m_longest = 4;
};

}  // namespace headlight
