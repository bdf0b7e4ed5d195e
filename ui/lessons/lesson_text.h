// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QStringList>
#include <QTextBrowser>
#include <QWheelEvent>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/lessons/lesson.h"

namespace headlight {

class LessonPlayer;

/// A lesson's words: Markdown, with formulas set in the line, terms that show what they mean under the pointer (or by
/// Tab and Enter), and numbers that light where they stand on the stage. As high as its text.
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
    /// Says what a number is, and whether the stage shows it: that one is lit.
    void setNumbers(std::function<QString(const NumberName&)> describe, std::function<bool(const NumberName&)> isShown);
    /// Asks anew which numbers are shown.
    void lightNumbers();
    /// The numbers of the text, and the words that point at one, in its order.
    struct Pointer {
        NumberName number;
        int position = 0, length = 0;
        bool isLit = false;
    };
    const std::vector<Pointer>& pointers() const { return m_pointers; }

    QVariant loadResource(int type, const QUrl& name) override;
    QSize minimumSizeHint() const override { return {80, 10}; }

signals:
    /// A link to another lesson.
    void lessonWanted(const QString& slug);
    /// A number is pointed at; nothing: no longer.
    void numberPointed(const std::optional<headlight::NumberName>& number);
    void numberChosen(const headlight::NumberName& number);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
    void leaveEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void build();
    void dressUp();
    void pointAt(const QUrl& link);
    void pointAt(const std::optional<NumberName>& number);
    void follow(const QUrl& link);
    void showMeaning(const QString& target);
    void say(const QString& text);
    void fit();

    int m_fontPx;
    QString m_markdown;
    QStringList m_formulas;
    std::function<QString(const QString&)> m_meanings;
    std::function<QString(const NumberName&)> m_describe;
    std::function<bool(const NumberName&)> m_isShown;
    std::vector<Pointer> m_pointers;
    std::optional<NumberName> m_pointed;
    std::vector<QImage> m_pictures;  ///< of the formulas, in their order
    int m_missing = 0;
};

/// The size of a lesson's words in its panel.
constexpr int kLessonPx = 15;

/// A text of the open lesson: its numbers filled in (at once, or as soon as they are there), its terms and links alive.
LessonText* lessonText(LessonPlayer& player, const std::string& markdown, int fontPx = kLessonPx);

}  // namespace headlight
