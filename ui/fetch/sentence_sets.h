// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QUrl>
#include <vector>

namespace headlight {

/// A set of sentences that its publisher gives away: where it is, how large about, and what a model that learned from
/// it has to say of it.
struct SentenceSet {
    enum class Packing {
        Zip,   ///< its largest text counts
        Text,  ///< as it is, in UTF-8
    };

    QString file;    ///< that it becomes on this computer: english-french.tsv
    QString name;    ///< what it is called: "English, French"
    QString what;    ///< what is in it, in a few words
    QUrl url;        ///< https
    qint64 about;    ///< bytes of the download, roughly: publishers add to their sets
    QString title;   ///< CorpusFiles::title
    QString credit;  ///< CorpusFiles::credit, with the licence
    Packing packing = Packing::Zip;
    QString sha256 = {};                   ///< in hexadecimal digits, where the publisher tells it
    QString startMark = {}, endMark = {};  ///< of a text: what stands from this line on, and up to that one, is kept
};

/// Those that the program offers. Nothing is asked of a network to tell.
std::vector<SentenceSet> sentenceSets();

}  // namespace headlight
