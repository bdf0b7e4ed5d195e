// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/loss_picture.h"

#include <QStringList>
#include <algorithm>

#include "ui/session/format/piece_text.h"

namespace headlight {

namespace {

/// The label of that name, or else the likeliest; labels are the words of the vocabulary from `first` on.
int labelOf(const TrainedModel& model, const Trace& trace, const QString& label, int first) {
    const Vocabulary& vocabulary = model.target->vocabulary();
    const std::string name = label.trimmed().toStdString();
    if (!name.empty() && vocabulary.contains(name) && vocabulary.id(name) >= first) return vocabulary.id(name) - first;
    const std::vector<float>& said = trace.at("log_probs").values;
    return static_cast<int>(std::ranges::max_element(said) - said.begin());
}

}  // namespace

LossPicture::LossPicture(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace,
                         const QString& label, const std::function<bool()>& wanted)
    : m_model(std::move(model)), m_trace(std::move(trace)) {
    const std::vector<int> targets = isClassifier() ? std::vector{labelOf(*m_model, *m_trace, label, first())}
                                                    : targetWords(m_model->network->config(), *m_trace);
    m_costs = costsOf(*m_trace, targets, likely, wanted);
}

QString LossPicture::word(int id) const {
    return wordBehind(*m_model->target, -1, first() + id);
}

QString LossPicture::word(int index, int id) const {
    return m_words.at(*m_model, *m_trace, m_costs[static_cast<size_t>(index)].position, first() + id);
}

QString LossPicture::before(int index) const {
    QStringList read;
    // A text's first word is read and never asked for, unless a token of its own begins the text.
    if (!isTranslator() && !isClassifier()) {
        const int first = m_trace->at("ids").ids().front();
        if (!m_model->target->isSpecial(first))
            read << QString::fromStdString(m_model->target->display({first}).front());
    }
    for (int i = 0; i < index; ++i)
        read << target(i);
    return textOf(read);
}

WordLoss LossPicture::open(int index, double smoothing) const {
    const WordCost& cost = m_costs[static_cast<size_t>(index)];
    return {logitsAt(*m_trace, cost.position), cost.target, smoothing};
}

std::optional<QString> LossPicture::with(int index, int word) const {
    if (isClassifier()) return this->word(index, word);
    if (!isTranslator()) return {};
    const std::optional<int> end = m_model->target->specials().eos;
    std::vector<int> ids;
    for (int i = 0; i < words(); ++i) {
        const int id = i == index ? word : m_costs[static_cast<size_t>(i)].target;
        if (end == id) break;
        ids.push_back(id);
    }
    const QString text = QString::fromStdString(m_model->target->decode(ids));
    return text.trimmed().isEmpty() ? std::nullopt : std::optional(text);
}

}  // namespace headlight
