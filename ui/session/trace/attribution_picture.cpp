// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/attribution_picture.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/session/trace/gold_alignment.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

using Method = AttributionMethod;

namespace {

struct AttributionPictureText {
    Q_DECLARE_TR_FUNCTIONS(AttributionPicture)
};

/// Words of the engine, as they are translated.
QString told(std::string_view words) {
    return QCoreApplication::translate("Attribution", std::string(words).c_str());
}

/// "a, b and c".
QString listed(const QStringList& all) {
    if (all.size() < 2) return all.join(QString());
    return AttributionPictureText::tr("%1 and %2")
        .arg(all.mid(0, all.size() - 1).join(QStringLiteral(", ")), all.last());
}

}  // namespace

QString attributionTitle(Method method) {
    switch (method) {
        case Method::Gradient:
            return AttributionPictureText::tr("Gradient × input");
        case Method::Integrated:
            return AttributionPictureText::tr("Integrated gradients");
        case Method::Occlusion:
            return AttributionPictureText::tr("Occlusion");
        case Method::Attention:
            return AttributionPictureText::tr("Attention");
        case Method::Values:
            return AttributionPictureText::tr("Attention × value");
    }
    return {};
}

QString attributionName(Method method) {
    QString name = attributionTitle(method);
    name[0] = name[0].toLower();
    return name;
}

QString attributionClaim(Method method) {
    return told(claimOf(method));
}

QString attributionWeakness(Method method) {
    return told(weaknessOf(method));
}

bool isShare(Method method) {
    return method == Method::Attention || method == Method::Values;
}

AttributionPicture::AttributionPicture(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace,
                                       const WhyQuestion& question)
    : SaidWords(std::move(model), std::move(trace), question.row) {
    const int rows = this->trace().at("logits").dim(0);
    for (int row = 0; row < rows; ++row)
        m_ids.push_back(saidAt(this->model(), this->trace(), row));
    int& asked = m_ids[static_cast<size_t>(row())];
    m_word = asked = idOf(question.word).value_or(asked);
    offer(m_word);
    for (int row = 0; row < rows; ++row)
        m_said << nameAt(row, m_ids[static_cast<size_t>(row)]);
    m_read = wordList(this->trace().sourceTokens);
    if (!this->model().network->config().encoderDecoder()) return;
    m_fed = wordList(this->trace().targetTokens);
    const QStringList written = writtenWords(this->trace());
    m_gold = goldAlignment(this->model(), m_read.join(u' '), written.mid(0, written.size() - 1));
}

int AttributionPicture::readAtRow() const {
    const ModelConfig& config = model().network->config();
    const int all = static_cast<int>(m_read.size());
    return config.corpusKind() == CorpusKind::Text && !config.masked() ? std::min(all, row() + 1) : all;
}

int AttributionPicture::fedAtRow() const {
    return std::min(static_cast<int>(m_fed.size()), row() + 1);
}

std::vector<Method> AttributionPicture::methods() const {
    std::vector<Method> all;
    for (const Method method : attributionMethods())
        if (suits(method, *model().network)) all.push_back(method);
    return all;
}

AttributionKey AttributionPicture::keyOf(int row, Method method) const {
    return {row, m_ids[static_cast<size_t>(row)], method};
}

std::vector<AttributionKey> AttributionPicture::questions(Method ofMatrix) const {
    constexpr std::array soonest = {Method::Attention, Method::Values, Method::Gradient, Method::Occlusion,
                                    Method::Integrated};
    const std::vector<Method> suited = methods();
    std::vector<AttributionKey> all;
    for (const Method method : soonest)
        if (std::ranges::find(suited, method) != suited.end()) all.push_back(keyOf(row(), method));
    if (std::ranges::find(suited, ofMatrix) == suited.end()) return all;
    for (int other = 0; other < static_cast<int>(m_ids.size()); ++other)
        if (other != row()) all.push_back(keyOf(other, ofMatrix));
    return all;
}

double AttributionPicture::gap(const Attribution& answer) {
    const double off = std::abs(answer.sum() - answer.whole);
    return off == 0 ? 0 : off / std::abs(answer.whole);
}

bool AttributionPicture::closes(const Attribution& answer) {
    return gap(answer) <= 0.01;
}

QString AttributionPicture::story(const Attributions& known) const {
    std::vector<std::pair<int, QStringList>> chosen;
    for (const Method method : methods()) {
        const auto answer = known.find(keyOf(row(), method));
        if (answer == known.end() || answer->second.source.empty()) continue;
        const auto& numbers = answer->second.source;
        const int most = static_cast<int>(std::ranges::max_element(numbers) - numbers.begin());
        auto place = std::ranges::find(chosen, most, &std::pair<int, QStringList>::first);
        if (place == chosen.end()) place = chosen.insert(place, {most, {}});
        place->second << attributionName(method);
    }
    if (chosen.empty()) return {};
    QStringList parts;
    for (const auto& [place, by] : chosen)
        parts << AttributionPictureText::tr("<b>%1</b> by %2").arg(m_read.value(place).toHtmlEscaped(), listed(by));
    QString text =
        chosen.size() == 1 && chosen.front().second.size() > 1
            ? AttributionPictureText::tr("Of the words that are read, all %1 say that <b>%2</b> counts most.")
                  .arg(chosen.front().second.size())
                  .arg(m_read.value(chosen.front().first).toHtmlEscaped())
            : AttributionPictureText::tr("Of the words that are read, most counts %1.")
                  .arg(parts.join(QStringLiteral("; ")));
    QStringList true_;
    for (const auto& [source, target] : m_gold)
        if (target == row()) true_ << QStringLiteral("<b>%1</b>").arg(m_read.value(source).toHtmlEscaped());
    if (!true_.isEmpty()) text += AttributionPictureText::tr(" What it stands for in its task: %1.").arg(listed(true_));
    return text;
}

}  // namespace headlight
