// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/views/subwords/subwords_shown.h"
#include "ui/widgets/controls/panel.h"

class QLabel;

namespace headlight {

/// The merges in their order, sixty at a time, with how often each pair stood there; those to come are empty.
class MergeList : public QWidget {
    Q_OBJECT
public:
    explicit MergeList(QWidget* parent = nullptr);

    static constexpr int kPage = 60;
    void show(std::shared_ptr<const SubwordsShown> shown);
    /// The first merge that is shown, from 0, and where one stands.
    int first() const;
    QRectF cellRect(int merge) const;
    QSize sizeHint() const override { return {352, 400}; }
    QSize minimumSizeHint() const override { return {240, 300}; }

signals:
    void mergesChosen(int merges);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    std::shared_ptr<const SubwordsShown> m_shown;
};

/// How one word is cut: from its letters, a merge a row.
class WordLadder : public QWidget {
    Q_OBJECT
public:
    explicit WordLadder(QWidget* parent = nullptr);

    void show(std::shared_ptr<const SubwordsShown> shown);
    /// Rungs that there is room for: all, or the first and the last ones.
    int rungs() const;
    QSize sizeHint() const override { return {352, 190}; }
    QSize minimumSizeHint() const override { return {240, 80}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintRung(QPainter& p, size_t step, double middle, double height) const;

    std::shared_ptr<const SubwordsShown> m_shown;
};

/// Beside the text: the merges, and the chosen word's ladder.
class SubwordsSide : public Panel {
    Q_OBJECT
public:
    explicit SubwordsSide(QWidget* parent = nullptr);

    void show(const std::shared_ptr<const SubwordsShown>& shown);
    /// Whether there are merges to play; otherwise it is not there.
    void setPlayed(bool isPlayed);
    MergeList* list() const { return m_list; }
    WordLadder* ladder() const { return m_ladder; }
    QLabel* story() const { return m_story; }

private:
    MergeList* m_list;
    QLabel *m_note, *m_title, *m_inText;
    WordLadder* m_ladder;
    QLabel* m_story;
};

}  // namespace headlight
