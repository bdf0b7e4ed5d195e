// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headlight {

/// Follows the text of a JSON file that is one object, character by character, to find the lists of objects at its top
/// level (`{"rows": [{…}, …]}`). Values that are passed over are not checked.
class JsonTopLevel {
public:
    /// What a character is.
    enum class Met : unsigned char {
        Other,
        ListBegins,  ///< the brace of the first object in a list
        ListEnds,    ///< the bracket that closes such a list
        End,         ///< the brace that closes the file's object
        Wrong,       ///< none that may stand there
    };
    Met read(char c);
    /// Of the value that is being read.
    const std::string& key() const { return m_key; }
    /// Somebody else has read the list that had begun, to its closing bracket.
    void leaveList();

private:
    enum class Expected : unsigned char { Object, Key, Colon, Value, Comma, Nothing };
    Met readText(char c);
    Met readTop(char c);
    Met readInner(char c);

    Expected m_expected = Expected::Object;
    std::string m_key;
    int m_depth = 0;  ///< of objects and lists
    bool m_isText = false, m_isKey = false, m_isEscaped = false;
    bool m_isFirst = false;   ///< the first entry of a list at the top level is to come
    bool m_isInList = false;  ///< of objects
};

}  // namespace headlight
