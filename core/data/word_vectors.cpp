// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/word_vectors.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/data/line_reader.h"
#include "core/error.h"
#include "core/number_text.h"

namespace headlight {

namespace {

std::vector<std::string_view> fieldsOf(std::string_view line) {
    std::vector<std::string_view> fields;
    for (size_t begin = 0; begin < line.size();) {
        const size_t end = std::min(line.find_first_of(" \t", begin), line.size());
        if (end > begin) fields.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    return fields;
}

/// The weight that words of a side are read with.
const ParameterSet::Entry& embeddingOf(const Model& model, const char* side) {
    const std::string own = std::string(side) + "_embedding.weight";
    const auto& entries = model.parameters().entries();
    auto found = std::ranges::find(entries, own, &ParameterSet::Entry::name);
    if (found == entries.end()) found = std::ranges::find(entries, "embedding.weight", &ParameterSet::Entry::name);
    if (found == entries.end()) throw Error(std::string("this model has no embedding of its ") + side);
    return *found;
}

class VectorReader {
public:
    VectorReader(const std::string& path, const char* side, const Vocabulary& vocabulary, size_t width)
        : m_reader(path, {.mostBytes = mostBytes}),
          m_side(side),
          m_vocabulary(vocabulary),
          m_width(width),
          m_seen(static_cast<size_t>(vocabulary.size())) {}

    /// `rows`: of all words, [vocabulary, width].
    VectorsFound read(float* rows, const WorkProgress& progress) {
        VectorsFound result{0, m_vocabulary.size() - Vocabulary().size()};
        for (std::string line; m_reader.next(line);) {
            if (m_reader.line() % 4096 == 0) tell(progress, m_reader.share());
            const std::vector<std::string_view> fields = fieldsOf(line);
            if (fields.empty() || isHeader(fields)) continue;
            requireWidth(fields);
            // A word that has spaces in itself is none that a tokenizer makes.
            const int id = fields.size() == m_width + 1 ? m_vocabulary.find(fields.front()) : Vocabulary::none;
            if (id < Vocabulary().size() || m_seen[static_cast<size_t>(id)]) continue;
            m_seen[static_cast<size_t>(id)] = true;
            take(fields, rows + static_cast<size_t>(id) * m_width);
            ++result.found;
        }
        if (result.found == 0)
            throw Error("no word of the " + std::string(m_side) + " vocabulary has a vector in " + m_reader.path() +
                        ": give vectors of that language, written as the tokenizer writes its words");
        return result;
    }

private:
    static constexpr size_t mostBytes = size_t{64} << 30;  // nothing of it is kept

    bool isHeader(const std::vector<std::string_view>& fields) {
        long words = 0, width = 0;
        const bool is =
            m_reader.line() == 1 && fields.size() == 2 && readNumber(fields[0], words) && readNumber(fields[1], width);
        if (is && width != static_cast<long>(m_width)) refuseWidth(width);
        return is;
    }

    void requireWidth(const std::vector<std::string_view>& fields) {
        const bool first = !std::exchange(m_begun, true);
        if (fields.size() == m_width + 1 || (!first && fields.size() > m_width + 1)) return;
        if (first) refuseWidth(static_cast<long>(fields.size()) - 1);
        m_reader.fail("has " + std::to_string(fields.size() - 1) + " numbers behind its word, and not " +
                      std::to_string(m_width) + " as the lines before; the file is damaged");
    }

    [[noreturn]] void refuseWidth(long width) const {
        throw Error(m_reader.path() + " has vectors of " + std::to_string(width) + " numbers, and the model's " +
                    m_side + " embedding has " + std::to_string(m_width) +
                    ": give the model that width (--d-model, of recurrent models --embedding-size) or other vectors");
    }

    void take(const std::vector<std::string_view>& fields, float* row) const {
        for (size_t i = 0; i < m_width; ++i) {
            float number = 0;
            if (!readNumber(fields[i + 1], number) || !std::isfinite(number))
                m_reader.fail("has \"" + std::string(fields[i + 1]) + "\" where a number must stand");
            row[i] = number;
        }
    }

    LineReader m_reader;
    const char* m_side;
    const Vocabulary& m_vocabulary;
    size_t m_width;
    std::vector<bool> m_seen;
    bool m_begun = false;
};

VectorsFound startSide(const std::string& path, const char* side, const Tokenizer& tokenizer, Model& model,
                       const WorkProgress& progress) {
    if (path.empty()) return {};
    const ParameterSet::Entry& weight = embeddingOf(model, side);
    VectorReader reader(path, side, tokenizer.vocabulary(), static_cast<size_t>(weight.shape.dim(1)));
    return reader.read(model.parameters().flat().data() + weight.offset, progress);
}

}  // namespace

void VectorFiles::check(const ModelConfig& config) const {
    if (config.corpusKind() == CorpusKind::Labels && !target.empty())
        throw Error("labels have no embedding: leave --target-embeddings out");
    if (config.corpusKind() == CorpusKind::Text && !source.empty() && !target.empty())
        throw Error("a model of architecture " + config.architecture +
                    " reads what it writes: give one of --source-embeddings and --target-embeddings");
}

SidesFound startWith(const VectorFiles& files, TrainedModel& model, const WorkProgress& progress) {
    files.check(model.network->config());
    const bool both = !files.source.empty() && !files.target.empty();
    return {startSide(files.source, "source", *model.source, *model.network, partOf(progress, 0, both ? 0.5 : 1)),
            startSide(files.target, "target", *model.target, *model.network, partOf(progress, both ? 0.5 : 0, 1))};
}

}  // namespace headlight
