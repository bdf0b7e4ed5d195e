// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/experiment/patching.h"
#include "ui/session/open/translation_row.h"
#include "ui/session/trace/found_texts.h"

namespace headlight {

/// A piece of B that stands in A, or stood there: of which kind, at which of that kind's depths, at which word of A;
/// all from 0. Written `state:2:4`, from 1, and with a minus in front where it is switched off.
struct SurgeryEdit {
    PatchDepth::Kind kind = PatchDepth::Kind::State;
    int depth = 0, position = 0;
    bool isOn = true;
    bool operator==(const SurgeryEdit&) const = default;
    bool isWhere(const SurgeryEdit& other) const {
        return kind == other.kind && depth == other.depth && position == other.position;
    }
    static std::optional<SurgeryEdit> parse(const std::string& text);
    std::string text() const;
};

/// How the other reading is made where not as the first.
struct SurgeryOther {
    std::vector<MutedHead> muted = {};
    std::shared_ptr<const TrainedModel> model = nullptr;  ///< null: the same
};

/// Two readings of one network, and what each piece of B is worth in A, kind by kind as it is asked for.
class SurgeryPicture {
public:
    using Kind = PatchDepth::Kind;
    static constexpr std::array kindWords = {"state", "sublayer", "head"};

    /// Throws Error as Patching.
    SurgeryPicture(std::shared_ptr<const TrainedModel> model, const QString& a, const QString& b,
                   SurgeryOther other = {});

    const Patching& patching() const { return *m_patching; }
    const QString& a() const { return m_a; }
    const QString& b() const { return m_b; }
    /// What each makes of its sentence, left alone.
    const TranslationRow& rowOfA() const { return m_rowOfA; }
    const TranslationRow& rowOfB() const { return m_rowOfB; }
    /// What B's reader makes of it, as a text.
    const QString& textOfB() const { return m_textOfB; }
    /// It fills gaps, and writes nothing behind a text.
    bool fillsIn() const { return m_model->network->config().masked(); }
    /// It names a label of a sentence, and writes nothing.
    bool namesLabel() const { return m_model->network->config().corpusKind() == CorpusKind::Labels; }
    QString name(int word) const;
    /// What stands before the word that is asked about.
    QString before() const;

    /// The depths of a kind, of the source's words or of the decoder's.
    std::vector<const PatchDepth*> depths(Kind kind) const;
    bool hasTwoSides() const;
    /// In a list of all: of heads behind the first its number alone.
    static QString nameOf(const PatchDepth& depth);
    /// Where it stands, in full: "Encoder, layer 1, after self-attention".
    static QString placeOf(const PatchDepth& depth);
    QStringList wordsOfA(const PatchDepth& depth) const;
    /// B's word that goes to each place of A; a dash where none does.
    QStringList wordsOfB(const PatchDepth& depth) const;

    /// The shares of a kind: [depth][position], depths as depths() has them.
    using Map = std::vector<std::vector<std::optional<double>>>;
    /// Reads all of them; `each` is told the share done, and says whether to go on.
    Map read(Kind kind, const std::function<bool(double)>& each) const;

    /// A under a list of edits.
    struct Outcome {
        TranslationRow row;
        double difference = 0;
        std::optional<double> share;
        std::array<Map, 3> moved;  ///< kind by kind, as depths() has them: Patching::moved()
        struct Word {
            QString name;
            double before = 0, now = 0;
        };
        std::vector<Word> words;       ///< the likeliest after before(), now and before
        std::vector<FoundText> found;  ///< by the beam search, the best first; empty where nothing is searched
    };
    Outcome outcome(const std::vector<SurgeryEdit>& edits) const;
    /// What the edits are for the engine; those that name no place are passed over.
    std::vector<Intervention> changes(const std::vector<SurgeryEdit>& edits) const;

private:
    std::shared_ptr<const TrainedModel> m_model;
    SurgeryOther m_other;
    QString m_a, m_b;
    std::unique_ptr<const Patching> m_patching;
    TranslationRow m_rowOfA, m_rowOfB;
    QString m_textOfB;
    std::vector<FoundText> m_foundBefore;
};

}  // namespace headlight
