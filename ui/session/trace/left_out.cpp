// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/left_out.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>
#include <vector>

#include "core/trace/tracer.h"
#include "ui/session/format/number_format.h"

namespace headlight {

namespace {

struct LeftOutText {
    Q_DECLARE_TR_FUNCTIONS(LeftOut)
};

struct Dispensable {
    Part part;
    ModuleKind kind;
    Part madeOfIt;  ///< there wherever the part is computed
    const char* words;
};
/// In the order in which TraceRecorder goes without them.
constexpr std::array dispensables{
    Dispensable{Part::Scores, ModuleKind::Attention, Part::Weights, QT_TRANSLATE_NOOP("LeftOut", "scores")},
    Dispensable{Part::Mask, ModuleKind::Attention, Part::Weights, QT_TRANSLATE_NOOP("LeftOut", "masks")},
    Dispensable{Part::Hidden, ModuleKind::FeedForward, Part::Activation,
                QT_TRANSLATE_NOOP("LeftOut", "hidden values before the activation")},
    Dispensable{Part::Up, ModuleKind::FeedForward, Part::Gated, QT_TRANSLATE_NOOP("LeftOut", "gates")}};

/// One goes after the other: where one is there, all behind it are.
std::vector<Dispensable> leftOut(const Trace& trace) {
    std::vector<Dispensable> all;
    for (const Dispensable& it : dispensables) {
        const auto has = [&](Part part) {
            return std::ranges::any_of(trace.records(),
                                       [&](const TraceRecord& record) { return record.is(it.kind, part); });
        };
        if (!has(it.madeOfIt)) continue;
        if (has(it.part)) break;
        all.push_back(it);
    }
    return all;
}

QString sentence(const QStringList& parts) {
    if (parts.isEmpty()) return {};
    const QString all =
        parts.size() == 1
            ? parts.first()
            : LeftOutText::tr("%1 and %2").arg(parts.mid(0, parts.size() - 1).join(QStringLiteral(", ")), parts.last());
    return LeftOutText::tr(
               "The %1 of this text are left out: with them its values would take more than %2 MiB. A shorter text has "
               "them.")
        .arg(all, formatCount(static_cast<qint64>(TraceRecorder::usualBytes >> 20)));
}

}  // namespace

QString whyLeftOut(const Trace& trace, Part part) {
    for (const Dispensable& it : leftOut(trace))
        if (it.part == part) return sentence({LeftOutText::tr(it.words)});
    return {};
}

QString whyLeftOut(const Trace& trace) {
    QStringList parts;
    for (const Dispensable& it : leftOut(trace))
        parts << LeftOutText::tr(it.words);
    return sentence(parts);
}

QString whyLeftOut(const Trace& trace, const TraceRecord& computed) {
    for (const Dispensable& it : leftOut(trace))
        if (computed.is(it.kind, it.madeOfIt)) return sentence({LeftOutText::tr(it.words)});
    return {};
}

}  // namespace headlight
