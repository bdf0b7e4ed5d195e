// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/units_picture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/session/trace/value_words.h"
#include "ui/session/trace/word_behind.h"

namespace headlight {

UnitsPicture::UnitsPicture(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace,
                           const FeedForwardLayer& layer)
    : m_model(std::move(model)),
      m_trace(std::move(trace)),
      m_layer(layer),
      m_hidden(&m_trace->at(layer.hidden)),
      m_active(&m_trace->at(layer.activation)),
      m_words(wordList(layer.stack == Stack::Decoder ? m_trace->targetTokens : m_trace->sourceTokens)),
      m_drawn(own()) {}

int UnitsPicture::width() const {
    return m_trace->at(m_layer.x).dim(1);
}

void UnitsPicture::setMuted(int unit, std::shared_ptr<const Trace> without) {
    m_muted = unit;
    m_without = std::move(without);
}

double UnitsPicture::sum(int row, int unit) const {
    const size_t at = static_cast<size_t>(row) * static_cast<size_t>(units()) + static_cast<size_t>(unit);
    return static_cast<double>(m_hidden->values[at]);
}

double UnitsPicture::active(int row, int unit) const {
    if (unit == muted()) return 0;
    if (m_drawn != own()) return activated(m_drawn, sum(row, unit));
    const size_t at = static_cast<size_t>(row) * static_cast<size_t>(units()) + static_cast<size_t>(unit);
    return static_cast<double>(m_active->values[at]);
}

std::vector<double> UnitsPicture::activeRow(int row) const {
    std::vector<double> all;
    all.reserve(static_cast<size_t>(units()));
    for (int unit = 0; unit < units(); ++unit)
        all.push_back(active(row, unit));
    return all;
}

int UnitsPicture::fired(int row) const {
    int count = 0;
    for (int unit = 0; unit < units(); ++unit)
        count += active(row, unit) > 0;
    return count;
}

bool UnitsPicture::isActiveHidden(int row, int unit) const {
    return m_isVeiled && (isSumHidden(row, unit) || isHidden(m_layer.activation, row, unit));
}

QString UnitsPicture::firedText(int row) const {
    for (int unit = 0; m_isVeiled && unit < units(); ++unit)
        if (isActiveHidden(row, unit)) return QStringLiteral("?");
    return QString::number(fired(row));
}

std::span<const float> UnitsPicture::x(int row) const {
    const auto wide = static_cast<size_t>(width());
    return std::span(m_trace->at(m_layer.x).values).subspan(static_cast<size_t>(row) * wide, wide);
}

std::vector<double> UnitsPicture::output(int row) const {
    std::vector<double> all = outputWith(*m_model, *m_trace, m_layer, row, m_drawn);
    if (muted() < 0) return all;
    const UnitWeights weights = unitWeights(*m_model, *m_trace, m_layer, m_muted);
    const double a = activated(m_drawn, sum(row, m_muted));
    for (size_t d = 0; d < all.size(); ++d)
        all[d] -= a * static_cast<double>(weights.out[d]);
    return all;
}

std::vector<int> UnitsPicture::order(int row, bool byStrength) const {
    std::vector<int> all(static_cast<size_t>(units()));
    std::iota(all.begin(), all.end(), 0);
    if (!byStrength) return all;
    std::ranges::stable_sort(all, [&](int a, int b) { return sum(row, a) > sum(row, b); });
    if (m_isVeiled) std::ranges::stable_sort(all, {}, [&](int unit) { return isSumHidden(row, unit); });
    return all;
}

double UnitsPicture::most() const {
    double most = 0;
    for (size_t at = 0; at < m_active->values.size(); ++at) {
        const auto value = static_cast<double>(m_active->values[at]);
        const auto row = static_cast<int>(at / static_cast<size_t>(units())),
                   unit = static_cast<int>(at % static_cast<size_t>(units()));
        if (std::isfinite(value) && value > most && !isActiveHidden(row, unit)) most = value;
    }
    return std::max(0.5, std::ceil(most * 2) / 2);
}

QString UnitsPicture::outputWord(int word) const {
    const ModelConfig& config = m_model->network->config();
    const int id = config.corpusKind() == CorpusKind::Labels ? config.firstLabel() + word : word;
    return QString::fromStdString(m_model->target->displayOne(id));
}

/// Of `wanted`, or of what is likeliest.
std::optional<UnitsPicture::Said> UnitsPicture::saidBy(const Trace& trace, int row, int wanted) const {
    const ModelConfig& config = m_model->network->config();
    const TraceRecord* const logProbs = trace.find("log_probs");
    if (!logProbs || (config.encoderDecoder() && m_layer.stack == Stack::Encoder) || row >= logProbs->dim(0)) return {};
    const auto columns = static_cast<size_t>(logProbs->dim(1));
    const auto values = std::span(logProbs->values).subspan(static_cast<size_t>(row) * columns, columns);
    const int id = wanted >= 0 ? wanted : static_cast<int>(std::ranges::max_element(values) - values.begin());
    return Said{id, config.saysWords() ? wordAtRow(*m_model, trace, row, id) : outputWord(id),
                std::exp(static_cast<double>(values[static_cast<size_t>(id)]))};
}

std::optional<UnitsPicture::Said> UnitsPicture::said(int row) const {
    return saidBy(shown(), row);
}

std::optional<UnitsPicture::Effect> UnitsPicture::effect(int row, const Trace& without) const {
    if (const std::optional<Said> before = saidBy(*m_trace, row)) {
        const std::optional<Said> after = saidBy(without, row, before->id);
        return Effect{before->word, before->probability, after ? after->probability : 0};
    }
    const ModelConfig& config = m_model->network->config();
    if (!config.encoderDecoder() || m_layer.stack != Stack::Encoder) return {};
    // Of an encoder's unit: what it is to every word that is written.
    std::vector<int> ids = m_trace->at("target.ids").ids();
    ids.erase(ids.begin());
    if (m_trace->lastWritten.id >= 0) ids.push_back(m_trace->lastWritten.id);
    const auto whole = [&ids](const Trace& trace) {
        const TraceRecord& logProbs = trace.at("log_probs");
        const auto columns = static_cast<size_t>(logProbs.dim(1));
        double sum = 0;
        for (size_t i = 0; i < ids.size(); ++i)
            sum += static_cast<double>(logProbs.values[i * columns + static_cast<size_t>(ids[i])]);
        return std::exp(sum);
    };
    return Effect{tr("translation"), whole(*m_trace), whole(without)};
}

QString UnitsPicture::nameOf(ops::Activation kind) {
    switch (kind) {
        case ops::Activation::Relu:
            return QStringLiteral("ReLU");
        case ops::Activation::Gelu:
            return QStringLiteral("GELU");
        case ops::Activation::GeluTanh:
            return QStringLiteral("GELU (tanh)");
        case ops::Activation::Silu:
            return QStringLiteral("SiLU");
        case ops::Activation::QuickGelu:
            return QStringLiteral("Quick GELU");
    }
    return {};
}

}  // namespace headlight
