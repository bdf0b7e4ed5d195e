// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headlight {

/// Puts characters in the place of the entities that stand for them, as programs for text on the web and the Moses
/// tools write them: `&amp; &lt; &gt; &quot; &apos; &nbsp;`, and any by its number, `&#39;` or `&#x27;`. Each is undone
/// once: `&amp;lt;` becomes `&lt;`. What is no entity stays as it is, and so does a control character's number, as it
/// would tear the line. `text` must be UTF-8; returns how many were undone.
long undoEntities(std::string& text);

}  // namespace headlight
