// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/file_layout.h"

namespace headlight {

/// The first rows of a table, by their cells.
using TableRows = std::vector<std::vector<std::string>>;

/// Whether the first row is one of names and nothing else, above rows that are longer: among words alone "no" and "it"
/// are no languages.
bool looksLikeHeader(const TableRows& rows);

/// Whether they are a handful of different texts of two words at the most, which come again and again: no translations.
bool looksLikeLabels(std::span<const std::string_view> targets);

/// Sets `columns`: as somebody says, else by their names, else by what stands in them. Throws Error for a column that
/// the table does not have; `path` is named.
void chooseColumns(FileLayout& layout, const TableRows& rows, SheetUse use, const LayoutChoice& choice,
                   const std::string& path);

}  // namespace headlight
