// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/experiment/why.h"
#include "ui/session/trace/said_words.h"

namespace headlight {

/// A bar that is opened: its place in its column, from 0, and whether into the score behind its weight. Written `3`,
/// or `3s` for the score, from 1.
struct WhyStep {
    int index = 0;
    bool score = false;
    bool operator==(const WhyStep&) const = default;
    static std::optional<WhyStep> parse(const std::string& text);
    std::string text() const;
};

/// What a bar is the sum of, or at first the difference of the logits.
struct WhyColumn {
    struct Row {
        WhyPart part;
        QString name;
        bool hasProduct = false;  ///< part.factor × part.along stand beside the name
    };
    QString title, note;
    QString sumName, closes;  ///< what the sum is, and where the reader has seen it
    std::vector<Row> rows;
    double sum = 0;
};

/// A question answered in columns, each of which adds up to the bar that it was opened from, and their words.
class WhyPicture : public SaidWords {
public:
    /// A word that is not there stands for the likeliest. `wanted` is asked on the way whether to go on. Throws Error
    /// for a trace without logits, and where the way to them cannot be taken apart.
    WhyPicture(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace,
               const WhyQuestion& question, const std::function<bool()>& wanted = {});

    const Why& why() const { return *m_why; }
    /// Ids of the target vocabulary.
    int word() const { return m_word; }
    int against() const { return m_against; }

    /// The first column, and one for each bar that is opened; steps that lead nowhere end the list.
    std::vector<WhyColumn> columns(const std::vector<WhyStep>& opened) const;
    /// The way to the largest bar of each column, as far as it opens into something that was read.
    std::vector<WhyStep> largest() const;
    /// "Layer 1, self-attention" and the number held there; of many numbers how many.
    struct Held {
        QString name;
        QString number;
    };
    std::vector<Held> held() const;
    /// The word whose reading by one head counts most for or against, over all heads; amount 0 where none is.
    struct Reading {
        QString word, by;
        double amount = 0;
    };
    const Reading& strongest() const { return m_strongest; }

private:
    void findWords(const WhyQuestion& question);
    void findStrongest(const std::function<bool()>& wanted);
    const TraceRecord& record(const WhyPart& part) const { return trace().at(part.value); }
    /// Of a sublayer, without the name of a stack that is the only one.
    QString place(const TraceRecord& record) const;
    QString readWord(const WhyPart& part) const;
    QString readerOf(const WhyPart& source) const;
    QString nameOf(const WhyPart& part) const;
    QString noteOf(const WhyPart& opened, bool score) const;
    WhyColumn first() const;
    WhyColumn column(const WhyColumn::Row& opened, bool score) const;
    void fill(WhyColumn& column, std::vector<WhyPart> parts) const;

    std::unique_ptr<const Why> m_why;
    int m_word = 0, m_against = 0;
    Reading m_strongest;
};

}  // namespace headlight
