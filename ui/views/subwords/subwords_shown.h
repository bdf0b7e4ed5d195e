// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <memory>
#include <vector>

#include "core/text/merge_film.h"

namespace headlight {

/// All that the parts of the subwords view draw: a moment of the film, and the words that were typed to be cut.
struct SubwordsShown {
    /// A word that is cut by the merges so far.
    struct Cut {
        QString text;
        long count = 0;               ///< how often it stands in the text; 0: it is out of vocabulary
        std::vector<BpeStep> ladder;  ///< from its characters on
        const std::vector<std::string>& pieces() const { return ladder.back().symbols; }
    };
    /// How many pairs and words are kept of a moment.
    static constexpr size_t mostPairs = 40, mostWords = 120;

    std::shared_ptr<const MergeFilm> film;
    int merges = 0;                      ///< that are done
    std::vector<MergeFilm::Pair> pairs;  ///< counted before the last of them, or before the first
    std::vector<MergeFilm::Word> words;  ///< in pieces after it
    std::vector<Cut> cut = {};
    int chosen = 0;                       ///< of `cut`
    std::vector<std::string> known = {};  ///< for each piece of the chosen one a word of the text that has it
    bool isOfModel = false;               ///< the merges are the open model's; nobody knows how often a pair stood

    /// The merge that was done last; before the first the one that comes, null where there is none.
    const Merge* atHand() const {
        const std::vector<Merge>& all = film->merges();
        const size_t index = merges > 0 ? static_cast<size_t>(merges) - 1 : 0;
        return index < all.size() ? &all[index] : nullptr;
    }
    /// The piece that was made last; empty before the first.
    std::string made() const { return merges > 0 ? atHand()->merged : std::string(); }
};

/// A symbol without the mark that ends its word.
inline QString bareSymbol(const std::string& symbol) {
    QString text = QString::fromStdString(symbol);
    if (text.endsWith(QLatin1String("</w>"))) text.chop(4);
    return text;
}
/// Code points, which UTF-16 may need two of for one.
inline qsizetype lettersIn(const QString& text) {
    return text.toUcs4().size();
}
inline bool endsWord(const std::string& symbol) {
    return symbol.ends_with("</w>");
}

}  // namespace headlight
