// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <vector>

#include "ui/session/trace/stream_picture.h"

class QPainter;

namespace headlight {

struct Theme;

/// A batch of sentences as rows of numbers: what a layer norm averages over, the row of one word, and what a batch norm
/// would, the column of one number. Below it, what the number becomes in batches of several sizes.
class BatchColumns : public QWidget {
    Q_OBJECT
public:
    explicit BatchColumns(QWidget* parent = nullptr);

    struct Shown {
        int width = 0;                              ///< numbers a word
        int row = 0, unit = 0;                      ///< from 0; the row is of the first sentence
        std::vector<std::vector<float>> sentences;  ///< this one first, row-major
        std::vector<char> hidden = {};  ///< of the first sentence, until the reader has predicted them; empty: none
        std::vector<InCompany> company;
        bool isCompanyHidden = false;
        bool isRms = false;
        bool batchIsKnown = true;  ///< there are other sentences, or they are still being read
    };
    void setShown(Shown shown);
    const Shown& shown() const { return m_shown; }
    /// Colours run from minus that to that.
    double most() const { return m_most; }
    /// Where a number of a sentence stands.
    QRectF cellRect(int sentence, int row, int unit) const;
    QRectF rowFrame() const;
    QRectF columnFrame() const;

    static constexpr int kMostRows = 10;  ///< of a sentence; longer ones are cut, and this one says so
    QSize sizeHint() const override { return {352, 330}; }
    QSize minimumSizeHint() const override { return {200, 236}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool isAsked(size_t at) const { return at < m_shown.hidden.size() && m_shown.hidden[at] != 0; }
    /// Of what the number becomes.
    QString written(double number) const;
    int rowsOf(int sentence) const;
    int shownRows() const;
    int firstRow(int sentence) const;
    double rowHeight() const;
    double sentenceTop(int sentence) const;
    double tableTop() const { return height() - 68.0; }
    void paintSentence(QPainter& p, const Theme& t, int sentence) const;
    void paintLegend(QPainter& p, const Theme& t) const;
    void paintTable(QPainter& p, const Theme& t) const;

    Shown m_shown;
    double m_most = 1;
};

}  // namespace headlight
