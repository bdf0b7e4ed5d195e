// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <vector>

#include "core/experiment/residual_stream.h"

namespace headlight {

/// One word's way through one sublayer, as five vectors: what comes in, what the sublayer adds, their sum, that sum
/// brought to mean 0 and deviation 1, and what the norm's scale and shift make of it. In the order in which the model
/// computes them, which differs between post-norm and pre-norm.
struct StreamProfile {
    enum class Role { X, F, R, Z, Y };
    Role role = Role::X;
    QString formula;  ///< as paint::math() sets it
    QString caption;
    std::vector<double> values;
    RowMoments moments;
    std::vector<char> hidden = {};  ///< of each number: until the reader has predicted it; empty: none is

    bool isHidden(int unit) const { return !hidden.empty() && hidden[static_cast<size_t>(unit)] != 0; }
    /// All of it, and so what it is on average.
    bool isHidden() const;
};

/// A line of the arithmetic of one number.
struct StreamStep {
    QString formula;
    QString words;
    double value = 0;
    bool adds = false;    ///< the next line is a sum of those above
    bool result = false;  ///< what goes on
    QString brief = {};   ///< the words where there is less room; empty: they are few
    bool hidden = false;  ///< until the reader has predicted it
};

class StreamWord {
    Q_DECLARE_TR_FUNCTIONS(StreamWord)
public:
    /// `row` of the sublayer's values, from 0. What it needs of model and trace is copied.
    StreamWord(const TrainedModel& model, const Trace& trace, const StreamSublayer& sublayer, int row);

    NormOrder order() const { return m_order; }
    bool hasResidual() const { return m_hasResidual; }
    bool isRms() const { return !m_normed.takesMean; }
    /// "Attention", "The network".
    QString adder() const;
    int width() const { return static_cast<int>(m_normed.in.size()); }
    const std::vector<StreamProfile>& profiles() const { return m_profiles; }
    const StreamProfile& profile(StreamProfile::Role role) const;
    const NormedRow& normed() const { return m_normed; }
    /// Takes a number away until the reader has predicted it, and with it what is made of it on the way.
    void hide(StreamProfile::Role role, int unit);

    /// How number `unit`, from 0, comes about, step by step.
    std::vector<StreamStep> steps(int unit) const;
    /// "r", or what the norm reads in its place: the letter in the formula of y.
    QString normedLetter() const;

private:
    void makeProfiles(const std::vector<double>& x, const std::vector<double>& f, const std::vector<double>& r);
    std::vector<StreamStep> normSteps(int unit) const;
    /// What the norm reads.
    StreamProfile::Role normedRole() const;

    NormOrder m_order;
    bool m_hasResidual;
    bool m_readsLayerInput;  ///< a sublayer beside the one before it: what is normed is not what it is added to
    StreamSublayer::Kind m_kind;
    NormedRow m_normed;
    std::vector<StreamProfile> m_profiles;
};

/// "Self-attention", "Cross-attention", "Feed-forward".
QString sublayerTitle(StreamSublayer::Kind kind);
/// The same where there is little room, with the layer from 1: "self 1".
QString sublayerMark(const StreamSublayer& sublayer);

/// What its number `unit` becomes in a batch of so many sentences, this one and the first of `others`: by a layer norm,
/// which asks nobody, and by a batch norm. Sentences are what the norm reads, row-major.
struct InCompany {
    int sentences = 0;
    double layerNorm = 0, batchNorm = 0;
};
/// `row` of `own`. Batches that there are too few others for are left out.
std::vector<InCompany> inCompany(const StreamWord& word, int unit, const std::vector<float>& own,
                                 const std::vector<std::vector<float>>& others);

}  // namespace headlight
