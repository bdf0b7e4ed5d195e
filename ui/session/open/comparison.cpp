// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/comparison.h"

#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/session/format/plural.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/positions.h"

namespace headlight {

std::vector<ValueDifference> valueDifferences(const Trace& a, const Trace& b) {
    std::vector<ValueDifference> result;
    for (const TraceRecord& left : a.records()) {
        const TraceRecord* right = b.find(left.name);
        if (!right || left.operation == Operation::Input || left.operation == Operation::Mask) continue;
        ValueDifference difference{left.name, std::numeric_limits<double>::quiet_NaN()};
        if (left.shape == right->shape) {
            double apart = 0, whole = 0;
            for (size_t i = 0; i < left.values.size(); ++i) {
                if (!std::isfinite(left.values[i]) || !std::isfinite(right->values[i])) continue;
                const auto x = static_cast<double>(left.values[i]), y = static_cast<double>(right->values[i]);
                apart += (y - x) * (y - x);
                whole += x * x;
            }
            difference.relative = apart == 0 ? 0 : std::sqrt(apart / std::max(whole, 1e-30));
        }
        result.push_back(std::move(difference));
    }
    return result;
}

const TraceRecord* counterpart(const Trace& a, const TraceRecord& value, const Trace& b) {
    if (const TraceRecord* same = b.find(value.name)) return same;
    const bool weights = value.is(ModuleKind::Attention, Part::Weights);
    if (!weights && !value.is(ModuleKind::Attention, Part::Scores)) return nullptr;
    for (const AttentionBlock& own : attentionBlocks(a)) {
        if (own.scope.toStdString() != value.owner().scope) continue;
        for (const AttentionBlock& other : attentionBlocks(b))
            if (other.kind == own.kind) return weights ? other.weights : other.scores;
    }
    return nullptr;
}

Comparison::Comparison(Session& session, QObject* parent)
    : QObject(parent), m_first(session), m_second(&session.settling()) {
    connect(&m_first, &Session::modelOpened, this, [this] {
        m_muted.clear();
        renew();
    });
    connect(&m_first, &Session::readingChanged, this, [this] {
        follow();
        emit changed();
    });
    connect(&m_second, &Session::modelOpened, this, &Comparison::follow);
    connect(&m_second, &Session::readingChanged, this, &Comparison::changed);
    connect(&m_second, &Session::failed, this, &Comparison::failed);
}

void Comparison::setWatched(bool watched) {
    if (m_watched == watched) return;
    m_watched = watched;
    if (watched) renew();
}

void Comparison::setKind(Kind kind) {
    if (m_kind == kind) return;
    m_kind = kind;
    renew();
}

void Comparison::setModelPath(const QString& path) {
    if (m_modelPath == path) return;
    m_modelPath = path;
    if (m_kind == Kind::Model) renew();
}

QString Comparison::modelHash() const {
    return m_second.modelKey() == QFileInfo(m_modelPath).absoluteFilePath() ? m_second.modelHash() : QString();
}

void Comparison::setMutedHeads(const QStringList& heads) {
    m_muted = heads;
    follow();
    emit changed();
}

void Comparison::setSentence(const QString& sentence) {
    m_sentence = sentence;
    follow();
    emit changed();
}

QString Comparison::wantedSource() const {
    return m_kind == Kind::Sentence && !m_sentence.trimmed().isEmpty() ? m_sentence : m_first.source();
}

QStringList Comparison::wantedHeads() const {
    // What the reader has muted in the open model stays muted beside it, where it is the same model.
    QStringList heads = m_kind == Kind::Model ? QStringList() : m_first.mutedHeads();
    if (m_kind == Kind::Heads) heads += m_muted;
    heads.removeDuplicates();
    return heads;
}

/// Puts the model that is wanted on the second side.
void Comparison::renew() {
    if (!m_watched || !m_first.model()) return;
    m_possible = true;
    if (m_kind == Kind::Model) {
        if (!m_modelPath.isEmpty() && m_openPath != m_modelPath) m_second.openModel(m_modelPath);
        m_openPath = m_modelPath;
    } else {
        std::shared_ptr<const TrainedModel> model = m_first.model();
        if (m_kind == Kind::Positions) model = withoutPositions(*model);
        m_openPath.clear();
        m_possible = model != nullptr;
        if (model) m_second.adoptModel(std::move(model), m_first.modelName());
    }
    follow();
    emit changed();
}

/// Puts the sentence and the muted heads that are wanted on the second side.
void Comparison::follow() {
    if (!m_watched || !m_second.model()) return;
    m_second.setSource(wantedSource());
    m_second.setMutedHeads(wantedHeads());
}

bool Comparison::isReady() const {
    const auto &a = m_first.reading(), &b = m_second.reading();
    if (!a || !b || a->source != m_first.source() || b->source != wantedSource()) return false;
    if (m_kind == Kind::Model && m_openPath.isEmpty()) return false;
    if (!m_possible) return false;
    return b->muted.has_value() != m_second.mutedHeads().isEmpty();
}

QString Comparison::title() const {
    switch (m_kind) {
        case Kind::Model:
            return m_second.modelName();
        case Kind::Heads:
            return m_muted.isEmpty() ? tr("the same model")
                   : m_muted.size() == 1
                       ? tr("without head %1").arg(m_muted.first().section(u'.', -1).toInt() + 1)
                       : plural(tr("without %n head(s)", nullptr, static_cast<int>(m_muted.size())), m_muted.size());
        case Kind::Positions:
            return tr("without positions");
        case Kind::Sentence:
            return tr("another sentence");
    }
    return {};
}

}  // namespace headlight
