// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <optional>
#include <vector>

#include "ui/session/trace/stream_picture.h"

class QPainter;

namespace headlight {

struct Theme;

/// The five vectors of a word as bars, one below the other, each with how its numbers are distributed and what their
/// mean, deviation and length are. One number is followed through all five. All rows have one scale, unless the stream
/// is so long that the rest could not be seen beside it: then those inside of the sublayer have their own, and each row
/// says its scale.
class ProfileStack : public QWidget {
    Q_OBJECT
public:
    explicit ProfileStack(QWidget* parent = nullptr);

    /// Nothing: outlines.
    void setWord(std::optional<StreamWord> word);
    /// From 0.
    void setUnit(int unit);
    int unit() const { return m_unit; }

    /// Where the bar of number `unit` in profile `row` stands; of one that is hidden, as high as its row.
    QRectF barRect(int row, int unit) const;
    /// So many numbers of a profile lie between `from` and `from` + binWidth().
    struct Bin {
        double from = 0;
        int count = 0;
    };
    std::vector<Bin> bins(int row) const;
    double binWidth(int row) const;
    QRectF binRect(int row, const Bin& bin) const;
    /// Pixels for 1 in a row.
    double unitHeight(int row) const;
    bool hasTwoScales() const { return m_scales[0] != m_scales[1]; }
    const std::optional<StreamWord>& word() const { return m_word; }
    QRectF rowRect(int row) const;

    QSize sizeHint() const override { return {900, 480}; }
    QSize minimumSizeHint() const override { return {420, 260}; }

signals:
    void unitChosen(int unit);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Row {
        double top = 0, bottom = 0, zero = 0;  ///< pixels
        double low = 0, high = 0;              ///< values
        bool inside = false;                   ///< of the sublayer: on the second scale
    };
    static QString describe(const StreamProfile& profile, int unit);
    void layOut();
    void choose(int unit);
    double yOf(int row, double value) const;
    double barsWidth() const;
    double statsLeft() const;
    double histogramLeft() const;
    void paintOutlines(QPainter& p, const Theme& t) const;
    void paintRow(QPainter& p, const Theme& t, int row) const;
    void paintScale(QPainter& p, const Theme& t, int row) const;
    void paintBars(QPainter& p, const Theme& t, int row) const;
    void paintHistogram(QPainter& p, const Theme& t, int row) const;
    void paintMoments(QPainter& p, const Theme& t, int row) const;
    void paintChosen(QPainter& p, const Theme& t, int row) const;
    void paintJoints(QPainter& p, const Theme& t) const;
    void paintNumbers(QPainter& p, const Theme& t) const;
    int mostInABin() const;

    std::optional<StreamWord> m_word;
    std::vector<Row> m_rows;
    std::array<double, 2> m_scales{1, 1};  ///< pixels for 1: of the stream, inside of the sublayer
    int m_unit = 0;
};

}  // namespace headlight
