// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QSizeF>
#include <QWidget>
#include <vector>

namespace headlight {

/// What of a view stands on the projector, laid out for the last row of a hall: the figure takes no more of the window
/// than is left where its smallest letters are large enough there, and lays itself out in that, with fewer rows and
/// columns around what is pointed at. The window shows it so as long as it stands there, for what is pointed at in the
/// one is pointed at in the other.
class HallLayout {
public:
    /// The smallest letters of a figure in the window, and what they have to be on the projector, in units of a 1440th
    /// of its width: 24 px of 1920.
    static constexpr double kSmallestLetters = 11, kLeastLetters = 18;
    enum class Which {
        Matters,  ///< the figure that matters; the whole view, where none does
        Largest,  ///< or the largest one, where none does
        Whole,    ///< the whole view, as the window has it
        Figure    ///< one of figuresOf()
    };

    HallLayout() = default;
    HallLayout(const HallLayout&) = delete;
    HallLayout& operator=(const HallLayout&) = delete;
    ~HallLayout() { release(); }

    /// `room`: for it on the projector; `unit`: a 1440th of the projector's width. `figure`: which, from 0.
    void show(QWidget* view, Which which, size_t figure, QSizeF room, double unit);
    /// Once more, where the view has come to have other figures, a cell is kept in another one, or what stands there
    /// needs more room.
    void follow();
    /// The window has its figure back.
    void release();

    /// By how much the figure has to be enlarged, in units of a 1440th of the projector's width.
    double needed() const;
    /// By how much it could be in another room, and no more than is needed; in its pixels. 0: it is not laid out.
    double most(QSizeF room) const;
    const QWidget* view() const { return m_view; }
    /// Null: there is no view.
    QWidget* figure() const { return m_figure; }
    /// So many figures the view has.
    size_t count() const { return m_figures.size(); }

private:
    struct Seen {
        std::vector<QWidget*> figures;
        QWidget* kept = nullptr;
        QSize least;  ///< of what stands there
        bool operator==(const Seen&) const = default;
    };
    Seen seen() const;
    /// In pixels of the window, in which its letters are large enough.
    QSize roomFor() const;
    void lay(QWidget& figure);

    QPointer<QWidget> m_view, m_figure;
    Which m_which = Which::Matters;
    size_t m_wanted = 0;
    QSizeF m_room;
    double m_unit = 1;
    std::vector<QPointer<QWidget>> m_figures;  ///< as the window has them
    QSize m_before;                            ///< the most that m_figure took before
    Seen m_seen;
    bool m_isNew = false;  ///< m_seen is of what was laid out before
};

}  // namespace headlight
