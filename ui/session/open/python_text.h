// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

namespace headlight {

class Selection;
class Session;

/// A value of the trace, and how to come by it without the window.
struct PythonValue {
    QString model;  ///< its file
    QString source;
    QString target = {};  ///< that the model is made to write; empty: its own
    QStringList muted = {};
    QString name;   ///< in the trace
    int head = -1;  ///< of its first axis; −1: all of it
    int heads = 0;
};

/// What is pointed at: the value, else the weights of the attention block, else what the model says at last. Nothing
/// where no sentence is read, or the model is in no file (one that is being trained).
std::optional<PythonValue> pythonValueOf(const Session& session, const Selection& selection);

/// A few lines of Python that have headlight-cli compute the value and load it as an array of NumPy's.
QString pythonFor(const PythonValue& value);

}  // namespace headlight
