// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/translate_lines.h"

#include <streambuf>

#include "app/cli/cli.h"
#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight::cli {

namespace {

/// No sentence is as long; a file without line ends is, and must not fill the memory.
constexpr size_t longestLine = size_t{1} << 20;
constexpr size_t mostTogether = 2048;
constexpr long mostRefusals = 10;

/// The next line without its end, the first longestLine + 1 bytes of it where it is longer. False at the end.
bool readLine(std::streambuf& text, std::string& line) {
    line.clear();
    int c = text.sbumpc();
    if (c == std::char_traits<char>::eof()) return false;
    for (; c != std::char_traits<char>::eof() && c != '\n'; c = text.sbumpc())
        if (line.size() <= longestLine) line += static_cast<char>(c);
    if (line.ends_with('\r')) line.pop_back();
    return true;
}

class Lines {
public:
    Lines(const TrainedModel& model, const BeamOptions& options, std::string name,
          const std::function<void(const TranslatedLine&)>& tell)
        : m_model(model), m_options(options), m_name(std::move(name)), m_tell(tell) {}

    void add(const std::string& text) {
        TranslatedLine line{.number = ++m_done.lines, .translation = {}, .refused = {}};
        line.translation.source = text;
        try {
            if (isToBeTranslated(text)) {
                m_places.push_back(m_waiting.size());
                m_texts.push_back(text);
                m_done.unknownWords += static_cast<long>(unknownWords(m_model, text).size());
            }
        } catch (const Error& error) {
            line.refused = "line " + std::to_string(line.number) + " of " + m_name + ": " + error.what();
            if (++m_done.refused <= mostRefusals) m_done.refusals.push_back(line.refused);
        }
        m_waiting.push_back(std::move(line));
        if (m_waiting.size() == mostTogether) flush();
    }

    void flush() {
        std::vector<Translation> translations = translate(m_model, m_texts, m_options);
        for (size_t i = 0; i < translations.size(); ++i)
            m_waiting[m_places[i]].translation = std::move(translations[i]);
        for (const TranslatedLine& line : m_waiting)
            m_tell(line);
        m_waiting.clear();
        m_texts.clear();
        m_places.clear();
    }

    const TranslatedLines& done() const { return m_done; }

private:
    /// False: it is blank. Throws Error for what the model cannot read.
    bool isToBeTranslated(const std::string& text) const {
        if (text.size() > longestLine)
            throw Error("longer than " + std::to_string(longestLine >> 10) + " KiB: give a sentence a line");
        if (!findInvalidUtf8(text) && trimmed(text).empty()) return false;
        const size_t tokens = m_model.source->encodeInput(text).ids.size();
        const ModelConfig& config = m_model.network->config();
        // A classifier puts <bos> before what it reads.
        const bool putsBos = config.corpusKind() == CorpusKind::Labels && config.startsAtBos;
        const int most = putsBos ? config.maxLength - 1 : config.maxLength;
        if (tokens == 0) throw Error("nothing in it is a word to the model's tokenizer");
        if (tokens > static_cast<size_t>(most))
            throw Error("it has " + std::to_string(tokens) + " tokens, and this model reads at most " +
                        std::to_string(most) + " (max_length): shorten it");
        return true;
    }

    const TrainedModel& m_model;
    const BeamOptions& m_options;
    const std::string m_name;
    const std::function<void(const TranslatedLine&)>& m_tell;
    TranslatedLines m_done;
    std::vector<TranslatedLine> m_waiting;
    std::vector<std::string> m_texts;  ///< those of the waiting lines that are to be translated
    std::vector<size_t> m_places;      ///< of each of them among the waiting ones
};

}  // namespace

TranslatedLines translateLines(const TrainedModel& model, const BeamOptions& options, std::streambuf& text,
                               const std::string& name, const std::function<void(const TranslatedLine&)>& tell) {
    Lines lines(model, options, name, tell);
    for (std::string line; readLine(text, line);)
        lines.add(line);
    // Of a file that is no text at all nothing is told, line for line.
    if (lines.done().refused < lines.done().lines) lines.flush();
    return lines.done();
}

}  // namespace headlight::cli
