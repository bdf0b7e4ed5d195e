// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/python_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "core/json_text.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/session.h"
#include "ui/session/open/shipped.h"

namespace headlight {

namespace {

/// A text of JSON's is one of Python's.
QString quoted(const QString& text) {
    return QString::fromStdString(jsonQuoted(text.toStdString()));
}

/// The one that stands beside this program, else the one that is found.
QString commandLineProgram() {
    const QFileInfo beside(QDir(QCoreApplication::applicationDirPath()), QStringLiteral("headlight-cli"));
    return beside.isExecutable() ? beside.filePath() : QStringLiteral("headlight-cli");
}

const TraceRecord* pointedAt(const Trace& trace, const Selection& selection) {
    for (const QString& name :
         {selection.value(), selection.block() + QStringLiteral(".weights"), QStringLiteral("logits")})
        if (const TraceRecord* record = trace.find(name.toStdString())) return record;
    return nullptr;
}

}  // namespace

std::optional<PythonValue> pythonValueOf(const Session& session, const Selection& selection) {
    if (!session.reading() || !session.reading()->trace) return {};
    const QString model = findModel(session.modelKey(), session.modelHash());
    const TraceRecord* record = pointedAt(*session.reading()->trace, selection);
    if (model.isEmpty() || !record) return {};
    PythonValue value{.model = QFileInfo(model).absoluteFilePath(),
                      .source = session.source(),
                      .target = session.target(),
                      .muted = session.mutedHeads(),
                      .name = QString::fromStdString(record->name)};
    if (!record->axes.empty() && record->axes.front() == Axis::Head) {
        value.heads = record->shape.front();
        value.head = std::clamp(selection.head(), 0, value.heads - 1);
    }
    return value;
}

QString pythonFor(const PythonValue& value) {
    QString text = QStringLiteral("import subprocess\n\nimport numpy\n\nsubprocess.run([\n    ") +
                   quoted(commandLineProgram()) + QStringLiteral(", \"trace\", ") + quoted(value.model) +
                   QStringLiteral(",\n    \"--source\", ") + quoted(value.source);
    if (!value.target.isEmpty()) text += QStringLiteral(", \"--target\", ") + quoted(value.target);
    for (const QString& head : value.muted)
        text += QStringLiteral(",\n    \"--mute\", ") + quoted(head);
    text +=
        QStringLiteral(",\n    \"--only\", ") + quoted(value.name) +
        QStringLiteral(", \"--out\", \"trace.npz\"], check=True)\ntrace = numpy.load(\"trace.npz\")\nvalue = trace[") +
        quoted(value.name) + u']';
    if (value.head >= 0)
        text += QStringLiteral("[%1]  # head %2 of %3").arg(value.head).arg(value.head + 1).arg(value.heads);
    return text + QStringLiteral("\nprint(trace[\"tokens.source\"], value.shape)\nprint(value)\n");
}

}  // namespace headlight
