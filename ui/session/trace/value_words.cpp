// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/value_words.h"

#include <QCoreApplication>

#include "ui/session/trace/cell_arithmetic.h"

namespace headlight {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ValueWords", text);
}

struct PartTitle {
    const char* part;  ///< the end of a record's name, from a dot or an underscore on
    const char* title;
};

/// The longer ending first, where one is the end of another.
constexpr PartTitle kTitles[] = {
    {"attn.output", QT_TRANSLATE_NOOP("ValueWords", "Joined")},
    {"ffn.output", QT_TRANSLATE_NOOP("ValueWords", "Output")},
    {"ffn.hidden", QT_TRANSLATE_NOOP("ValueWords", "Hidden")},
    {"gates.input", QT_TRANSLATE_NOOP("ValueWords", "Input gate")},
    {"gates.forget", QT_TRANSLATE_NOOP("ValueWords", "Forget gate")},
    {"gates.output", QT_TRANSLATE_NOOP("ValueWords", "Output gate")},
    {"gates.reset", QT_TRANSLATE_NOOP("ValueWords", "Reset gate")},
    {"gates.update", QT_TRANSLATE_NOOP("ValueWords", "Update gate")},
    {"gates.cell_candidate", QT_TRANSLATE_NOOP("ValueWords", "Candidate")},
    {"gates.candidate", QT_TRANSLATE_NOOP("ValueWords", "Candidate")},
    {"encoder.output", QT_TRANSLATE_NOOP("ValueWords", "Memory")},
    {"encoder.state", QT_TRANSLATE_NOOP("ValueWords", "Thought vector")},
    {"decoder.output", QT_TRANSLATE_NOOP("ValueWords", "Decoder output")},
    {"log_probs", QT_TRANSLATE_NOOP("ValueWords", "Log-probabilities")},
    {"positional_encoding", QT_TRANSLATE_NOOP("ValueWords", "Positions")},
    {"ids", QT_TRANSLATE_NOOP("ValueWords", "Ids")},
    {"embedding", QT_TRANSLATE_NOOP("ValueWords", "Embedding")},
    {"input", QT_TRANSLATE_NOOP("ValueWords", "X")},
    {"q", QT_TRANSLATE_NOOP("ValueWords", "Q")},
    {"k", QT_TRANSLATE_NOOP("ValueWords", "K")},
    {"v", QT_TRANSLATE_NOOP("ValueWords", "V")},
    {"scores", QT_TRANSLATE_NOOP("ValueWords", "Scores")},
    {"mask", QT_TRANSLATE_NOOP("ValueWords", "Mask")},
    {"weights", QT_TRANSLATE_NOOP("ValueWords", "Weights")},
    {"heads", QT_TRANSLATE_NOOP("ValueWords", "Z")},
    {"concat", QT_TRANSLATE_NOOP("ValueWords", "Concat")},
    {"activation", QT_TRANSLATE_NOOP("ValueWords", "Activation")},
    {"cell", QT_TRANSLATE_NOOP("ValueWords", "Cell")},
    {"hidden", QT_TRANSLATE_NOOP("ValueWords", "State")},
    {"context", QT_TRANSLATE_NOOP("ValueWords", "Context")},
    {"attentional", QT_TRANSLATE_NOOP("ValueWords", "With context")},
    {"logits", QT_TRANSLATE_NOOP("ValueWords", "Logits")},
    {"output", QT_TRANSLATE_NOOP("ValueWords", "Output")},
};

QString partTitle(const QString& part) {
    if (part.startsWith(QLatin1String("residual"))) return tr("Sum");
    if (part.startsWith(QLatin1String("norm"))) return tr("Norm");
    if (part == QLatin1String("encoder")) return tr("Encoder");
    if (part == QLatin1String("decoder")) return tr("Decoder");
    if (part == QLatin1String("self_attn")) return tr("Self-attention");
    if (part == QLatin1String("cross_attn")) return tr("Cross-attention");
    if (part == QLatin1String("ffn")) return tr("Feed-forward");
    if (part == QLatin1String("reverse")) return tr("Backwards");
    if (part == QLatin1String("attention")) return tr("Attention");
    if (part == QLatin1String("source")) return tr("Source");
    if (part == QLatin1String("target")) return tr("Target");
    return part;
}

QStringList numbers(int count) {
    QStringList result;
    for (int i = 0; i < count; ++i)
        result << QString::number(i);
    return result;
}

QStringList names(const TrainedModel& model, const Trace& trace, Axis axis, int count) {
    QStringList result;
    if (axis == Axis::SourceToken) result = wordList(trace.sourceTokens);
    if (axis == Axis::TargetToken) result = wordList(trace.targetTokens);
    if (axis == Axis::Vocabulary) {
        // A classifier's labels stand behind the special words.
        const Vocabulary& vocabulary = model.target->vocabulary();
        const int first = model.network->config().corpusKind() == CorpusKind::Labels ? vocabulary.size() - count : 0;
        for (int i = 0; i < count; ++i)
            result << QString::fromStdString(vocabulary.token(first + i));
    }
    // One row of a whole sentence (a state, a label) is named by its number.
    return result.size() == count ? result : numbers(count);
}

}  // namespace

QStringList wordList(const std::vector<std::string>& tokens) {
    QStringList result;
    for (const std::string& token : tokens)
        result << QString::fromStdString(token);
    return result;
}

QString subscript(int number) {
    QString result;
    for (const QChar digit : QString::number(number))
        result += digit == u'-' ? QChar(0x208B) : QChar(0x2080 + digit.digitValue());
    return result;
}

QString valueTitle(const TraceRecord& record) {
    const auto name = QString::fromStdString(record.name);
    const auto part = [](const PartTitle& each) { return QString::fromLatin1(each.part); };
    for (const PartTitle& each : kTitles)
        if (name == part(each) || name.endsWith(u'.' + part(each)) || name.endsWith(u'_' + part(each)))
            return tr(each.title);
    return partTitle(name.section(u'.', -1));
}

std::string scopeOf(const std::string& recordName) {
    const size_t dot = recordName.rfind('.');
    if (dot == std::string::npos) return {};
    std::string scope = recordName.substr(0, dot);
    constexpr std::string_view gates = ".gates";
    if (scope.ends_with(gates)) scope.resize(scope.size() - gates.size());
    return scope;
}

QString scopeTitle(const std::string& scope) {
    QStringList titles;
    bool layer = false;
    for (const QString& part : QString::fromStdString(scope).split(u'.', Qt::SkipEmptyParts)) {
        if (part == QLatin1String("layers")) {
            layer = true;
            continue;
        }
        const QString title = layer ? tr("Layer %1").arg(part.toInt() + 1) : partTitle(part);
        titles << (titles.isEmpty() ? title : title.toLower());
        layer = false;
    }
    return titles.join(QStringLiteral(", "));
}

QString shapeText(const TraceRecord& record) {
    return QStringLiteral("%1×%2").arg(matrixRows(record)).arg(matrixColumns(record));
}

QString formulaText(const TraceRecord& record, bool scaled) {
    switch (record.operation) {
        case Operation::Input:
            return tr("x<sub>1</sub>, …, x<sub>n</sub>");
        case Operation::Embedding:
            return scaled ? tr("E[x] · √d<sub>model</sub>") : tr("E[x]");
        case Operation::PositionalEncoding:
            return tr("PE<sub>pos, 2i</sub> = sin(pos / n<sup>2i/d</sup>)");
        case Operation::Add:
            return tr("x + y");
        case Operation::Linear:
            return tr("x Wᵀ + b");
        case Operation::AttentionScores:
            return tr("S = Q Kᵀ / √d<sub>k</sub>");
        case Operation::Mask:
            return tr("M: 0 or −∞");
        case Operation::Softmax:
            // A recurrent decoder attends to one sentence, and to all of it.
            return record.name.starts_with("decoder.attention.") ? tr("A = softmax(S)") : tr("A = softmax(S + M)");
        case Operation::WeightedSum:
            return tr("Z = A V");
        case Operation::Concat:
            return tr("[z<sub>1</sub>; …; z<sub>h</sub>]");
        case Operation::LayerNorm:
            return tr("(x − μ) / √(σ² + ε) · γ + β");
        case Operation::Activation:
            return tr("f(x)");
        case Operation::LogSoftmax:
            return tr("log softmax(z)");
        case Operation::Gate:
            return tr("σ(W x<sub>t</sub> + U h<sub>t−1</sub> + b)");
        case Operation::Candidate:
            return tr("tanh(W x<sub>t</sub> + U h<sub>t−1</sub> + b)");
        case Operation::CellState:
            return tr("c<sub>t</sub> = f ⊙ c<sub>t−1</sub> + i ⊙ g");
        case Operation::HiddenState:
            return record.inputs.size() == 2   ? tr("h<sub>t</sub> = o ⊙ tanh(c<sub>t</sub>)")
                   : record.inputs.size() == 3 ? tr("h<sub>t</sub> = (1 − z) ⊙ n + z ⊙ h<sub>t−1</sub>")
                                               : tr("h<sub>t</sub> = tanh(W x<sub>t</sub> + U h<sub>t−1</sub> + b)");
        case Operation::Tanh:
            return tr("tanh(x Wᵀ + b)");
        case Operation::DotScores:
            return tr("s<sub>t</sub> · W h<sub>i</sub>");
        case Operation::AdditiveScores:
            return tr("v · tanh(W<sub>k</sub> h<sub>i</sub> + W<sub>q</sub> s<sub>t</sub>)");
        case Operation::Identity:
            return tr("x");
    }
    return {};
}

QStringList rowNames(const TrainedModel& model, const Trace& trace, const TraceRecord& record) {
    const size_t axes = record.axes.size();
    if (axes == 1) return names(model, trace, record.axes[0], record.dim(0));
    return axes < 2 ? numbers(matrixRows(record)) : names(model, trace, record.axes[axes - 2], matrixRows(record));
}

QStringList columnNames(const TrainedModel& model, const Trace& trace, const TraceRecord& record) {
    const size_t axes = record.axes.size();
    if (axes == 1) return {tr("id")};
    return axes < 2 ? numbers(matrixColumns(record)) : names(model, trace, record.axes.back(), matrixColumns(record));
}

}  // namespace headlight
