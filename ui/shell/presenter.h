// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/lessons/stage_state.h"
#include "ui/session/open/paced_timer.h"
#include "ui/shell/hall_layout.h"
#include "ui/shell/lecture_words.h"
#include "ui/views/present/presenter_slide.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

class RoomStack;
class Workbench;

/// The program on a projector: the sentence, then word by word what the model looks at, in type that the last row
/// reads; then every view of the window as a live picture that can be enlarged. The window follows. While a lesson is
/// open it is a lecture instead: one step a slide, its words beside its stage; words that take more than a column are
/// gone through before the next step comes, and last of all comes the figure alone, where it is too small beside them.
///
/// Left, Right, PageUp, PageDown (and a clicker's keys) turn pages, B blanks the screen, L is a pointer, S a spotlight,
/// + − 0 enlarge, F goes from the figure that matters to the whole view and to its other figures, D turns dark, W puts
/// a lesson's words away, Up and Down go from head to head, comma and point step the computation, Escape leaves.
class Presenter : public QWidget {
    Q_OBJECT
public:
    Presenter(Workbench& workbench, RoomStack& rooms);
    /// The window is as light or dark as it was before, and, unless a lecture was held, where it was.
    ~Presenter() override;

    int pages() const { return static_cast<int>(m_pages.size()); }
    int page() const { return m_page; }
    void showPage(int page);
    /// The slide of this page; a page that is a view of the window has none.
    bool isView() const { return isStep() || m_pages[static_cast<size_t>(m_page)].view.has_value(); }
    /// This page is a step of a lesson.
    bool isStep() const { return m_pages[static_cast<size_t>(m_page)].step >= 0; }
    const PresenterSlide& slide() const { return m_slide; }
    /// Beside the stage of a step.
    const LectureWords& words() const { return *m_words; }
    bool showsWords() const { return isStep() && m_hasWords && !m_isAlone && m_words->columns() > 0; }
    /// The words of the step have been gone through, and its figure, which is too small beside them, has the screen.
    bool isAlone() const { return m_isAlone; }
    /// The next page that has something to say, or what this one has still to say; and back.
    void turn(int by);
    /// The hall, and with it the window, whose views stand in it.
    void setDark(bool dark);
    /// All that can be done is listed.
    bool listsKeys() const { return m_listsKeys && m_hints.isActive(); }
    bool isBlank() const { return m_blank; }
    bool hasLaser() const { return m_laser; }
    double zoom() const { return m_zoom; }
    /// What of the window is painted: a figure of the page's view, or all of it; null: the page has no view.
    QWidget* figure() const { return isView() ? m_hall.figure() : nullptr; }
    /// By how much it is enlarged, in units of a 1440th of the screen's width: letters of 13 are as high as 13 times
    /// it.
    double enlargement() const;
    /// Takes what the view has come to show, as it does by itself many times a second.
    void follow();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Page {
        std::optional<ViewName> view = {};  ///< none: a slide, or a step
        int word = -1;                      ///< of a slide; -1: the sentence
        QString title = {};
        int step = -1;  ///< of the lesson that is open: its title above, its stage below
    };

    void collectPages();
    void makeSlide();
    void turnHead(int by);
    void zoomBy(double factor);
    QWidget* viewOfPage() const;
    void nextFigure();
    void layFigure();
    bool isTooSmall() const;
    double fitOf(const QWidget& figure) const;
    bool saysNothing() const;
    QRectF content() const;
    QRectF figureRoom() const;
    QRectF roomBeside(bool hasWords) const;
    QRectF wordsRoom() const;
    void paintWords(QPainter& painter);
    void paintView(QPainter& painter);
    void paintHeadline(QPainter& painter, const HallColors& colors) const;
    void paintFoot(QPainter& painter, const HallColors& colors) const;
    void paintKeys(QPainter& painter, const HallColors& colors) const;
    void paintMarks(QPainter& painter) const;

    // In units of a 1440th of the screen's width; the headline is of a lesson's step, the inset around a figure.
    static constexpr double kFoot = 76, kMargin = 80, kHeadline = 132, kInset = 14;
    static constexpr double kWordsWidth = 440, kWordsGap = 40;

    Workbench& m_workbench;
    RoomStack& m_rooms;
    std::vector<Page> m_pages;
    int m_page = 0;
    PresenterSlide m_slide;
    LectureWords* m_words;
    bool m_hasWords = true;
    bool m_isAlone = false;
    bool m_blank = false, m_laser = false, m_spotlight = false, m_dark = false;
    bool m_listsKeys = false;
    ThemeManager::Mode m_modeBefore;
    ViewName m_viewBefore;
    bool m_isLecture;  ///< since it was opened
    double m_zoom = 1;
    int m_figure = -1;  ///< 0: the whole view; from 1: its figures; -1: the one that matters
    HallLayout m_hall;
    QPointF m_pointer;
    PacedTimer m_hints;  ///< until the keys are no longer shown
    QTimer m_live;       ///< redraws a view that moves by itself
};

}  // namespace headlight
