// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <array>

class QApplication;
class QWidget;

namespace headlight {

/// What a weight's colour runs through. Of each two neighbours are told apart by colour-blind eyes, and larger is
/// always stronger to them.
enum class WeightColors { Blue, VioletToYellow, Grey };

/// Every colour of the program, for one ground. Chrome is achromatic, colour is data, amber means "here, now".
struct Theme {
    using Scale = std::array<QColor, 9>;
    static constexpr size_t kGrounds = 3, kWeightColors = 3;

    size_t number;  ///< among all(): what is drawn by it is kept under this
    bool isDark;
    QColor bg, surface, sunken;
    QColor line, line2;
    QColor text, text2, text3;
    QColor ink, onInk;
    QColor now, nowLine, nowText, nowTint, beam;
    QColor query, queryTint, key, keyTint, value, valueTint;
    QColor encoder, encoderTint, decoder, decoderTint;
    QColor good, goodTint, bad, badTint;
    QColor hatch, hatchGround;
    Scale sequentialStops, divergingStops;

    /// With the colours of weights that the reader chose.
    static const Theme& light();
    static const Theme& dark();
    static const Theme& highContrast();
    /// The same ground with other colours of weights.
    const Theme& with(WeightColors colors) const;
    static const std::array<Theme, kGrounds * kWeightColors>& all();
    /// The theme that the widget's palette was made from: a figure can be drawn light inside a dark program.
    static const Theme& of(const QWidget* widget);

    /// Colour of a weight or probability, 0..1; never rescaled to one matrix, so that pictures compare.
    QColor sequential(double value) const;
    /// Colour of a signed value between -max and +max.
    QColor diverging(double value, double max) const;
    /// Black or white, whichever contrasts more with that exact fill.
    static QColor onColor(const QColor& fill);
};

/// WCAG contrast ratio, 1..21.
double contrast(const QColor& a, const QColor& b);

/// Interface text; `px` is the size in device-independent pixels.
QFont uiFont(int px, int weight = QFont::Normal);
/// Numbers and shapes: every digit has the same width.
QFont monoFont(int px, int weight = QFont::Normal);

/// Puts a Theme on the application: palette and style sheet are made here and nowhere else. The application owns one.
/// The sheet is carried by the widgets that it is about. On the application it would be asked of all others, too, and
/// of whole trees of them whenever one gets a parent: half of what opening the window takes.
class ThemeManager : public QObject {
    Q_OBJECT
public:
    enum class Mode { Light, Dark, System, HighContrast };

    explicit ThemeManager(QApplication* application);

    const Theme& current() const;
    Mode mode() const { return m_mode; }
    void setMode(Mode mode);
    /// From whatever shows now to the other one.
    void toggle();
    static WeightColors weightColors();
    void setWeightColors(WeightColors colors);

    static QPalette palette(const Theme& theme);
    /// For Qt's own widgets, the bars of what scrolls among them.
    static QString styleSheet(const Theme& theme);

signals:
    void changed();

protected:
    /// Before it is seen first, a widget is dressed.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void apply();
    /// Whether the sheet is about it, and not about what it stands in, which hands it on.
    static bool carriesSheet(const QWidget& widget);
    /// A bar that stands by itself needs no other rules.
    QString sheetOf(const QWidget& widget) const;
    static QString scrollBarSheet(const Theme& theme);

    QApplication* m_application;
    QString m_sheet, m_scrollBarSheet;
    bool m_systemIsDark;
    Mode m_mode = Mode::System;
};

}  // namespace headlight
