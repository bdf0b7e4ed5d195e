// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QHash>
#include <QPainter>
#include <QPalette>
#include <QPointer>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolTip>
#include <QWidget>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "ui/session/format/number_locale.h"
#include "ui/widgets/theme/focus_ring.h"
#include "ui/widgets/theme/part_roles.h"
#include "ui/widgets/theme/wheel_guard.h"

namespace headlight {
namespace {

Theme makeLight() {
    Theme t;
    t.isDark = false;
    t.bg = 0xF5F6F8, t.surface = 0xFFFFFF, t.sunken = 0xEDEFF3;
    t.line = 0xDFE3E9, t.line2 = 0xC3C9D3;
    t.text = 0x14171F, t.text2 = 0x454C5A, t.text3 = 0x626A79;
    t.ink = 0x14171F, t.onInk = 0xFFFFFF;
    t.now = 0xF0A30A, t.nowLine = 0xC47A00, t.nowText = 0x7F4A00, t.nowTint = 0xFFF1D2, t.beam = 0xFFF6E3;
    t.query = 0x0A4F99, t.queryTint = 0xE2EDF8, t.key = 0xAF430A, t.keyTint = 0xFBE8DD;
    t.value = 0x0A7756, t.valueTint = 0xDDF1EA;
    t.encoder = 0x4A4EA6, t.encoderTint = 0xECECF8, t.decoder = 0x94367A, t.decoderTint = 0xF8EAF3;
    t.good = 0x0A7052, t.goodTint = 0xDDF1EA, t.bad = 0xA8321F, t.badTint = 0xFBE7E3;
    t.hatch = 0xB4BAC6, t.hatchGround = 0xEEF0F4;
    t.sequentialStops = {0xF5F8FB, 0xDEEAF4, 0xBED7EA, 0x96BFDF, 0x68A4CF, 0x3D85BB, 0x1F66A0, 0x124A7B, 0x0B2E52};
    t.divergingStops = {0x7A2E06, 0xB4561E, 0xDA8F5D, 0xF0CCB1, 0xF6F6F5, 0xC0D8EA, 0x7BAED5, 0x2F78B4, 0x0F4473};
    return t;
}

Theme makeDark() {
    Theme t;
    t.isDark = true;
    t.bg = 0x0E1115, t.surface = 0x161A20, t.sunken = 0x1F242C;
    t.line = 0x2A313A, t.line2 = 0x434C59;
    t.text = 0xEEF1F5, t.text2 = 0xB6BECA, t.text3 = 0x8E98A7;
    t.ink = 0xEEF1F5, t.onInk = 0x12151A;
    t.now = 0xFFB938, t.nowLine = 0xFFB938, t.nowText = 0xFFCB6B, t.nowTint = 0x3A2C0E, t.beam = 0x221D12;
    t.query = 0xA5D0FB, t.queryTint = 0x15293D, t.key = 0xF08C55, t.keyTint = 0x3A2216;
    t.value = 0x4FCBA2, t.valueTint = 0x102E25;
    t.encoder = 0xA6A9F2, t.encoderTint = 0x20223A, t.decoder = 0xE49BCA, t.decoderTint = 0x35202F;
    t.good = 0x4FCBA2, t.goodTint = 0x102E25, t.bad = 0xFF9A86, t.badTint = 0x3D1E18;
    t.hatch = 0x4A5462, t.hatchGround = 0x1A1F26;
    t.sequentialStops = {0x1B2129, 0x1C2F40, 0x1E425D, 0x22587D, 0x2C73A3, 0x4793C5, 0x77B3DE, 0xAFD4F0, 0xE6F2FB};
    t.divergingStops = {0xFFCDAA, 0xF0985F, 0xB8642F, 0x683D22, 0x232931, 0x204560, 0x2D77AA, 0x70B5E5, 0xCBE7FA};
    return t;
}

/// Black, white, and lines of 3:1; what is of a kind has the colour that it has in the dark.
Theme makeHighContrast() {
    Theme t = makeDark();
    t.bg = Qt::black, t.surface = Qt::black, t.sunken = 0x1C1C1C;
    t.line = 0x5C5C5C, t.line2 = 0x606060;
    t.text = 0xFFFFFF, t.text2 = 0xF0F0F0, t.text3 = 0xD6D6D6;
    t.ink = 0xFFFFFF, t.onInk = Qt::black;
    t.hatch = 0x8C8C8C, t.hatchGround = 0x141414;
    t.sequentialStops = {0x00040A, 0x001A2E, 0x003657, 0x055583, 0x0476B4, 0x3A98D9, 0x60BBFE, 0xB0DCFF, 0xF6FBFF};
    return t;
}

/// Of each ground, as light as the blue ones at every stop, so that what is written on them is read as well.
constexpr int kVioletToYellow[Theme::kGrounds][9] = {
    {0xFDFAD4, 0xFBE8A3, 0xFEC97B, 0xFE9E64, 0xF06E6A, 0xD2426C, 0xA1297A, 0x6A2179, 0x3D145C},
    {0x2A0D4A, 0x3D145C, 0x5A1C71, 0x82247C, 0xB72C77, 0xDF556A, 0xFA8764, 0xFEC277, 0xFAF2BD},
    {0x0A0016, 0x2A0D4A, 0x4A1866, 0x7C237C, 0xB72C77, 0xDF556A, 0xFA8764, 0xFEC277, 0xFFFCDB}};
constexpr int kGrey[Theme::kGrounds][9] = {
    {0xF8F8F8, 0xE8E8E8, 0xD3D3D3, 0xB9B9B9, 0x9D9D9D, 0x7F7F7F, 0x626262, 0x484848, 0x2D2D2D},
    {0x202020, 0x2D2D2D, 0x3E3E3E, 0x535353, 0x6D6D6D, 0x8B8B8B, 0xABABAB, 0xCECECE, 0xF0F0F0},
    {0x030303, 0x181818, 0x333333, 0x505050, 0x6F6F6F, 0x909090, 0xB2B2B2, 0xD5D5D5, 0xFAFAFA}};

std::atomic<WeightColors> presentColors = WeightColors::Blue;

enum Ground : size_t { Light, Dark, HighContrast };

const Theme& present(Ground ground) {
    return Theme::all()[ground * Theme::kWeightColors].with(presentColors);
}

QColor between(const Theme::Scale& stops, double position) {
    const double at = std::clamp(position, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
    const size_t lower = std::min(static_cast<size_t>(at), stops.size() - 2);
    const double f = at - static_cast<double>(lower);
    const QColor &a = stops[lower], &b = stops[lower + 1];
    const auto mix = [f](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * f)); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

/// Relative luminance (WCAG 2.1); a power for each channel would be most of what a cell takes.
double luminance(const QColor& color) {
    static const std::array<double, 256> linear = [] {
        std::array<double, 256> table{};
        for (size_t i = 0; i < table.size(); ++i) {
            const double v = static_cast<double>(i) / 255;
            table[i] = v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
        }
        return table;
    }();
    const auto of = [](int channel) { return linear[static_cast<size_t>(channel)]; };
    return 0.2126 * of(color.red()) + 0.7152 * of(color.green()) + 0.0722 * of(color.blue());
}

/// Every label asks for its font; making one anew takes as long as drawing the label.
QFont sized(QHash<int, QFont>& known, const QStringList& families, QFont::StyleHint hint, int px, int weight) {
    const int key = px * 1000 + weight;
    if (const auto found = known.constFind(key); found != known.constEnd()) return *found;
    QFont font;
    font.setFamilies(families);
    font.setStyleHint(hint);
    font.setPixelSize(px);
    font.setWeight(static_cast<QFont::Weight>(weight));
    // Hinted advances would make the same label a different width at each size; the mock-ups are unhinted.
    font.setHintingPreference(QFont::PreferNoHinting);
    known.insert(key, font);
    return font;
}

/// Fusion with what a sheet on single widgets does not reach: the corner between two scroll bars, where what is behind
/// shows, and tips, which Qt gives sheets of its own.
class HouseStyle : public QProxyStyle {
public:
    HouseStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override {
        if (element == PE_PanelScrollAreaCorner) return;
        if (element == PE_PanelTipLabel) return painter->fillRect(option->rect, option->palette.toolTipBase());
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        constexpr int kTipPadding = 5;
        return metric == PM_ToolTipLabelFrameWidth ? kTipPadding : QProxyStyle::pixelMetric(metric, option, widget);
    }
};

}  // namespace

const std::array<Theme, Theme::kGrounds * Theme::kWeightColors>& Theme::all() {
    static const auto themes = [] {
        std::array<Theme, kGrounds * kWeightColors> made;
        const Theme grounds[] = {makeLight(), makeDark(), makeHighContrast()};
        for (size_t i = 0; i < made.size(); ++i) {
            const size_t ground = i / kWeightColors;
            made[i] = grounds[ground];
            made[i].number = i;
            const auto colors = static_cast<WeightColors>(i % kWeightColors);
            if (colors == WeightColors::Blue) continue;
            const auto& stops = colors == WeightColors::Grey ? kGrey[ground] : kVioletToYellow[ground];
            std::ranges::copy(stops, made[i].sequentialStops.begin());
        }
        return made;
    }();
    return themes;
}

const Theme& Theme::with(WeightColors colors) const {
    return all()[number / kWeightColors * kWeightColors + static_cast<size_t>(colors)];
}

const Theme& Theme::light() {
    return present(Light);
}

const Theme& Theme::dark() {
    return present(Dark);
}

const Theme& Theme::highContrast() {
    return present(HighContrast);
}

const Theme& Theme::of(const QWidget* widget) {
    const int lightness = widget->palette().color(QPalette::Window).lightness();
    return lightness == 0 ? highContrast() : lightness < 128 ? dark() : light();
}

QColor Theme::sequential(double v) const {
    return between(sequentialStops, v);
}

QColor Theme::diverging(double v, double max) const {
    return between(divergingStops, max > 0 ? 0.5 + 0.5 * v / max : 0.5);
}

QColor Theme::onColor(const QColor& fill) {
    // (L + 0.05) / 0.05 ≥ 1.05 / (L + 0.05): black contrasts at least as well as white.
    const double l = luminance(fill) + 0.05;
    return l * l >= 0.05 * 1.05 ? Qt::black : Qt::white;
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

QFont uiFont(int px, int weight) {
    static const QStringList families = {QStringLiteral("Inter"), QStringLiteral("Noto Sans"),
                                         QFontDatabase::systemFont(QFontDatabase::GeneralFont).family()};
    static QHash<int, QFont> known;
    return sized(known, families, QFont::SansSerif, px, weight);
}

QFont monoFont(int px, int weight) {
    static const QStringList families = {QStringLiteral("JetBrains Mono"), QStringLiteral("Noto Sans Mono"),
                                         QFontDatabase::systemFont(QFontDatabase::FixedFont).family()};
    static QHash<int, QFont> known;
    return sized(known, families, QFont::Monospace, px, weight);
}

ThemeManager::ThemeManager(QApplication* application)
    : QObject(application),
      m_application(application),
      m_systemIsDark(application->palette().color(QPalette::Window).lightness() < 128) {
    setNumberLocale();
    installPartRoles();
    application->setStyle(new HouseStyle);
    application->setFont(uiFont(13));
    QToolTip::setFont(uiFont(12));
    application->installEventFilter(this);
    new FocusRing(application);
    new WheelGuard(application);
    apply();
}

const Theme& ThemeManager::current() const {
    if (m_mode == Mode::HighContrast) return Theme::highContrast();
    const bool dark = m_mode == Mode::Dark || (m_mode == Mode::System && m_systemIsDark);
    return dark ? Theme::dark() : Theme::light();
}

void ThemeManager::setMode(Mode mode) {
    if (mode == m_mode) return;
    m_mode = mode;
    apply();
    emit changed();
}

void ThemeManager::toggle() {
    setMode(current().isDark ? Mode::Light : Mode::Dark);
}

WeightColors ThemeManager::weightColors() {
    return presentColors;
}

void ThemeManager::setWeightColors(WeightColors colors) {
    if (presentColors.exchange(colors) == colors) return;
    // The palette is the same, and what is drawn by it is not.
    QList<QPointer<QWidget>> all;  // some make their parts anew
    for (QWidget* const widget : QApplication::allWidgets())
        all << widget;
    for (const QPointer<QWidget>& widget : all) {
        if (!widget) continue;
        QEvent event(QEvent::PaletteChange);
        QApplication::sendEvent(widget, &event);
        if (widget) widget->update();
    }
    emit changed();
}

void ThemeManager::apply() {
    m_application->setPalette(palette(current()));
    // Qt hands it on by itself only while it waits for events.
    for (QWidget* const window : QApplication::topLevelWidgets())
        window->setPalette(window->palette());
    m_sheet = styleSheet(current());
    m_scrollBarSheet = scrollBarSheet(current());
    for (QWidget* const widget : QApplication::allWidgets())
        if (widget->testAttribute(Qt::WA_WState_Polished) && carriesSheet(*widget))
            widget->setStyleSheet(sheetOf(*widget));
}

bool ThemeManager::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Polish && watched->isWidgetType())
        if (auto* const widget = static_cast<QWidget*>(watched); carriesSheet(*widget))
            widget->setStyleSheet(sheetOf(*widget));
    return QObject::eventFilter(watched, event);
}

}  // namespace headlight

#include "moc_theme.cpp"
