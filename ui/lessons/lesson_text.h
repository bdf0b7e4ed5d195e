// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QStringList>
#include <QTextBrowser>
#include <QWheelEvent>
#include <functional>
#include <string>
#include <vector>

namespace headlight {

class LessonPlayer;

/// A lesson's words: Markdown, with formulas set in the line and terms that show what they mean under the pointer (or
/// by Tab and Enter). As high as its text.
class LessonText : public QTextBrowser {
    Q_OBJECT
public:
    explicit LessonText(int fontPx, QWidget* parent = nullptr);

    /// `formulas`: the folders with their pictures.
    void setText(const QString& markdown, const QStringList& formulas);
    /// Says what a term means.
    void setMeanings(std::function<QString(const QString& term)> meanings) { m_meanings = std::move(meanings); }
    /// Formulas of the text that have no picture and stand as TeX.
    int missingFormulas() const { return m_missing; }

    QVariant loadResource(int type, const QUrl& name) override;
    QSize minimumSizeHint() const override { return {80, 10}; }

signals:
    /// A link to another lesson.
    void lessonWanted(const QString& slug);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }

private:
    void build();
    void dressUp();
    void showMeaning(const QUrl& link);
    void fit();

    int m_fontPx;
    QString m_markdown;
    QStringList m_formulas;
    std::function<QString(const QString&)> m_meanings;
    std::vector<QImage> m_pictures;  ///< of the formulas, in their order
    int m_missing = 0;
};

/// A text of the open lesson: its numbers filled in (at once, or as soon as they are there), its terms and links alive.
LessonText* lessonText(LessonPlayer& player, const std::string& markdown);

}  // namespace headlight
