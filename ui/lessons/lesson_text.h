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
#include "core/lessons/stage_dial.h"

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
    /// Lines of a program: as they are, in letters of one width; one that is too long goes on below, set in.
    void setCode(const QString& code);
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

    /// Says what the stage has of a number that can be dragged, and shows the text anew once that is another.
    void setDials(std::function<double(const StageDial&)> value, std::function<void()> refill);
    /// Those of the text, in its order.
    struct Dial {
        StageDial dial;
        double value = 0;  ///< as it is printed
        int position = 0, length = 0;
    };
    const std::vector<Dial>& dials() const { return m_dials; }
    /// Prints them anew where the stage has others.
    void followDials();
    /// Where one stands, in the viewport.
    QRect dialArea(size_t dial) const;

    QVariant loadResource(int type, const QUrl& name) override;
    QSize minimumSizeHint() const override { return {80, 10}; }

signals:
    /// A link to another lesson.
    void lessonWanted(const QString& slug);
    /// A number is pointed at; nothing: no longer.
    void numberPointed(const std::optional<headlight::NumberName>& number);
    void numberChosen(const headlight::NumberName& number);
    /// The reader drags a number, or turns it by the arrow keys.
    void dialTurned(const QString& field, double value);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
    void leaveEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void build();
    void dressUp();
    void dressUpCode();
    void pointAt(const QUrl& link);
    void pointAt(const std::optional<NumberName>& number);
    void follow(const QUrl& link);
    void showMeaning(const QString& target);
    void say(const QString& text);
    void fit();
    std::optional<size_t> dialAt(const QPoint& place) const;
    std::optional<size_t> focusedDial() const;
    void turn(size_t dial, double value);

    int m_fontPx;
    QString m_markdown;
    bool m_isCode = false;
    QStringList m_formulas;
    std::function<QString(const QString&)> m_meanings;
    std::function<QString(const NumberName&)> m_describe;
    std::function<bool(const NumberName&)> m_isShown;
    std::vector<Pointer> m_pointers;
    std::optional<NumberName> m_pointed;
    std::function<double(const StageDial&)> m_dialled;
    std::function<void()> m_refill;
    std::vector<Dial> m_dials;
    struct Drag {
        size_t dial = 0;
        double from = 0;  ///< its value as it was taken
        int x = 0;
    };
    std::optional<Drag> m_drag;
    std::vector<QImage> m_pictures;  ///< of the formulas, in their order
    int m_missing = 0;
};

/// The size of a lesson's words in its panel.
constexpr int kLessonPx = 15;
constexpr int kCodePx = 12;

/// A text of the open lesson: its numbers filled in (at once, or as soon as they are there), its terms and links alive.
LessonText* lessonText(LessonPlayer& player, const std::string& markdown, int fontPx = kLessonPx);
/// What a program of the open lesson prints, its numbers filled in likewise.
LessonText* printedText(LessonPlayer& player, const std::string& prints, int fontPx = kCodePx);

}  // namespace headlight
