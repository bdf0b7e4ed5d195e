// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/laboratory/position_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <random>

#include "core/data/translate.h"
#include "ui/session/format/number_format.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

struct PositionWordsText {
    Q_DECLARE_TR_FUNCTIONS(PositionView)
};

/// Which wave stands in a column: sin or cos of pos / base^(2i/width).
struct Wave {
    int i = 0;
    bool cosine = false;
};

Wave waveOf(const ShownTable& shown, int dimension) {
    if (shown.kind != ShownTable::Kind::Halves) return {dimension / 2, dimension % 2 != 0};
    const int sines = (shown.table->width + 1) / 2;
    return {dimension % sines, dimension >= sines};
}

}  // namespace

bool isPapersTable(const ModelConfig& config) {
    return config.positionalEncoding == PositionalKind::Sinusoidal &&
           config.sinusoidLayout == SinusoidLayout::Interleaved;
}

QString howItKnowsOrder(const TrainedModel* model) {
    if (!model) return PositionWordsText::tr("How a model knows word order");
    const ModelConfig& config = model->network->config();
    if (config.recurrent())
        return PositionWordsText::tr("The open model has no table of positions: it reads word after word.");
    switch (config.positionalEncoding) {
        case PositionalKind::Sinusoidal:
            return (isPapersTable(config)
                        ? PositionWordsText::tr(
                              "The open model adds such a table to its words: sines and cosines in turn, d = %1.")
                        : PositionWordsText::tr(
                              "The open model adds a table to its words: all sines, then all cosines, d = %1."))
                .arg(config.embeddingWidth());
        case PositionalKind::Learned:
            return PositionWordsText::tr("The open model adds a table that it learned to its words, d = %1.")
                .arg(config.embeddingWidth());
        case PositionalKind::None:
            return PositionWordsText::tr("The open model is told nothing of positions.");
        case PositionalKind::Rotary:
            return PositionWordsText::tr(
                "The open model has no such table: it turns queries and keys by their positions (Values, “Q "
                "turned”).");
        case PositionalKind::Relative:
            return PositionWordsText::tr(
                "The open model has no such table: it adds a number to each score by the distance of the two "
                "words (Values, “Relative bias”).");
    }
    return {};
}

QString whatItAddsInstead(const TrainedModel& model) {
    const ModelConfig& config = model.network->config();
    if (config.recurrent()) return PositionWordsText::tr("Nothing is added to a word: a state goes from word to word.");
    if (config.positionalEncoding == PositionalKind::Rotary)
        return PositionWordsText::tr(
            "Nothing is added to a word: each attention turns its queries and keys by their positions.");
    if (config.positionalEncoding == PositionalKind::Relative)
        return PositionWordsText::tr(
            "Nothing is added to a word: each attention adds a learned number to a score, by the distance of the "
            "two words.");
    return PositionWordsText::tr("Nothing is added to a word.");
}

ShuffledReading readShuffled(const TrainedModel& model, const Trace& trace, unsigned shuffles) {
    const Tokenizer& tokenizer = *model.source;
    std::vector<int> words = sourceWords(model, trace);
    const auto read = [](const TrainedModel& reader, const std::string& sentence) {
        return QString::fromStdString(translate(reader, {sentence}).front().best().text);
    };
    const std::string inOrder = tokenizer.decode(words);
    std::mt19937 random(shuffles);
    std::ranges::shuffle(words, random);
    const std::string shuffled = tokenizer.decode(words);
    ShuffledReading made;
    made.words = QString::fromStdString(shuffled);
    made.reads = read(model, shuffled);
    if (const auto deaf = withoutPositions(model)) {
        made.canBeDeaf = true;
        made.deaf = read(*deaf, shuffled);
        made.deafInOrder = read(*deaf, inOrder);
    }
    return made;
}

QString textOf(const ShuffledReading& reading) {
    QString told = PositionWordsText::tr("“%1” reads as “%2”.").arg(reading.words, reading.reads);
    if (!reading.canBeDeaf) return told;
    return told + u' ' +
           PositionWordsText::tr("Without positions “%1”; in the right order “%2”.")
               .arg(reading.deaf, reading.deafInOrder);
}

QString formulaOf(const ShownTable& shown) {
    switch (shown.kind) {
        case ShownTable::Kind::Interleaved:
            return QStringLiteral(
                "PE<sub>pos, 2i</sub> = sin(pos / n<sup>2i/d</sup>)<br>"
                "PE<sub>pos, 2i+1</sub> = cos(pos / n<sup>2i/d</sup>)");
        case ShownTable::Kind::Halves:
            return QStringLiteral(
                "PE<sub>pos, i</sub> = sin(pos / n<sup>2i/d</sup>)<br>"
                "PE<sub>pos, d/2+i</sub> = cos(pos / n<sup>2i/d</sup>)");
        case ShownTable::Kind::Learned:
            return PositionWordsText::tr("PE<sub>pos</sub>: a row of weights, learned like all others");
    }
    return {};
}

QString captionOf(const ShownTable& shown) {
    switch (shown.kind) {
        case ShownTable::Kind::Interleaved:
            return PositionWordsText::tr("low dimensions turn fast, high ones slowly");
        case ShownTable::Kind::Halves:
            return PositionWordsText::tr("all sines, then all cosines, fast ones first");
        case ShownTable::Kind::Learned:
            return PositionWordsText::tr("weights that the model learned");
    }
    return {};
}

QString cellOf(const ShownTable& shown, int position, int dimension) {
    const PositionTable& table = *shown.table;
    const QString value = formatNumber(static_cast<double>(table.at(position, dimension)), 4);
    if (shown.kind == ShownTable::Kind::Learned)
        return PositionWordsText::tr("position %1, dimension %2<br><b>%3</b>, from the open model")
            .arg(position)
            .arg(dimension)
            .arg(value);
    const Wave wave = waveOf(shown, dimension);
    const double divisor = std::pow(shown.base, 2.0 * wave.i / table.width);
    const QString name = wave.cosine ? QStringLiteral("cos") : QStringLiteral("sin");
    const QString line = QStringLiteral("<tr><td>%1</td><td width=16></td><td align=right>%2</td></tr>");
    return PositionWordsText::tr("position %1, dimension %2, so i = %3").arg(position).arg(dimension).arg(wave.i) +
           QStringLiteral("<table>") +
           line.arg(
               PositionWordsText::tr("%1<sup>%2/%3</sup>").arg(baseText(shown.base)).arg(2 * wave.i).arg(table.width),
               formatNumber(divisor, 4)) +
           line.arg(PositionWordsText::tr("%1 / %2").arg(position).arg(formatNumber(divisor, 4)),
                    formatNumber(position / divisor, 4)) +
           line.arg(QStringLiteral("%1(%2)").arg(name, formatNumber(position / divisor, 4)),
                    QStringLiteral("<b>%1</b>").arg(value)) +
           QStringLiteral("</table>");
}

QString baseText(double base) {
    const bool whole = base == std::floor(base) && base < 1e15;
    return whole ? formatCount(static_cast<qint64>(base)) : formatNumber(base, 3);
}

}  // namespace headlight
