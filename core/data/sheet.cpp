// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sheet.h"

namespace headlight {

namespace {

LineReader::Options optionsFor(const FileLayout& layout, LineReader::Options options) {
    const LineReader::Options found = linesOf(layout);
    options.lineEnd = found.lineEnd;
    options.cutBehind = found.cutBehind;
    options.encoding = found.encoding;
    if (layout.isTable()) {
        options.cutAfter = 0;
        options.undoEntities = false;  // in cells, once it is known where they end
    }
    return options;
}

}  // namespace

Sheet::Sheet(const std::string& path, SheetUse use, const LayoutChoice& choice, const LineReader::Options& options)
    : m_layout(layoutOf(path, use, choice)), m_reader(path, optionsFor(m_layout, options)) {
    if (!m_layout.isTable()) return;
    m_rows.emplace(m_reader, m_layout, options.undoEntities);
    std::vector<std::string> header;
    if (m_layout.hasHeader) m_rows->next(header);
    m_column.emplace(*m_rows, m_layout.columns[0]);
}

LineSource& Sheet::lines() {
    if (m_column) return *m_column;
    return m_reader;
}

}  // namespace headlight
