// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QString>
#include <QWidget>
#include <memory>
#include <optional>

#include "core/io/trained_model.h"
#include "core/lessons/stage_state.h"
#include "ui/session/open/background.h"
#include "ui/session/trace/head_glance.h"

class QLabel;
class QScrollArea;

namespace headlight {

class Button;
class HeadRibbons;

/// The first thing that is seen: a sentence to be typed, and what the sharpest head of the model that the program
/// begins with looks at while it translates it. Translated as it is typed, on a thread of its own; the newest sentence
/// wins.
class FirstLook : public QWidget {
    Q_OBJECT
public:
    explicit FirstLook(QWidget* parent = nullptr);

    /// Who is told that a sentence is being read; null: nobody.
    void setSettling(Settling* settling) { m_reads.setSettling(settling); }
    /// The lesson that the second button leads to, and how it is called there.
    void setLesson(const QString& slug, const QString& label, int minutes);
    /// Whoever has begun a lesson has read what this is: the sentence, and a low picture of what the head looks at.
    void setFolded(bool folded);

    QLineEdit* field() const { return m_field; }
    HeadRibbons* ribbons() const { return m_ribbons; }
    Button* inside() const { return m_inside; }
    Button* start() const { return m_start; }
    /// What is true of the picture; or what to do, or what is wrong.
    QString said() const;
    /// Of the sentence that was read last; nothing where there is none.
    const std::optional<HeadGlance>& glance() const { return m_glance; }

signals:
    /// The sentence and the head on the stage.
    void insideWanted(const headlight::StageState& state);
    void lessonWanted(const QString& slug);
    /// A sentence is read, or cannot be.
    void answered();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Answer {
        std::shared_ptr<const TrainedModel> model;
        QString text;
        std::optional<HeadGlance> glance;
    };
    QWidget* makeWords();
    QWidget* makePicture();
    /// Null: the model's own example.
    void read(const QString& text);
    void take(const Answer& answer);
    void clear(const QString& why);
    void showFact(const QString& fact);
    void introduce(const TrainedModel& model);
    void goInside();

    QLabel *m_heading, *m_words, *m_language, *m_minutes, *m_fact;
    QLineEdit* m_field;
    Button *m_inside, *m_start;
    HeadRibbons* m_ribbons;
    QScrollArea* m_area = nullptr;
    bool m_isFolded = false;
    QString m_slug;
    bool m_hasBegun = false;    ///< to read
    bool m_goesInside = false;  ///< as soon as what is typed is read
    std::shared_ptr<const TrainedModel> m_model;
    std::optional<HeadGlance> m_glance;
    Background m_reads{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
