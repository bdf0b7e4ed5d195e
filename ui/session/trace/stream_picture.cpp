// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/stream_picture.h"

#include <algorithm>
#include <array>

#include "ui/session/format/number_format.h"

namespace headlight {

namespace {

using ProfileRole = StreamProfile::Role;

std::vector<double> rowOf(const Trace& trace, const std::string& name, int row) {
    const TraceRecord& record = trace.at(name);
    const auto width = static_cast<size_t>(record.dim(1));
    const auto from = record.values.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(row) * width);
    return {from, from + static_cast<std::ptrdiff_t>(width)};
}

}  // namespace

StreamWord::StreamWord(const TrainedModel& model, const Trace& trace, const StreamSublayer& sublayer, int row)
    : m_order(model.network->config().normOrder),
      m_hasResidual(!sublayer.sum.empty()),
      m_readsLayerInput(m_order == NormOrder::Pre && !sublayer.norm.empty() &&
                        trace.at(sublayer.norm).inputs.front() != sublayer.x),
      m_kind(sublayer.kind),
      m_normed(normRow(model, trace, sublayer.norm, row)) {
    makeProfiles(rowOf(trace, sublayer.x, row), rowOf(trace, sublayer.f, row),
                 rowOf(trace, m_hasResidual ? sublayer.sum : sublayer.f, row));
}

QString StreamWord::adder() const {
    return m_kind == StreamSublayer::Kind::FeedForward ? tr("the network") : tr("attention");
}

QString StreamWord::normedLetter() const {
    if (m_readsLayerInput) return QStringLiteral("x₀");
    return m_order == NormOrder::Pre ? QStringLiteral("x") : QStringLiteral("r");
}

void StreamWord::makeProfiles(const std::vector<double>& x, const std::vector<double>& f,
                              const std::vector<double>& r) {
    const bool pre = m_order == NormOrder::Pre;
    const QString letter = normedLetter(), fOf = pre ? QStringLiteral("f(*y*)") : QStringLiteral("f(*x*)");
    const auto add = [this](ProfileRole role, const QString& formula, const QString& caption,
                            const std::vector<double>& values) {
        m_profiles.push_back({role, formula, caption, values, momentsOf(values)});
    };
    const QString z =
        isRms() ? QStringLiteral("*z* = *%1* / RMS").arg(letter) : QStringLiteral("*z* = (*%1* − μ) / σ").arg(letter);
    const QString y = isRms() ? QStringLiteral("*y* = γ*z*") : QStringLiteral("*y* = γ*z* + β");
    const QString same = m_readsLayerInput ? tr("what came into the layer, rescaled") : tr("same shape, rescaled");
    add(ProfileRole::X, QStringLiteral("*x*"), tr("comes in"), x);
    if (pre) {
        add(ProfileRole::Z, z, same, m_normed.z);
        add(ProfileRole::Y, y, tr("%1 reads this").arg(adder()), m_normed.out);
    }
    add(ProfileRole::F, fOf, m_hasResidual ? tr("%1 adds this").arg(adder()) : tr("%1 makes this").arg(adder()), f);
    add(ProfileRole::R, m_hasResidual ? QStringLiteral("*r* = *x* + %1").arg(fOf) : QStringLiteral("*r* = %1").arg(fOf),
        !m_hasResidual ? tr("x is left out here")
        : pre          ? tr("goes on; ticks: x alone")
                       : tr("ticks: x alone"),
        r);
    if (!pre) {
        add(ProfileRole::Z, z, same, m_normed.z);
        add(ProfileRole::Y, y, tr("goes on"), m_normed.out);
    }
}

bool StreamProfile::isHidden() const {
    return !hidden.empty() && std::ranges::find(hidden, 0) == hidden.end();
}

StreamProfile::Role StreamWord::normedRole() const {
    return m_order == NormOrder::Pre ? ProfileRole::X : ProfileRole::R;
}

void StreamWord::hide(ProfileRole role, int unit) {
    StreamProfile& profile = *std::ranges::find(m_profiles, role, &StreamProfile::role);
    profile.hidden.resize(profile.values.size());
    profile.hidden[static_cast<size_t>(unit)] = 1;
    if (role == normedRole()) hide(ProfileRole::Z, unit);
    if (role == ProfileRole::Z) hide(ProfileRole::Y, unit);
    if (role == ProfileRole::F || (role == ProfileRole::X && m_hasResidual)) hide(ProfileRole::R, unit);
}

const StreamProfile& StreamWord::profile(ProfileRole role) const {
    return *std::ranges::find(m_profiles, role, &StreamProfile::role);
}

/// From what the norm reads to what it hands on.
std::vector<StreamStep> StreamWord::normSteps(int unit) const {
    const auto at = static_cast<size_t>(unit);
    const QString index = QStringLiteral("_{%1}").arg(unit + 1);
    const double centred = m_normed.in[at] - m_normed.mean, z = m_normed.z[at];
    const bool isRowHidden = profile(normedRole()).isHidden();
    std::vector<StreamStep> steps;
    const auto ofRow = [&](double number) { return isRowHidden ? QStringLiteral("?") : formatNumber(number, 3); };
    const QString mean = ofRow(m_normed.mean), divisor = ofRow(m_normed.divisor);
    if (!isRms()) {
        steps.push_back({QStringLiteral("− μ"), tr("less the mean, %1").arg(mean), centred});
        steps.back().brief = tr("mean %1").arg(mean);
    }
    steps.push_back({isRms() ? QStringLiteral("/ RMS") : QStringLiteral("/ √(σ^{2} + ε)"),
                     (isRms() ? tr("over the RMS, %1") : tr("over the deviation, %1")).arg(divisor), z});
    steps.back().brief = (isRms() ? tr("RMS %1") : tr("deviation %1")).arg(divisor);
    steps.push_back({QStringLiteral("· γ") + index, tr("times %1").arg(formatNumber(m_normed.scale[at], 3)),
                     m_normed.scale[at] * z});
    if (!isRms())
        steps.push_back(
            {QStringLiteral("+ β") + index, tr("and %1").arg(formatNumber(m_normed.shift[at], 3)), m_normed.out[at]});
    for (StreamStep& step : steps)
        step.hidden = profile(ProfileRole::Z).isHidden(unit);
    steps.back().hidden = profile(ProfileRole::Y).isHidden(unit);
    return steps;
}

std::vector<StreamStep> StreamWord::steps(int unit) const {
    const auto at = static_cast<size_t>(unit);
    const auto value = [&](ProfileRole role) { return profile(role).values[at]; };
    const QString index = QStringLiteral("_{%1}").arg(unit + 1);
    const bool pre = m_order == NormOrder::Pre;
    const QString fOf = (pre ? QStringLiteral("f(*y*)") : QStringLiteral("f(*x*)")) + index;
    StreamStep x{QStringLiteral("x") + index, tr("comes in"), value(ProfileRole::X)};
    StreamStep f{fOf, m_hasResidual ? tr("%1 adds").arg(adder()) : tr("%1 makes").arg(adder()), value(ProfileRole::F),
                 m_hasResidual};
    StreamStep sum{QStringLiteral("r") + index, m_hasResidual ? tr("the sum") : tr("x is left out"),
                   value(ProfileRole::R)};
    x.hidden = profile(ProfileRole::X).isHidden(unit);
    f.hidden = profile(ProfileRole::F).isHidden(unit);
    sum.hidden = profile(ProfileRole::R).isHidden(unit);
    std::vector<StreamStep> all{x};
    const std::vector<StreamStep> norm = normSteps(unit);
    if (pre) {
        all.insert(all.end(), norm.begin(), norm.end());
        all.push_back(f);
        all.push_back(sum);
        if (m_hasResidual) all.back().words = tr("the sum with x");
        all[all.size() - 2].adds = m_hasResidual;
    } else {
        all.push_back(f);
        all.push_back(sum);
        all.insert(all.end(), norm.begin(), norm.end());
    }
    all.back().result = true;
    return all;
}

QString sublayerTitle(StreamSublayer::Kind kind) {
    switch (kind) {
        case StreamSublayer::Kind::SelfAttention:
            return StreamWord::tr("Self-attention");
        case StreamSublayer::Kind::CrossAttention:
            return StreamWord::tr("Cross-attention");
        case StreamSublayer::Kind::FeedForward:
            return StreamWord::tr("Feed-forward");
    }
    return {};
}

QString sublayerMark(const StreamSublayer& sublayer) {
    const QString name = sublayer.kind == StreamSublayer::Kind::SelfAttention    ? StreamWord::tr("self %1")
                         : sublayer.kind == StreamSublayer::Kind::CrossAttention ? StreamWord::tr("cross %1")
                                                                                 : StreamWord::tr("feed %1");
    return name.arg(sublayer.layer + 1);
}

std::vector<InCompany> inCompany(const StreamWord& word, int unit, const std::vector<float>& own,
                                 const std::vector<std::vector<float>>& others) {
    const NormedRow& normed = word.normed();
    std::vector<InCompany> all;
    for (const size_t sentences : {size_t{1}, size_t{4}, size_t{16}, size_t{64}}) {
        if (others.size() + 1 < sentences) break;
        std::vector<std::vector<float>> batch{own};
        batch.insert(batch.end(), others.begin(), others.begin() + static_cast<std::ptrdiff_t>(sentences - 1));
        const auto at = static_cast<size_t>(unit);
        all.push_back({static_cast<int>(sentences), normed.z[at],
                       batchNormed(normed.in[at], at, batch, static_cast<size_t>(word.width()), normed.epsilon)});
    }
    return all;
}

}  // namespace headlight
