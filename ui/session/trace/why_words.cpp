// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of a difference of two logits are called.
#include <QCoreApplication>
#include <map>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/value_words.h"
#include "ui/session/trace/why_picture.h"

namespace headlight {

using PartKind = WhyPart::Kind;

namespace {

struct WhyWordsText {
    Q_DECLARE_TR_FUNCTIONS(WhyPicture)
};

}  // namespace

/// "Layer 2, cross-attention": the stack that says the words is the one that is spoken of.
QString WhyPicture::place(const TraceRecord& record) const {
    QString title = scopeTitle(record);
    const QString decoder = WhyWordsText::tr("Decoder") + QStringLiteral(", ");
    if (title.startsWith(decoder)) title = title.mid(decoder.size());
    if (title.isEmpty()) title = valueTitle(record);
    title[0] = title[0].toUpper();
    return title;
}

/// The word whose value a head read, or at which a state was written.
QString WhyPicture::readWord(const WhyPart& part) const {
    const TraceRecord& made = record(part);
    const TraceRecord* const weights = trace().find(made.owner(), Part::Weights);
    const QStringList names = part.kind == PartKind::Source && weights ? columnNames(model(), trace(), *weights)
                                                                       : rowNames(model(), trace(), made);
    return names.value(part.word, QString::number(part.word + 1));
}

/// The attention, or its head.
QString WhyPicture::readerOf(const WhyPart& source) const {
    const Module& module = record(source).owner();
    return module.heads > 1 ? WhyWordsText::tr("%1, head %2").arg(place(record(source))).arg(source.head + 1)
                            : place(record(source));
}

QString WhyPicture::nameOf(const WhyPart& part) const {
    const auto quoted = [](const QString& word) { return QStringLiteral("“%1”").arg(word); };
    switch (part.kind) {
        case PartKind::Embedding:
            return WhyWordsText::tr("Embedding of %1").arg(quoted(readWord(part)));
        case PartKind::WordVector:
            return WhyWordsText::tr("The vector of %1").arg(quoted(readWord(part)));
        case PartKind::Position:
            return WhyWordsText::tr("Its position, %1").arg(part.row + 1);
        case PartKind::TypeVector:
            return WhyWordsText::tr("Its segment");
        case PartKind::Attention:
        case PartKind::FeedForward:
            return place(record(part));
        case PartKind::Head:
            return WhyWordsText::tr("Head %1").arg(part.head + 1);
        case PartKind::Source:
            return readWord(part);
        case PartKind::Product:
        case PartKind::ScoreTerm:
            return QString::number(part.unit + 1);
        case PartKind::Unit:
            return WhyWordsText::tr("Unit %1").arg(part.unit + 1);
        case PartKind::Context:
            return WhyWordsText::tr("Context, what attention mixed");
        case PartKind::State:
            return part.word >= 0 && part.word < part.row
                       ? WhyWordsText::tr("What it knew before")
                       : WhyWordsText::tr("State of the recurrent layer %1").arg(record(part).owner().place.layer + 1);
        case PartKind::Step:
            return WhyWordsText::tr("Read at %1").arg(quoted(readWord(part)));
        case PartKind::Start:
            return WhyWordsText::tr("What it began with");
        case PartKind::Bias:
            return record(part).owner().kind == ModuleKind::Attention ? WhyWordsText::tr("Bias of the projection")
                   : record(part).owner().kind == ModuleKind::Combine ? WhyWordsText::tr("Bias of the combine layer")
                                                                      : WhyWordsText::tr("Bias");
        case PartKind::Shifts:
            return WhyWordsText::tr("Shifts β of the norms");
        case PartKind::Shift:
            return place(record(part));
        case PartKind::OutputBias:
            return WhyWordsText::tr("Output layer, its bias");
        case PartKind::OneBias:
            return WhyWordsText::tr("Bias of %1").arg(quoted(name(firstId() + part.unit)));
        case PartKind::ScoreBias:
            return WhyWordsText::tr("Bias of the distance");
        case PartKind::Given:
            return WhyWordsText::tr("Put in from outside");
    }
    return {};
}

QString WhyPicture::noteOf(const WhyPart& opened, bool score) const {
    if (score) return WhyWordsText::tr("q × k number by number, as the score scales them");
    switch (opened.kind) {
        case PartKind::Attention:
            return WhyWordsText::tr("what each of its heads adds");
        case PartKind::FeedForward:
            return WhyWordsText::tr("hidden units: activation × what it writes");
        case PartKind::Head:
            return WhyWordsText::tr("words read: weight × what V says");
        case PartKind::Context:
            return WhyWordsText::tr("words read: weight × what h says");
        case PartKind::Source:
            return WhyWordsText::tr("weight %1 × value × direction").arg(formatNumber(opened.factor, 3));
        case PartKind::State:
            return WhyWordsText::tr("what was written at each word, and kept");
        case PartKind::Embedding:
            return WhyWordsText::tr("what it is the sum of");
        case PartKind::Shifts:
            return WhyWordsText::tr("what each norm adds to whatever it is given");
        case PartKind::OutputBias:
            return WhyWordsText::tr("the one word's bias less the other's");
        case PartKind::WordVector:
        case PartKind::Position:
        case PartKind::TypeVector:
        case PartKind::Product:
        case PartKind::Unit:
        case PartKind::Step:
        case PartKind::Start:
        case PartKind::Bias:
        case PartKind::Shift:
        case PartKind::OneBias:
        case PartKind::ScoreTerm:
        case PartKind::ScoreBias:
        case PartKind::Given:
            break;
    }
    return {};
}

void WhyPicture::fill(WhyColumn& column, std::vector<WhyPart> parts) const {
    for (WhyPart& part : parts) {
        const bool product = part.kind == PartKind::Source || part.kind == PartKind::Product ||
                             part.kind == PartKind::Unit || part.kind == PartKind::ScoreTerm;
        column.rows.push_back({std::move(part), {}, product});
        column.rows.back().name = nameOf(column.rows.back().part);
    }
}

WhyColumn WhyPicture::first() const {
    const bool labels = !model().network->config().saysWords();
    const auto [word, against] = m_why->logits();
    WhyColumn column{.title = labels                                       ? WhyWordsText::tr("The whole model")
                              : model().network->config().encoderDecoder() ? WhyWordsText::tr("The whole decoder")
                                                                           : WhyWordsText::tr("The whole model"),
                     .note = WhyWordsText::tr("what each part adds, as it runs"),
                     .sumName = WhyWordsText::tr("Difference of the two logits"),
                     .closes = WhyWordsText::tr("%1 − %2, the two logits")
                                   .arg(formatNumber(word, 3), against < 0 ? u'(' + formatNumber(against, 3) + u')'
                                                                           : formatNumber(against, 3)),
                     .rows = {},
                     .sum = m_why->difference()};
    fill(column, m_why->parts());
    return column;
}

WhyColumn WhyPicture::column(const WhyColumn::Row& opened, bool score) const {
    const WhyPart& part = opened.part;
    QString title =
        part.kind == PartKind::Source ? WhyWordsText::tr("The value of “%1”").arg(opened.name) : opened.name;
    if (score) title = WhyWordsText::tr("The score of “%1”").arg(opened.name);
    WhyColumn column{.title = title,
                     .note = noteOf(part, score),
                     .sumName = score ? WhyWordsText::tr("The score") : opened.name,
                     .closes = score
                                   ? WhyWordsText::tr("its softmax is the weight %1").arg(formatNumber(part.factor, 3))
                                   : WhyWordsText::tr("the bar it was opened from"),
                     .rows = {},
                     .sum = score ? m_why->scoreOf(part) : part.amount};
    fill(column, score ? m_why->score(part) : m_why->open(part));
    return column;
}

/// Norms are counted in their layer, as the papers name them.
std::vector<WhyPicture::Held> WhyPicture::held() const {
    std::vector<Held> all;
    std::map<std::pair<int, int>, int> counted;
    for (const WhyHeld& each : m_why->held()) {
        const TraceRecord& made = trace().at(each.value);
        QString name = made.operation == Operation::Tanh         ? WhyWordsText::tr("tanh(z) / z")
                       : made.operation == Operation::Activation ? WhyWordsText::tr("f(z) / z")
                                                                 : place(made);
        if (made.owner().kind == ModuleKind::Norm) {
            const ModulePlace& where = made.owner().place;
            const bool inLayer = where.section == Section::Layer;
            const int number = ++counted[{static_cast<int>(where.section), inLayer ? where.layer : 0}];
            name = inLayer ? WhyWordsText::tr("Layer %1, norm %2").arg(where.layer + 1).arg(number)
                           : WhyWordsText::tr("Last norm");
        }
        all.push_back(
            {name, each.numbers.size() == 1
                       ? formatNumber(each.numbers.front(), 3)
                       : WhyWordsText::tr("%1 ratios").arg(formatCount(static_cast<qint64>(each.numbers.size())))});
    }
    return all;
}

}  // namespace headlight
