// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/page_style.h"

#include <utility>

#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

QByteArray variables(const Theme& t) {
    const std::pair<const char*, QColor> colors[] = {
        {"bg", t.bg},
        {"surface", t.surface},
        {"sunken", t.sunken},
        {"line", t.line},
        {"line2", t.line2},
        {"text", t.text},
        {"text2", t.text2},
        {"text3", t.text3},
        {"ink", t.ink},
        {"onink", t.onInk},
        {"now", t.now},
        {"nowline", t.nowLine},
        {"nowtext", t.nowText},
        {"nowtint", t.nowTint},
        {"query", t.query},
        {"querytint", t.queryTint},
        {"key", t.key},
        {"keytint", t.keyTint},
        {"value", t.value},
        {"encoder", t.encoder},
        {"encodertint", t.encoderTint},
        {"decoder", t.decoder},
        {"decodertint", t.decoderTint},
        {"good", t.good},
        {"goodtint", t.goodTint},
        {"bad", t.bad},
        {"badtint", t.badTint},
        {"hatch", t.hatch},
        {"hatchground", t.hatchGround},
    };
    QByteArray css = QByteArray("color-scheme: ") + (t.isDark ? "dark;" : "light;");
    const auto add = [&css](const QByteArray& name, const QColor& color) {
        css += " --" + name + ": " + color.name().toLatin1() + ";";
    };
    for (const auto& [name, color] : colors)
        add(name, color);
    for (size_t i = 0; i < t.sequentialStops.size(); ++i) {
        add("sequential" + QByteArray::number(i), t.sequentialStops[i]);
        add("diverging" + QByteArray::number(i), t.divergingStops[i]);
    }
    return css;
}

}  // namespace

QByteArray pageColors() {
    const QByteArray dark = variables(Theme::dark());
    return ":root { " + variables(Theme::light()) +
           " }\n@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { " + dark +
           " } }\n:root[data-theme=dark] { " + dark + " }\n";
}

}  // namespace headlight
