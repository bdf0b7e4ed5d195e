// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QFrame>
#include <QHash>
#include <QLabel>
#include <QPointer>
#include <QSlider>

#include "ui/widgets/controls/foldable.h"
#include "ui/widgets/theme/icon.h"

class QButtonGroup;
class QHBoxLayout;
class QVBoxLayout;

namespace headlight {

/// Of a row within a layout, as its widgets want it now: by itself it keeps the width it had until the next round of
/// events, so that what is asked in between hangs on how busy the machine is.
int wantedWidth(QLayout& row);

/// A push button: Primary is filled with ink, one a screen; Ghost has a border; Plain shows only its icon or label.
class Button : public QAbstractButton {
    Q_OBJECT
public:
    enum class Kind { Primary, Ghost, Plain };

    Button(Kind kind, const QString& label, Icon icon = Icon::None, QWidget* parent = nullptr);

    void setIcon(Icon icon);
    void setKind(Kind kind);
    /// 32 px in tool bars, 28 px elsewhere.
    void setHeight(int height);
    /// Where room is short; the label is still what the button is called. One without an icon keeps it.
    void setIconAlone(bool alone);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString label() const { return m_iconAlone && m_icon != Icon::None ? QString() : text(); }

    Kind m_kind;
    Icon m_icon;
    int m_height = 32;
    bool m_iconAlone = false;
};

/// One of a few: tabs, Weights/Scores. Arrow keys move the choice.
class SegmentedControl : public QWidget {
    Q_OBJECT
public:
    explicit SegmentedControl(const QStringList& items, QWidget* parent = nullptr);

    /// In a well, or as the tabs of a header as high as that, the chosen one underlined.
    enum class Look { Well, Underlined };
    void setLook(Look look);
    void setItems(const QStringList& items);
    int count() const;
    int currentIndex() const;
    /// −1: none.
    void setCurrentIndex(int index);
    /// An item that cannot be chosen says why; empty: it can.
    void setItemDisabled(int index, const QString& why);
    bool isItemEnabled(int index) const;
    /// One that can be chosen, and has little to offer.
    void setItemPale(int index, bool pale, const QString& tip);
    bool isItemPale(int index) const;
    /// Where others are, an item that is not shown is not reached by keys either.
    void setItemShown(int index, bool shown);
    bool isItemShown(int index) const;
    int itemWidth(int index) const;
    /// Of what stands around the items.
    int frameWidth() const;

signals:
    void currentChanged(int index);
    /// By the reader, whether or not it was the current one; after currentChanged().
    void clicked(int index);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QButtonGroup* m_group;
    QHBoxLayout* m_row;
    Look m_look = Look::Well;
};

class CardCaption;

/// A white panel with a title, a caption beside it, or below where it is too long for that, and what it holds. In its
/// corner, where the pointer is, a button by which it is copied or exported as a figure (FigureEvent).
class Card : public Foldable {
    Q_OBJECT
public:
    explicit Card(const QString& title, const QString& caption = {}, QWidget* parent = nullptr);

    QString title() const;
    void setTitle(const QString& title);
    void setCaption(const QString& caption);
    /// Below the title row; margins 20 px are the card's own.
    QVBoxLayout* body() const { return m_body; }
    /// There is then no title, and nothing beside one.
    void removeHeader();
    /// The title row, for what stands at its right end.
    QHBoxLayout* header() const { return m_header; }

protected:
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeCaption();

    QLabel* m_title;
    QAbstractButton* m_corner;  ///< where the pointer is: the card as a figure
    QString m_caption;
    CardCaption* m_beside;
    CardCaption* m_below;
    QHBoxLayout* m_header;
    QVBoxLayout* m_body;
};

/// A place in the activity rail: icon above label.
class RailButton : public QAbstractButton {
    Q_OBJECT
public:
    RailButton(Icon icon, const QString& label, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {52, 52}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Icon m_icon;
};

/// A horizontal slider with the round handle of the house; `now` paints the filled part amber.
class Slider : public QSlider {
    Q_OBJECT
public:
    enum class Fill { Ink, Now };

    explicit Slider(Fill fill = Fill::Ink, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {240, 24}; }

    /// The label that writes its value: what a screen reader says.
    const QLabel* valueLabel() const { return m_valueLabel; }
    void setValueLabel(const QLabel* label) { m_valueLabel = label; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    int valueAt(double x) const;

    Fill m_fill;
    QPointer<const QLabel> m_valueLabel;
};

/// A label whose colour follows the theme. One that may shrink (size policy Ignored) ends in an ellipsis.
class Caption : public QLabel {
    Q_OBJECT
public:
    enum class Tone { Main, Secondary, Faint, Data, Now };  ///< Data: the blue of weights and training curves

    Caption(const QString& text, int px, int weight, Tone tone, QWidget* parent = nullptr);

    /// Remembers its answers: layouts ask at every turn, and laying lines out is most of what a page takes.
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// What the heights were measured of.
    struct Measured {
        QString text;
        QFont font;
        QMargins margins;
        Qt::TextFormat format = Qt::AutoText;
        bool wraps = false;

        bool operator==(const Measured&) const = default;
    };

    void applyTheme();

    Tone m_tone;
    mutable Measured m_measured;
    mutable QHash<int, int> m_heights;  ///< by the width
};

}  // namespace headlight
