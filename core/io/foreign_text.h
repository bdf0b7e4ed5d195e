// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// What files are that hold sentences in a form that is not read here: archives, spreadsheets, documents, subtitles.
struct ForeignText {
    /// "is an Excel workbook; save it there as CSV (UTF-8) and give that". Empty: it is none of them.
    std::string told = {};
    bool isPlain = false;  ///< it is a text nevertheless, and may be read as one by whoever wants to
    bool isZip = false;    ///< which models of other programs are too
};

/// By the first bytes, a few thousand, and the ending of the name (lowercaseEnding()).
ForeignText foreignText(std::string_view bytes, std::string_view ending);
/// Is it the ending of a sheet, a document or a book that is a zip archive by its first bytes?
bool isZippedEnding(std::string_view ending);

}  // namespace headlight
