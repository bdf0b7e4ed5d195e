// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/embedding_groups.h"

#include <algorithm>
#include <numeric>

#include <Eigen/Core>

#include "core/tensor/random.h"

namespace headlight {

namespace {

using Directions = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kFewestWords = 40;
constexpr int kLearnedFrom = 4000;  ///< words that the centres are found by
constexpr int kJudgedBy = 600;      ///< of these, for the silhouette
constexpr int kStarts = 4, kMostRounds = 30;
constexpr int kWordsAtOnce = 1024;
constexpr uint64_t kSeed = 20080;

/// The centred rows of length 1.
class Space {
public:
    explicit Space(const EmbeddingTable& table) : m_table(table), m_mean(Eigen::RowVectorXd::Zero(table.width)) {
        std::vector<char> isSpecial(table.names.size());
        for (const int row : table.specials)
            isSpecial[static_cast<size_t>(row)] = 1;
        for (int row = 0; row < table.count(); ++row)
            if (!isSpecial[static_cast<size_t>(row)] && values(row).squaredNorm() > 0) m_rows.push_back(row);
        for (const int row : m_rows)
            m_mean += values(row);
        m_mean /= std::max<double>(1, static_cast<double>(m_rows.size()));
    }

    const std::vector<int>& rows() const { return m_rows; }
    /// Of rows()[from], [from + step] …, so many of them.
    Directions directions(size_t from, size_t count, size_t step = 1) const {
        Directions all(static_cast<Eigen::Index>(count), m_table.width);
        for (size_t i = 0; i < count; ++i) {
            const Eigen::RowVectorXd away = values(m_rows[from + i * step]) - m_mean;
            const double length = away.norm();
            all.row(static_cast<Eigen::Index>(i)) = length > 0 ? (away / length).eval() : away;
        }
        return all;
    }

private:
    Eigen::RowVectorXd values(int row) const {
        return Eigen::Map<const Eigen::RowVectorXf>(m_table.row(row), m_table.width).cast<double>();
    }

    const EmbeddingTable& m_table;
    Eigen::RowVectorXd m_mean;
    std::vector<int> m_rows;
};

struct Centres {
    Directions at;         ///< [groups, width]
    std::vector<int> of;   ///< of each word that they were found by
    double closeness = 0;  ///< the sum of the words' cosines with their centres
};

/// The nearest centre of each word.
void assign(const Directions& words, Centres& centres) {
    const Directions cosines = words * centres.at.transpose();
    centres.of.resize(static_cast<size_t>(words.rows()));
    centres.closeness = 0;
    for (Eigen::Index i = 0; i < words.rows(); ++i) {
        Eigen::Index nearest = 0;
        centres.closeness += cosines.row(i).maxCoeff(&nearest);
        centres.of[static_cast<size_t>(i)] = static_cast<int>(nearest);
    }
}

/// Words that lie apart: each is drawn with a chance that grows with its distance from those before (Arthur,
/// Vassilvitskii 2007).
Directions firstCentres(const Directions& words, int groups, Random& random) {
    Directions centres(groups, words.cols());
    const auto count = static_cast<size_t>(words.rows());
    std::vector<double> away(count, 2);
    auto next = static_cast<Eigen::Index>(random.uniform() * static_cast<double>(count));
    for (int group = 0;; ++group) {
        centres.row(group) = words.row(std::min(next, words.rows() - 1));
        if (group + 1 == groups) return centres;
        const Eigen::VectorXd cosines = words * centres.row(group).transpose();
        for (size_t i = 0; i < count; ++i)
            away[i] = std::min(away[i], std::max(0.0, 1 - cosines[static_cast<Eigen::Index>(i)]));
        double drawn = random.uniform() * std::accumulate(away.begin(), away.end(), 0.0);
        for (next = 0; next + 1 < words.rows() && drawn > away[static_cast<size_t>(next)]; ++next)
            drawn -= away[static_cast<size_t>(next)];
    }
}

Centres oneStart(const Directions& words, int groups, Random& random) {
    Centres centres{firstCentres(words, groups, random), {}, 0};
    assign(words, centres);
    for (int round = 0; round < kMostRounds; ++round) {
        Directions sums = Directions::Zero(groups, words.cols());
        for (Eigen::Index i = 0; i < words.rows(); ++i)
            sums.row(centres.of[static_cast<size_t>(i)]) += words.row(i);
        for (int group = 0; group < groups; ++group)
            if (const double length = sums.row(group).norm(); length > 0)  // one without words stays where it is
                centres.at.row(group) = sums.row(group) / length;
        const std::vector<int> before = centres.of;
        assign(words, centres);
        if (centres.of == before) break;
    }
    return centres;
}

Centres bestCentres(const Directions& words, int groups) {
    Centres best;
    for (uint64_t start = 0; start < kStarts; ++start) {
        Random random(mix(kSeed + start) + static_cast<uint64_t>(groups));
        Centres centres = oneStart(words, groups, random);
        if (start == 0 || centres.closeness > best.closeness) best = std::move(centres);
    }
    return best;
}

/// `apart`: distances between the words whose groups are `of`.
double meanSilhouette(const Eigen::MatrixXd& apart, const std::vector<int>& of, int groups) {
    std::vector<int> sizes(static_cast<size_t>(groups));
    for (const int group : of)
        ++sizes[static_cast<size_t>(group)];
    double sum = 0;
    for (size_t i = 0; i < of.size(); ++i) {
        std::vector<double> far(static_cast<size_t>(groups));
        for (size_t j = 0; j < of.size(); ++j)
            far[static_cast<size_t>(of[j])] += apart(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        const auto own = static_cast<size_t>(of[i]);
        if (sizes[own] < 2) continue;  // alone: 0
        const double within = far[own] / (sizes[own] - 1);
        double next = 4;
        for (size_t group = 0; group < far.size(); ++group)
            if (group != own && sizes[group] > 0) next = std::min(next, far[group] / sizes[group]);
        if (const double larger = std::max(within, next); larger > 0) sum += (next - within) / larger;
    }
    return sum / static_cast<double>(of.size());
}

/// All words to the centres, the largest group first.
EmbeddingGroups gathered(const EmbeddingTable& table, const Space& space, Centres centres, double silhouette) {
    const auto groups = static_cast<size_t>(centres.at.rows());
    std::vector<std::vector<std::pair<double, int>>> members(groups);
    const std::vector<int>& rows = space.rows();
    for (size_t from = 0; from < rows.size(); from += kWordsAtOnce) {
        const size_t count = std::min<size_t>(kWordsAtOnce, rows.size() - from);
        const Directions cosines = space.directions(from, count) * centres.at.transpose();
        for (size_t i = 0; i < count; ++i) {
            Eigen::Index nearest = 0;
            const double cosine = cosines.row(static_cast<Eigen::Index>(i)).maxCoeff(&nearest);
            members[static_cast<size_t>(nearest)].emplace_back(-cosine, rows[from + i]);
        }
    }
    std::erase_if(members, [](const auto& each) { return each.empty(); });
    std::ranges::stable_sort(members, std::greater<>(), [](const auto& each) { return each.size(); });
    EmbeddingGroups result{.of = std::vector<int>(table.names.size(), EmbeddingGroups::none),
                           .nearest = {},
                           .sizes = {},
                           .silhouette = silhouette};
    for (auto& group : members) {
        std::ranges::sort(group);
        for (const auto& [cosine, row] : group)
            result.of[static_cast<size_t>(row)] = result.count();
        std::vector<int>& nearest = result.nearest.emplace_back();
        for (size_t i = 0; i < std::min(EmbeddingGroups::namesEach, group.size()); ++i)
            nearest.push_back(group[i].second);
        result.sizes.push_back(static_cast<int>(group.size()));
    }
    return result;
}

}  // namespace

EmbeddingGroups embeddingGroups(const EmbeddingTable& table, const std::function<bool(double)>& progress) {
    if (!table.ofWords) return {};
    const Space space(table);
    const size_t count = space.rows().size();
    if (count < kFewestWords) return {};
    const size_t step = (count + kLearnedFrom - 1) / kLearnedFrom;
    const Directions words = space.directions(0, (count + step - 1) / step, step);
    const Eigen::Index judged = std::min<Eigen::Index>(kJudgedBy, words.rows());
    const Eigen::Index every = words.rows() / judged;
    Directions sample(judged, words.cols());
    for (Eigen::Index i = 0; i < judged; ++i)
        sample.row(i) = words.row(i * every);
    const Eigen::MatrixXd apart = (1 - (sample * sample.transpose()).array()).matrix();
    Centres best;
    double most = -2;
    for (int groups = fewestGroups; groups <= mostGroups; ++groups) {
        if (progress && !progress(static_cast<double>(groups - fewestGroups) / (mostGroups - fewestGroups + 1)))
            return {};
        Centres centres = bestCentres(words, groups);
        std::vector<int> of(static_cast<size_t>(judged));
        for (size_t i = 0; i < of.size(); ++i)
            of[i] = centres.of[i * static_cast<size_t>(every)];
        const double silhouette = meanSilhouette(apart, of, groups);
        if (silhouette <= most) continue;
        most = silhouette;
        best = std::move(centres);
    }
    return gathered(table, space, std::move(best), most);
}

}  // namespace headlight
