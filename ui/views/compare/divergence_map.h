// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "core/experiment/hand_change.h"
#include "ui/session/open/divergence.h"

class QPainter;

namespace headlight {

struct TrainedModel;

/// The model's modules in the order of computation, a row for each stack, filled word by word with how far the second
/// reading is from the first there. Where there is no room for each module its layer stands for it. A click or the
/// arrow keys choose a module.
class DivergenceMap : public QWidget {
    Q_OBJECT
public:
    explicit DivergenceMap(QWidget* parent = nullptr);

    /// `trace`, the first reading's, lives until the next call. `silent`: heads without which the second one reads, as
    /// `decoder.layers.1.cross_attn.3`; `changes`: values that were put into it by hand.
    void setReadings(const TrainedModel& model, const Trace& trace, std::vector<Divergence> divergences,
                     const QStringList& silent, const std::vector<HandChange>& changes = {});
    void clear();
    /// Marks the module of a value.
    void setCurrent(const TraceRecord* value);
    /// Marks a word of a stack; −1: none.
    void setWord(Stack stack, int word);

    struct Column {
        Divergence of;
        QString title, shortTitle, silent;
        int layer = -1;          ///< -1: outside of the layers
        double share = 1;        ///< of the width, beside the others
        QRectF area;             ///< of the stripes
        QString scope;           ///< of the module
        bool isChanged = false;  ///< something in it was put in by hand
    };
    struct Band {
        Stack stack = Stack::Only;
        QStringList words;
        std::vector<Column> columns;
        bool isLow = false;  ///< nothing is apart in it: where something is elsewhere, one low line says so
    };
    /// Of every module, whatever there is room for.
    const std::vector<Band>& whole() const { return m_whole; }
    const std::vector<Band>& bands() const { return m_bands; }
    /// Whether layers stand for their modules.
    bool isInLayers() const { return m_titles == Titles::Layers; }

    /// As low as it may be: what is left is shared out by whoever holds it. A layout of words that may need a further
    /// line asks for this and not for the least.
    QSize sizeHint() const override { return {900, leastHeight()}; }
    QSize minimumSizeHint() const override { return {320, 150}; }

signals:
    void chosen(const QString& value);

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Titles { Full, Short, Layers };
    static constexpr double kLabels = 92, kGap = 6, kInset = 8;
    /// Of a band: numbers below it, what stands between two, and a memory's way there.
    static constexpr double kFoot = 18, kBetween = 8, kMemory = 26;
    static constexpr double kMostRow = 40, kLabelRow = 12;
    /// A stack in which nothing is apart, and its modules in it: flat, so that they can be chosen still.
    static constexpr double kLowBand = 34, kLowModule = 12, kLowEdge = (kLowBand - kLowModule) / 2;
    /// What it takes to tell rows apart, and no more than that is asked for. Of more rows than that the words of some
    /// stand beside them; of all up to a dozen, where another stack leaves its room.
    static constexpr double kLeastRow = 12, kLeastMany = 7, kMostLeast = 420;
    static constexpr int kMany = 7, kManyBesideLow = 12;

    static QString percent(double value);
    void layOut();
    void shareRoom();
    /// What all but the rows takes.
    double aroundRows() const;
    /// What it takes to tell its rows apart.
    int leastHeight() const;
    void placeColumns(double top, double row, Band& band) const;
    double between() const;
    bool titlesFit() const;
    double header() const;
    /// Nothing is apart in it, but in another.
    bool isFlat(const Band& band) const;
    double headerOf(const Band& band) const { return isFlat(band) ? kLowEdge : header(); }
    double footOf(const Band& band) const { return isFlat(band) ? kLowEdge : kFoot; }
    /// Does the whole title fit above the column as it is laid out?
    static bool isOneLine(const Column& column);
    QStringList titleOf(const Column& column) const;
    const Column* columnAt(QPointF at) const;
    bool isCurrent(const Column& column) const;
    QColor colorOf(const Band& band) const;
    void paintBand(QPainter& p, const Band& band) const;
    void paintLayers(QPainter& p, const Band& band) const;
    /// What is otherwise in it is told between `from` and `to`.
    void paintColumn(QPainter& p, const Column& column, double from, double to) const;
    void paintFlat(QPainter& p, const Band& band) const;
    void paintWords(QPainter& p, const Band& band) const;
    void paintMemory(QPainter& p) const;

    std::vector<Band> m_whole, m_bands;  ///< every module; what is drawn
    Titles m_titles = Titles::Full;
    QString m_current;  ///< scope of a module
    int m_currentLayer = -1;
    Stack m_currentStack = Stack::Only;
    Stack m_wordStack = Stack::Only;
    int m_word = -1;
};

}  // namespace headlight
