// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/fetch/sentence_sets.h"

#include <QCoreApplication>

#include "ui/session/format/number_format.h"

namespace headlight {

namespace {

struct SentenceSetsText {
    Q_DECLARE_TR_FUNCTIONS(SentenceSets)
};

/// English and another language, as manythings.org selects and packs them from Tatoeba: a zip with a table of `English
/// TAB other TAB attribution`.
struct TatoebaPairs {
    const char* code;      ///< ISO 639-3
    const char* language;  ///< its name
    qint64 pairs, bytes;   ///< about
};

constexpr TatoebaPairs kTatoebaPairs[] = {
    {"fra", QT_TRANSLATE_NOOP("SentenceSets", "French"), 240'000, 8'000'000},
    {"deu", QT_TRANSLATE_NOOP("SentenceSets", "German"), 280'000, 10'000'000},
    {"spa", QT_TRANSLATE_NOOP("SentenceSets", "Spanish"), 140'000, 5'400'000},
    {"ita", QT_TRANSLATE_NOOP("SentenceSets", "Italian"), 390'000, 9'000'000},
    {"por", QT_TRANSLATE_NOOP("SentenceSets", "Portuguese"), 200'000, 7'000'000},
    {"rus", QT_TRANSLATE_NOOP("SentenceSets", "Russian"), 540'000, 17'000'000},
    {"ukr", QT_TRANSLATE_NOOP("SentenceSets", "Ukrainian"), 160'000, 5'000'000},
    {"nld", QT_TRANSLATE_NOOP("SentenceSets", "Dutch"), 75'000, 2'800'000},
    {"pol", QT_TRANSLATE_NOOP("SentenceSets", "Polish"), 48'000, 1'900'000},
    {"vie", QT_TRANSLATE_NOOP("SentenceSets", "Vietnamese"), 9'400, 400'000},
    {"jpn", QT_TRANSLATE_NOOP("SentenceSets", "Japanese"), 110'000, 4'000'000},
    {"tur", QT_TRANSLATE_NOOP("SentenceSets", "Turkish"), 700'000, 22'000'000},
};

/// A book in English by somebody who died long enough ago for all countries.
struct Book {
    int number;  ///< in Project Gutenberg's catalogue
    const char *file, *title, *author;
    int year;
    qint64 words, bytes;  ///< about
};

constexpr Book kBooks[] = {
    {11, "alice-in-wonderland.txt", "Alice's Adventures in Wonderland", "Lewis Carroll", 1865, 26'000, 170'000},
    {1661, "sherlock-holmes.txt", "The Adventures of Sherlock Holmes", "Arthur Conan Doyle", 1892, 105'000, 600'000},
};

SentenceSet setOf(const TatoebaPairs& pairs) {
    const QString language = QString::fromLatin1(pairs.language);
    return {.file = QStringLiteral("english-%1.tsv").arg(language.toLower()),
            .name = SentenceSetsText::tr("English, %1").arg(SentenceSetsText::tr(pairs.language)),
            .what = SentenceSetsText::tr("about %1 pairs").arg(formatCount(pairs.pairs)),
            .url = QUrl(QStringLiteral("https://www.manythings.org/anki/%1-eng.zip").arg(QLatin1String(pairs.code))),
            .about = pairs.bytes,
            .title = QStringLiteral("English to %1").arg(language),
            .credit = QStringLiteral("Sentences by the contributors of Tatoeba (tatoeba.org), CC BY 2.0 FR; selected "
                                     "by manythings.org/anki")};
}

SentenceSet setOf(const Book& book) {
    const QString title = QString::fromLatin1(book.title);
    return {.file = QString::fromLatin1(book.file),
            .name = title,
            .what = SentenceSetsText::tr("text, about %1 words").arg(formatCount(book.words)),
            .url = QUrl(QStringLiteral("https://www.gutenberg.org/cache/epub/%1/pg%1.txt").arg(book.number)),
            .about = book.bytes,
            .title = title,
            .credit = QStringLiteral("%1, by %2 (%3), public domain; the text is from gutenberg.org")
                          .arg(title, QString::fromLatin1(book.author))
                          .arg(book.year),
            .packing = SentenceSet::Packing::Text,
            .startMark = QStringLiteral("*** START OF THE PROJECT GUTENBERG EBOOK"),
            .endMark = QStringLiteral("*** END OF THE PROJECT GUTENBERG EBOOK")};
}

}  // namespace

std::vector<SentenceSet> sentenceSets() {
    std::vector<SentenceSet> sets;
    for (const TatoebaPairs& pairs : kTatoebaPairs)
        sets.push_back(setOf(pairs));
    for (const Book& book : kBooks)
        sets.push_back(setOf(book));
    return sets;
}

}  // namespace headlight
