// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantAnimation>
#include <QWidget>

#include "ui/session/open/heads_story.h"

namespace headlight {

struct Theme;

/// What a model in training writes when it is left to itself, at the step that is looked at: the words type themselves
/// anew from the first letter that changed. Beside it what it wrote before, with the words marked that were new.
class WrittenWords : public QWidget {
    Q_OBJECT
public:
    explicit WrittenWords(HeadsStory* story, QWidget* parent = nullptr);

    /// The letters that stand there just now.
    QString typed() const { return m_text.left(m_letters); }
    /// "the same at every frame since step 300, and right"; of what is wrong only the reference where there is little
    /// room.
    QString verdict(double room) const;

    QSize sizeHint() const override { return {900, 112}; }
    QSize minimumSizeHint() const override { return {300, 84}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();
    bool isRight() const;
    void paintNow(QPainter& painter, double width, const Theme& theme) const;
    void paintBefore(QPainter& painter, const QRectF& box, const Theme& theme) const;
    double paintWriting(QPainter& painter, QPointF at, double right, const HeadsStory::Writing& writing,
                        const Theme& theme) const;

    HeadsStory* m_story;
    std::vector<HeadsStory::Writing> m_writings;  ///< up to the step that is looked at
    QString m_text;
    qsizetype m_letters = 0;
    QVariantAnimation m_typing;
};

}  // namespace headlight
