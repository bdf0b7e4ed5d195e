// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/value_words.h"

#include <QCoreApplication>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/value_region.h"

namespace headlight {

namespace {

struct ValueWordsText {
    Q_DECLARE_TR_FUNCTIONS(ValueWords)
};

/// What a module hands on: a stack's result has a name of its own.
QString outputTitle(const Module& module) {
    if (module.kind == ModuleKind::Attention) return ValueWordsText::tr("Joined");
    if (module.kind == ModuleKind::Combine) return ValueWordsText::tr("With context");
    if (module.kind == ModuleKind::Head) return ValueWordsText::tr("Replaced");
    if (module.place.section == Section::End && module.place.stack == Stack::Encoder)
        return ValueWordsText::tr("Memory");
    if (module.place.section == Section::End && module.place.stack == Stack::Decoder)
        return ValueWordsText::tr("Decoder output");
    return ValueWordsText::tr("Output");
}

QString stackTitle(Stack stack) {
    switch (stack) {
        case Stack::Encoder:
            return ValueWordsText::tr("Encoder");
        case Stack::Decoder:
            return ValueWordsText::tr("Decoder");
        case Stack::Only:
        case Stack::Shared:
            break;
    }
    return {};
}

/// "Encoder, layer 1, self-attention".
QString joined(const QStringList& titles) {
    QStringList result;
    for (const QString& title : titles)
        if (!title.isEmpty()) result << (result.isEmpty() ? title : title.toLower());
    return result.join(QStringLiteral(", "));
}

QString layerTitle(const ModulePlace& place) {
    return place.section == Section::Layer ? ValueWordsText::tr("Layer %1").arg(place.layer + 1) : QString();
}

/// Of a block within its layer or stack, where that needs saying.
QString blockTitle(const Module& module) {
    switch (module.kind) {
        case ModuleKind::Attention:
            // A recurrent decoder has one attention, and nothing to tell it from.
            if (module.place.section != Section::Layer) return ValueWordsText::tr("Attention");
            return module.over == AttentionOver::Memory ? ValueWordsText::tr("Cross-attention")
                                                        : ValueWordsText::tr("Self-attention");
        case ModuleKind::FeedForward:
            return ValueWordsText::tr("Feed-forward");
        case ModuleKind::Recurrent:
            return module.direction == Direction::Backward ? ValueWordsText::tr("Backwards") : QString();
        case ModuleKind::Embedding:
        case ModuleKind::Positions:
        case ModuleKind::Norm:
        case ModuleKind::Result:
        case ModuleKind::Bridge:
        case ModuleKind::Combine:
        case ModuleKind::Head:
            break;
    }
    return {};
}

/// Of a module that has weights and is no block of its own in the trace.
QString weightsTitle(const Module& module) {
    switch (module.kind) {
        case ModuleKind::Embedding:
            return ValueWordsText::tr("Embedding");
        case ModuleKind::Positions:
            return ValueWordsText::tr("Positions");
        case ModuleKind::Norm:
            return ValueWordsText::tr("Norm");
        case ModuleKind::Bridge:
            return ValueWordsText::tr("Bridge");
        case ModuleKind::Combine:
            return ValueWordsText::tr("Combine");
        case ModuleKind::Head:
            return ValueWordsText::tr("Output layer");
        case ModuleKind::Attention:
        case ModuleKind::FeedForward:
        case ModuleKind::Recurrent:
        case ModuleKind::Result:
            break;
    }
    return blockTitle(module);
}

/// Counted from 1, as units, heads and places of a link are.
QStringList numbers(int count) {
    QStringList result;
    for (int i = 0; i < count; ++i)
        result << QString::number(i + 1);
    return result;
}

QStringList names(const TrainedModel& model, const Trace& trace, Axis axis, int count, WordsAs how) {
    QStringList result;
    if (axis == Axis::SourceToken)
        result = wordList(how == WordsAs::Drawn ? trace.sourceTokens : trace.writtenSource());
    if (axis == Axis::TargetToken)
        result = wordList(how == WordsAs::Drawn ? trace.targetTokens : trace.writtenTarget());
    if (axis == Axis::Vocabulary) {
        // A classifier's labels stand behind the special words.
        const int size = model.target->vocabulary().size();
        const int first = model.network->config().corpusKind() == CorpusKind::Labels ? size - count : 0;
        for (int i = 0; i < count; ++i)
            result << QString::fromStdString(how == WordsAs::Drawn ? model.target->displayOne(first + i)
                                                                   : model.target->vocabulary().token(first + i));
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

std::vector<int> sourceWords(const TrainedModel& model, const Trace& trace) {
    std::vector<int> words = trace.at("source.ids").ids();
    std::erase_if(words, [&](int id) { return model.source->isSpecial(id); });
    return words;
}

QStringList writtenWords(const Trace& trace) {
    QStringList words;
    for (size_t row = 0; row < trace.targetTokens.size(); ++row)
        words << QString::fromStdString(trace.written(row));
    return words;
}

QString subscript(int number) {
    QString result;
    for (const QChar digit : QString::number(number))
        result += digit == u'-' ? QChar(0x208B) : QChar(0x2080 + digit.digitValue());
    return result;
}

QString valueTitle(const TraceRecord& record) {
    switch (record.part) {
        case Part::Ids:
            return ValueWordsText::tr("Ids");
        case Part::Embedding:
            return ValueWordsText::tr("Embedding");
        case Part::TypeIds:
            return ValueWordsText::tr("Segments");
        case Part::TypeEmbedding:
            return ValueWordsText::tr("Segment embedding");
        case Part::Positions:
            return ValueWordsText::tr("Positions");
        case Part::Sum:
            return ValueWordsText::tr("Sum");
        case Part::Input:
            return ValueWordsText::tr("X");
        case Part::Query:
            return ValueWordsText::tr("Q");
        case Part::Key:
            return ValueWordsText::tr("K");
        case Part::Value:
            return ValueWordsText::tr("V");
        case Part::NormedQuery:
            return ValueWordsText::tr("Q normed");
        case Part::NormedKey:
            return ValueWordsText::tr("K normed");
        case Part::RotatedQuery:
            return ValueWordsText::tr("Q turned");
        case Part::RotatedKey:
            return ValueWordsText::tr("K turned");
        case Part::RelativeBias:
            return ValueWordsText::tr("Relative bias");
        case Part::Scores:
            return ValueWordsText::tr("Scores");
        case Part::CappedScores:
            return ValueWordsText::tr("Capped scores");
        case Part::Mask:
            return ValueWordsText::tr("Mask");
        case Part::Weights:
            return ValueWordsText::tr("Weights");
        case Part::Heads:
            return ValueWordsText::tr("Z");
        case Part::Concat:
            return ValueWordsText::tr("Concat");
        case Part::Context:
            return ValueWordsText::tr("Context");
        case Part::Hidden:
            return ValueWordsText::tr("Hidden");
        case Part::Activation:
            return ValueWordsText::tr("Activation");
        case Part::Up:
            return ValueWordsText::tr("Up");
        case Part::Gated:
            return ValueWordsText::tr("Gated");
        case Part::InputGate:
            return ValueWordsText::tr("Input gate");
        case Part::ForgetGate:
            return ValueWordsText::tr("Forget gate");
        case Part::OutputGate:
            return ValueWordsText::tr("Output gate");
        case Part::ResetGate:
            return ValueWordsText::tr("Reset gate");
        case Part::UpdateGate:
            return ValueWordsText::tr("Update gate");
        case Part::Candidate:
            return ValueWordsText::tr("Candidate");
        case Part::Cell:
            return ValueWordsText::tr("Cell");
        case Part::State:
            return ValueWordsText::tr("State");
        case Part::Thought:
            return ValueWordsText::tr("Thought vector");
        case Part::Residual:
            return ValueWordsText::tr("Sum");
        case Part::Norm:
            return ValueWordsText::tr("Norm");
        case Part::NormedOutput:
            return ValueWordsText::tr("Norm of the output");
        case Part::Output:
            return outputTitle(record.owner());
        case Part::UncappedLogits:
            return ValueWordsText::tr("Logits before the cap");
        case Part::Logits:
            return ValueWordsText::tr("Logits");
        case Part::LogProbs:
            return ValueWordsText::tr("Log-probabilities");
    }
    return {};
}

QString scopeTitle(const TraceRecord& record) {
    const Module& module = record.owner();
    if (record.part == Part::Ids && module.place.stack == Stack::Encoder) return ValueWordsText::tr("Source");
    if (record.part == Part::Ids && module.place.stack == Stack::Decoder) return ValueWordsText::tr("Target");
    return joined({stackTitle(module.place.stack), layerTitle(module.place), blockTitle(module)});
}

QString placeTitle(const ModulePlace& place) {
    return joined({stackTitle(place.stack), layerTitle(place)});
}

QString moduleTitle(const Module& module) {
    return joined({stackTitle(module.place.stack), layerTitle(module.place), weightsTitle(module)});
}

QString groupTitle(const Module& module) {
    // Of an encoder, of a decoder, and of a model with one stack.
    const auto named = [&](const char* encoder, const char* decoder, const char* only) {
        const Stack stack = module.place.stack;
        return ValueWordsText::tr(stack == Stack::Encoder ? encoder : stack == Stack::Decoder ? decoder : only);
    };
    switch (module.kind) {
        case ModuleKind::Embedding:
            return named(QT_TRANSLATE_NOOP("ValueWords", "Source embedding"),
                         QT_TRANSLATE_NOOP("ValueWords", "Target embedding"),
                         QT_TRANSLATE_NOOP("ValueWords", "Embedding"));
        case ModuleKind::Positions:
            return ValueWordsText::tr("Positions");
        case ModuleKind::Norm:
            return ValueWordsText::tr("Layer norm");
        case ModuleKind::Head:
            return ValueWordsText::tr("Output layer");
        case ModuleKind::Attention:
            if (module.place.section != Section::Layer) return ValueWordsText::tr("Attention");
            if (module.over == AttentionOver::Memory) return ValueWordsText::tr("Decoder cross-attention");
            return named(QT_TRANSLATE_NOOP("ValueWords", "Encoder attention"),
                         QT_TRANSLATE_NOOP("ValueWords", "Decoder self-attention"),
                         QT_TRANSLATE_NOOP("ValueWords", "Self-attention"));
        case ModuleKind::Combine:
            return ValueWordsText::tr("Attention");
        case ModuleKind::FeedForward:
            return named(QT_TRANSLATE_NOOP("ValueWords", "Encoder feed-forward"),
                         QT_TRANSLATE_NOOP("ValueWords", "Decoder feed-forward"),
                         QT_TRANSLATE_NOOP("ValueWords", "Feed-forward"));
        case ModuleKind::Recurrent:
        case ModuleKind::Bridge:
        case ModuleKind::Result:
            break;
    }
    return named(QT_TRANSLATE_NOOP("ValueWords", "Encoder"), QT_TRANSLATE_NOOP("ValueWords", "Decoder"),
                 QT_TRANSLATE_NOOP("ValueWords", "Layers"));
}

QString shapeText(const TraceRecord& record) {
    return QStringLiteral("%1×%2").arg(matrixRows(record)).arg(matrixColumns(record));
}

QString operationSentence(Operation operation) {
    return QCoreApplication::translate("Operation", describe(operation).sentence.data());
}

std::optional<int> layerDivisor(const TraceRecord& scores) {
    if (scores.factor == 1) return {};
    const double byRoot = scores.factor * std::sqrt(static_cast<double>(scores.owner().width));
    const double layer = std::round(1 / byRoot);
    return std::abs(byRoot * layer - 1) > 1e-6 ? std::nullopt : std::optional(static_cast<int>(layer));
}

QString scoreDivisor(const TraceRecord& scores) {
    if (scores.factor == 1) return {};
    const std::optional<int> layer = layerDivisor(scores);
    if (!layer) return QStringLiteral(" · %1").arg(formatNumber(scores.factor, 3));
    return *layer == 1 ? QStringLiteral(" / √d<sub>k</sub>") : QStringLiteral(" / (%1√d<sub>k</sub>)").arg(*layer);
}

QString formulaText(const TraceRecord& record) {
    switch (record.operation) {
        case Operation::Input:
            return ValueWordsText::tr("x<sub>1</sub>, …, x<sub>n</sub>");
        case Operation::Embedding:
            return record.factor == 1 ? ValueWordsText::tr("E[x]") : ValueWordsText::tr("E[x] · √d<sub>model</sub>");
        case Operation::PositionalEncoding:
            return ValueWordsText::tr("PE<sub>pos, 2i</sub> = sin(pos / n<sup>2i/d</sup>)");
        case Operation::Add:
            return record.inputs.size() == 3 ? ValueWordsText::tr("x + y + z") : ValueWordsText::tr("x + y");
        case Operation::Linear:
            return record.weight(UsedWeight::As::Matrix) && !record.weight(UsedWeight::As::Bias)
                       ? ValueWordsText::tr("x Wᵀ")
                       : ValueWordsText::tr("x Wᵀ + b");
        case Operation::AttentionScores:
            return ValueWordsText::tr("S = Q Kᵀ%1%2")
                .arg(scoreDivisor(record), record.inputs.size() == 3 ? ValueWordsText::tr(" + B") : QString());
        case Operation::Mask:
            return ValueWordsText::tr("M: 0 or −∞");
        case Operation::Softmax:
            // A recurrent decoder attends to one sentence, and to all of it.
            return record.inputs.size() == 1 ? ValueWordsText::tr("A = softmax(S)")
                                             : ValueWordsText::tr("A = softmax(S + M)");
        case Operation::WeightedSum:
            return ValueWordsText::tr("Z = A V");
        case Operation::Concat:
            return ValueWordsText::tr("[z<sub>1</sub>; …; z<sub>h</sub>]");
        case Operation::LayerNorm:
            return ValueWordsText::tr("(x − μ) / √(σ² + ε) · γ + β");
        case Operation::RmsNorm:
            if (const UsedWeight* const scale = record.weight(UsedWeight::As::Scale); scale && scale->plus != 0)
                return ValueWordsText::tr("x / √(mean x² + ε) · (1 + γ)");
            return ValueWordsText::tr("x / √(mean x² + ε) · γ");
        case Operation::SoftCap:
            return ValueWordsText::tr("c · tanh(x / c), c = %1").arg(formatNumber(record.factor, 4));
        case Operation::Multiply:
            return ValueWordsText::tr("x ⊙ y");
        case Operation::Rotation:
            return ValueWordsText::tr("R<sub>pos</sub> x");
        case Operation::RelativeBias:
            return ValueWordsText::tr("B<sub>ij</sub> = b<sub>j − i</sub>");
        case Operation::Activation:
            return ValueWordsText::tr("f(x)");
        case Operation::LogSoftmax:
            return ValueWordsText::tr("log softmax(z)");
        case Operation::Gate:
            return ValueWordsText::tr("σ(W x<sub>t</sub> + U h<sub>t−1</sub> + b)");
        case Operation::Candidate:
            return ValueWordsText::tr("tanh(W x<sub>t</sub> + U h<sub>t−1</sub> + b)");
        case Operation::CellState:
            return ValueWordsText::tr("c<sub>t</sub> = f ⊙ c<sub>t−1</sub> + i ⊙ g");
        case Operation::HiddenState:
            return record.owner().cell == Cell::Lstm ? ValueWordsText::tr("h<sub>t</sub> = o ⊙ tanh(c<sub>t</sub>)")
                   : record.owner().cell == Cell::Gru
                       ? ValueWordsText::tr("h<sub>t</sub> = (1 − z) ⊙ n + z ⊙ h<sub>t−1</sub>")
                       : ValueWordsText::tr("h<sub>t</sub> = tanh(W x<sub>t</sub> + U h<sub>t−1</sub> + b)");
        case Operation::Tanh:
            return ValueWordsText::tr("tanh(x Wᵀ + b)");
        case Operation::DotScores:
            return ValueWordsText::tr("s<sub>t</sub> · W h<sub>i</sub>");
        case Operation::AdditiveScores:
            return ValueWordsText::tr("v · tanh(W<sub>k</sub> h<sub>i</sub> + W<sub>q</sub> s<sub>t</sub>)");
        case Operation::Identity:
            return ValueWordsText::tr("x");
    }
    return {};
}

QStringList rowNames(const TrainedModel& model, const Trace& trace, const TraceRecord& record, WordsAs how) {
    const size_t axes = record.axes.size();
    if (axes == 1) return names(model, trace, record.axes[0], record.dim(0), how);
    return axes < 2 ? numbers(matrixRows(record)) : names(model, trace, record.axes[axes - 2], matrixRows(record), how);
}

QStringList columnNames(const TrainedModel& model, const Trace& trace, const TraceRecord& record, WordsAs how) {
    const size_t axes = record.axes.size();
    if (axes == 1) return {ValueWordsText::tr("id")};
    return axes < 2 ? numbers(matrixColumns(record))
                    : names(model, trace, record.axes.back(), matrixColumns(record), how);
}

}  // namespace headlight
