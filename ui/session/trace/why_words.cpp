// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of a difference of two logits are called.
#include <QCoreApplication>
#include <map>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/value_words.h"
#include "ui/session/trace/why_picture.h"

namespace headlight {

using Kind = WhyPart::Kind;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("WhyPicture", text);
}

}  // namespace

/// "Layer 2, cross-attention": the stack that says the words is the one that is spoken of.
QString WhyPicture::place(const TraceRecord& record) const {
    QString title = scopeTitle(record);
    const QString decoder = tr("Decoder") + QStringLiteral(", ");
    if (title.startsWith(decoder)) title = title.mid(decoder.size());
    if (title.isEmpty()) title = valueTitle(record);
    title[0] = title[0].toUpper();
    return title;
}

/// The word whose value a head read, or at which a state was written.
QString WhyPicture::readWord(const WhyPart& part) const {
    const TraceRecord& made = record(part);
    const TraceRecord* const weights = trace().find(made.owner(), Part::Weights);
    const QStringList names = part.kind == Kind::Source && weights ? columnNames(model(), trace(), *weights)
                                                                   : rowNames(model(), trace(), made);
    return names.value(part.word, QString::number(part.word + 1));
}

/// The attention, or its head.
QString WhyPicture::readerOf(const WhyPart& source) const {
    const Module& module = record(source).owner();
    return module.heads > 1 ? tr("%1, head %2").arg(place(record(source))).arg(source.head + 1) : place(record(source));
}

QString WhyPicture::nameOf(const WhyPart& part) const {
    const auto quoted = [](const QString& word) { return QStringLiteral("“%1”").arg(word); };
    switch (part.kind) {
        case Kind::Embedding:
            return tr("Embedding of %1").arg(quoted(readWord(part)));
        case Kind::WordVector:
            return tr("The vector of %1").arg(quoted(readWord(part)));
        case Kind::Position:
            return tr("Its position, %1").arg(part.row + 1);
        case Kind::TypeVector:
            return tr("Its segment");
        case Kind::Attention:
        case Kind::FeedForward:
            return place(record(part));
        case Kind::Head:
            return tr("Head %1").arg(part.head + 1);
        case Kind::Source:
            return readWord(part);
        case Kind::Product:
        case Kind::ScoreTerm:
            return QString::number(part.unit + 1);
        case Kind::Unit:
            return tr("Unit %1").arg(part.unit + 1);
        case Kind::Context:
            return tr("Context, what attention mixed");
        case Kind::State:
            return part.word >= 0 && part.word < part.row
                       ? tr("What it knew before")
                       : tr("State of the recurrent layer %1").arg(record(part).owner().place.layer + 1);
        case Kind::Step:
            return tr("Read at %1").arg(quoted(readWord(part)));
        case Kind::Start:
            return tr("What it began with");
        case Kind::Bias:
            return record(part).owner().kind == ModuleKind::Attention ? tr("Bias of the projection")
                   : record(part).owner().kind == ModuleKind::Combine ? tr("Bias of the combine layer")
                                                                      : tr("Bias");
        case Kind::Shifts:
            return tr("Shifts β of the norms");
        case Kind::Shift:
            return place(record(part));
        case Kind::OutputBias:
            return tr("Output layer, its bias");
        case Kind::OneBias:
            return tr("Bias of %1").arg(quoted(name(firstId() + part.unit)));
        case Kind::ScoreBias:
            return tr("Bias of the distance");
        case Kind::Given:
            return tr("Put in from outside");
    }
    return {};
}

QString WhyPicture::noteOf(const WhyPart& opened, bool score) const {
    if (score) return tr("q × k number by number, as the score scales them");
    switch (opened.kind) {
        case Kind::Attention:
            return tr("what each of its heads adds");
        case Kind::FeedForward:
            return tr("hidden units: activation × what it writes");
        case Kind::Head:
            return tr("words read: weight × what V says");
        case Kind::Context:
            return tr("words read: weight × what h says");
        case Kind::Source:
            return tr("weight %1 × value × direction").arg(formatNumber(opened.factor, 3));
        case Kind::State:
            return tr("what was written at each word, and kept");
        case Kind::Embedding:
            return tr("what it is the sum of");
        case Kind::Shifts:
            return tr("what each norm adds to whatever it is given");
        case Kind::OutputBias:
            return tr("the one word's bias less the other's");
        default:
            return {};
    }
}

void WhyPicture::fill(WhyColumn& column, std::vector<WhyPart> parts) const {
    for (WhyPart& part : parts) {
        const bool product = part.kind == Kind::Source || part.kind == Kind::Product || part.kind == Kind::Unit ||
                             part.kind == Kind::ScoreTerm;
        column.rows.push_back({std::move(part), {}, product});
        column.rows.back().name = nameOf(column.rows.back().part);
    }
}

WhyColumn WhyPicture::first() const {
    const bool labels = !model().network->config().saysWords();
    const auto [word, against] = m_why->logits();
    WhyColumn column{.title = labels                                       ? tr("The whole model")
                              : model().network->config().encoderDecoder() ? tr("The whole decoder")
                                                                           : tr("The whole model"),
                     .note = tr("what each part adds, as it runs"),
                     .sumName = tr("Difference of the two logits"),
                     .closes = tr("%1 − %2, the two logits").arg(formatNumber(word, 3), formatNumber(against, 3)),
                     .rows = {},
                     .sum = m_why->difference()};
    fill(column, m_why->parts());
    return column;
}

WhyColumn WhyPicture::column(const WhyColumn::Row& opened, bool score) const {
    const WhyPart& part = opened.part;
    QString title = part.kind == Kind::Source ? tr("The value of “%1”").arg(opened.name) : opened.name;
    if (score) title = tr("The score of “%1”").arg(opened.name);
    WhyColumn column{.title = title,
                     .note = noteOf(part, score),
                     .sumName = score ? tr("The score") : opened.name,
                     .closes = score ? tr("its softmax is the weight %1").arg(formatNumber(part.factor, 3))
                                     : tr("the bar it was opened from"),
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
        QString name = made.operation == Operation::Tanh         ? tr("tanh(z) / z")
                       : made.operation == Operation::Activation ? tr("f(z) / z")
                                                                 : place(made);
        if (made.owner().kind == ModuleKind::Norm) {
            const ModulePlace& where = made.owner().place;
            const bool inLayer = where.section == Section::Layer;
            const int number = ++counted[{static_cast<int>(where.section), inLayer ? where.layer : 0}];
            name = inLayer ? tr("Layer %1, norm %2").arg(where.layer + 1).arg(number) : tr("Last norm");
        }
        all.push_back({name, each.numbers.size() == 1
                                 ? formatNumber(each.numbers.front(), 3)
                                 : tr("%1 ratios").arg(formatCount(static_cast<qint64>(each.numbers.size())))});
    }
    return all;
}

}  // namespace headlight
