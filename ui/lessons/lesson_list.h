// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QAbstractButton;
class QLabel;
class QVBoxLayout;

namespace headlight {

class Button;
class ComboBox;
class LessonCard;
class LessonLibrary;

/// All lessons with how far the reader is; the language, another folder, and what is wrong in that folder.
class LessonList : public QWidget {
    Q_OBJECT
public:
    explicit LessonList(LessonLibrary& library, QWidget* parent = nullptr);

    QAbstractButton* card(int index) const;

signals:
    void lessonChosen(const QString& slug);
    void failed(const QString& message);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fill();
    void askForFolder();
    void exportProgress();

    LessonLibrary& m_library;
    QLabel* m_subtitle;
    ComboBox* m_language;
    Button* m_shipped;
    QLabel* m_mistakes;
    QWidget* m_grid = nullptr;
    QVBoxLayout* m_column;
    std::vector<LessonCard*> m_cards;
};

}  // namespace headlight
