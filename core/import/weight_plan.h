// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/import/weight_files.h"
#include "core/io/safetensors.h"
#include "core/nn/parameter_set.h"

namespace headlight {

/// Which tensors of another program's file become which weights of ours. A kind of model writes it down; write() makes
/// such tensors of our weights, and fill() goes the other way, and holds both sides to account: a weight that nothing
/// was said of and a tensor that nothing asked for are errors, as either would give other numbers than the model's own
/// program.
class WeightPlan {
public:
    explicit WeightPlan(const WeightFiles& files) : m_files(files) {}
    const WeightFiles& files() const { return m_files; }

    /// How a matrix lies in the file.
    enum class Layout {
        OutIn,  ///< as torch.nn.Linear and our own
        InOut,  ///< as GPT-2's Conv1D
    };

    /// Our weight `ours` is their tensor `theirs`. Neither may be there: a bias that a model does without.
    void copy(const std::string& ours, const std::string& theirs, Layout layout = Layout::OutIn);
    /// Their queries, keys and values below one another.
    void stack(const std::string& ours, const std::vector<std::string>& theirs);
    /// Our weight is the rows from `first` on of a tensor of theirs that has `all` rows: theirs is several of ours
    /// below one another.
    void rows(const std::string& ours, const std::string& theirs, int first, int all);
    /// Queries, keys and values of one head after the other, where ours has all queries, then all keys, all values:
    /// theirs is [heads, 3, width of a head], and so are the biases (GPT-NeoX).
    void headByHead(const std::string& ours, const std::string& theirs, int heads);
    /// `stack` of the weights, and of the biases, of their maps to queries, keys and values: an attention's of ours.
    void projections(const std::string& attention, const std::vector<std::string>& maps);
    /// The matrix of the head that says words. Where it is `tied` it is `embedding`'s, and what the file may hold of it
    /// is a copy.
    void head(const std::string& theirs, bool tied, const std::string& embedding = "embedding.weight");
    /// Their tensor is our weight `ours` once more, where the file has it. Where it holds other numbers its own program
    /// takes now the one, now the other: fill() refuses it.
    void again(const std::string& theirs, const std::string& ours) { m_copies[theirs] = ours; }
    /// `copy` of NAME.weight and NAME.bias.
    void module(const std::string& ours, const std::string& theirs, Layout layout = Layout::OutIn);
    /// As copy(), a row of a matrix there; zeros where the file lacks it.
    void copyOrZeros(const std::string& ours, const std::string& theirs);
    /// Their tensors bear our names; of two biases that we keep as one the sum is taken.
    void sameNames(const ParameterSet& parameters);
    /// Tensors that the model's own program does not compute with; `*` stands for anything.
    void ignore(std::string pattern) { m_ignored.push_back(std::move(pattern)); }

    /// Reads everything. Throws Error for a tensor that lacks, is of another shape, or has no place.
    void fill(ParameterSet& parameters) const;

    /// What write() would write, by name.
    std::map<std::string, std::vector<int64_t>> shapes(const ParameterSet& parameters, int keyWidth) const;
    /// Adds their tensors to a file, each under the name that `fileName` makes of its own. `keyWidth`: rows of keys,
    /// and of values. The parameters must stay until the file is written; what had to be turned over is kept in
    /// `turned`.
    void write(const ParameterSet& parameters, int keyWidth, std::string (*fileName)(const std::string&),
               std::list<std::vector<float>>& turned, safetensors::Writer& writer) const;

private:
    struct Source {
        std::vector<std::string> theirs;
        Layout layout = Layout::OutIn;
        enum class Join { Rows, Sum } join = Join::Rows;
        bool mayLack = false;
        int firstRow = 0;  ///< of theirs, where ours is a part of it
        int allRows = 0;   ///< of theirs then; else 0
        int heads = 0;     ///< where theirs goes head by head; else 0
    };
    /// One of their tensors, as it lies in our weights.
    struct Piece {
        std::string theirs;
        std::vector<int64_t> shape;      ///< theirs
        std::span<const float> numbers;  ///< ours
        Layout layout = Layout::OutIn;
        int firstRow = 0, allRows = 0, heads = 0;  ///< as a source's
    };
    std::vector<Piece> pieces(const ParameterSet& parameters, int keyWidth) const;
    void refuseSurplus(const ParameterSet& parameters) const;
    void compareCopies(ParameterSet& parameters) const;
    void read(const ParameterSet::Entry& entry, const Source& source, std::span<float> values) const;
    void readRows(const ParameterSet::Entry& entry, const Source& source, std::span<float> values) const;
    void readPart(const std::string& theirs, Layout layout, Shape wanted, std::span<float> values) const;

    const WeightFiles& m_files;
    std::map<std::string, Source> m_sources;
    std::map<std::string, std::string> m_copies;  ///< theirs, and ours that it is
    std::vector<std::string> m_ignored;
};

}  // namespace headlight
