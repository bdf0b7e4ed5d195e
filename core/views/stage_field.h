// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace headlight {

/// A cell of a matrix as a reader counts, from 1.
struct StageCell {
    int row = 0, column = 0;
    bool operator==(const StageCell&) const = default;
    bool valid() const { return row > 0 && column > 0; }
};

/// Texts without commas, by which they are joined.
using StageTexts = std::vector<std::string>;

/// Texts that may hold anything but a line's end, by which they are joined.
struct StageLines : std::vector<std::string> {
    using std::vector<std::string>::vector;
};

enum class StageStack { Decoder, Encoder };

/// What is drawn beside a recurrent network. None: the picture alone. Of free running the card that is brought into
/// sight: Places, Runs.
enum class StageSide { Auto, Alignment, Gradient, Length, None, Places, Runs };

/// Of rows of units: as the weights store them, or the largest first.
enum class UnitOrder { Stored, Sorted };

/// What is true of a field besides its name and its words.
struct StageField {
    enum class Lives {
        On,      ///< a step of a lesson that does not name it shows what the step before did
        OneStep  ///< it holds for the step that names it
    };
    enum class By {
        Moving,  ///< where the reader is, what is pointed at
        Editing  ///< what a reader changes and may want back: undone and redone
    };
    const char* name;
    By by = By::Moving;
    Lives lives = Lives::On;
    int least = 0, most = 999999;  ///< of a whole number

    /// Fields of which more is to be said than their name.
    static constexpr StageField edited(const char* name) { return {name, By::Editing}; }
    static constexpr StageField edited(const char* name, int least, int most = 999999) {
        return {name, By::Editing, Lives::On, least, most};
    }
    static constexpr StageField counted(const char* name, int least = 1, int most = 999999) {
        return {name, By::Moving, Lives::On, least, most};
    }
    static constexpr StageField once(const char* name) { return {name, By::Moving, Lives::OneStep}; }
};

/// The words of a field, in the order of its values: an enum's, or those of false and of true.
using StageWords = std::initializer_list<const char*>;
inline constexpr StageWords kOffOn = {"off", "on"};
inline constexpr StageWords kShownHidden = {"shown", "hidden"};
inline constexpr StageWords kStacks = {"decoder", "encoder"};
inline constexpr StageWords kUnitOrders = {"stored", "sorted"};

}  // namespace headlight
