// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/views/views.h"

namespace headlight {

/// All that the stage shows, as a value: where the reader is, what is open, what is pointed at, what was changed by
/// hand, and each view's options. What a lesson's step, `--option k=v` and a `headlight:` link say are text forms of
/// it, and all three follow from visitFields(). Positions, heads, rows and columns count from 1, as a reader counts;
/// 0: none. A fresh StageState is a fresh stage.
struct StageState {
    enum class Grain { Layer, Sublayer, Operation };

    // What views share.
    ViewName view = ViewName::Attention;
    std::string lesson;  ///< its slug, where the stage stands beside one; its matrices by hand are in force then
    int page = 0;        ///< the step of that lesson
    /// The name of a shipped model, a file's path, or `run:STEP`, the run below after so many steps; empty: the one
    /// that is open.
    std::string model;
    std::string modelHash;  ///< of the file's bytes (SHA-256, 16 hexadecimal digits), so that it is found elsewhere
    std::string source;     ///< empty: the example of the model's task
    std::string target;     ///< what an encoder-decoder is made to write; empty: its own translation
    StageTexts mute;        ///< `decoder.layers.1.cross_attn.3`, head from 0 as the trace's axis
    /// Inputs that the reader keeps: a source, and behind a tab its target, where it has one; none: those that there
    /// are stay.
    StageLines kept;
    StageTexts show;      ///< of View::panels those that are seen, or `picture`: none of them; none here, or `all`: all
    bool isBare = false;  ///< pictures alone: no rail, no sentence, no options of a view

    std::string focus;  ///< a traced value, or of a worked example the matrix
    std::string block;  ///< an attention block of the trace; empty: the one of the focus
    int head = 1;
    StageCell cell;
    int step = 0;  ///< of the timeline, or of the unrolled network where that is the view; 0: all is computed
    Grain grain = Grain::Operation;
    bool animate = false;
    bool histogram = false;  ///< of the value that is looked at, in place of its numbers
    int sentence = 1;        ///< of a batch
    int layer = 1;  ///< of a recurrent network; those that read from last to first are counted behind the others
    StageSide side = StageSide::Auto;

    // What belongs to one view, or to those of one thing.
#define HEADLIGHT_VIEW(Name, member, Options) Options member;
#define HEADLIGHT_PLAIN(Name, member)
    HEADLIGHT_VIEWS(HEADLIGHT_VIEW, HEADLIGHT_PLAIN)
#undef HEADLIGHT_VIEW
#undef HEADLIGHT_PLAIN

    bool operator==(const StageState&) const = default;
};

/// Calls visit(field, member) for every field, or visit(field, member, words) where only these words are allowed.
template <class State, class Visit>
requires std::is_same_v<std::remove_const_t<State>, StageState>
void visitFields(State& s, Visit&& visit) {
    visit(StageField{"view"}, s.view, viewWords());
    visit(StageField{"lesson"}, s.lesson);
    visit(StageField{"page"}, s.page);
    visit(StageField{"model"}, s.model);
    visit(StageField{"model_hash"}, s.modelHash);
    visit(StageField::edited("source"), s.source);
    visit(StageField::edited("target"), s.target);
    visit(StageField::edited("mute"), s.mute);
    visit(StageField{"kept"}, s.kept);
    visit(StageField{"show"}, s.show);
    visit(StageField{"controls"}, s.isBare, kShownHidden);
    visit(StageField{"focus"}, s.focus);
    visit(StageField{"block"}, s.block);
    visit(StageField::counted("head"), s.head);
    visit(StageField{"cell"}, s.cell);
    visit(StageField::once("step"), s.step);
    visit(StageField{"grain"}, s.grain, StageWords{"layer", "sublayer", "operation"});
    visit(StageField::once("animate"), s.animate, StageWords{"false", "true"});
    visit(StageField{"histogram"}, s.histogram, kOffOn);
    visit(StageField::counted("sentence"), s.sentence);
    visit(StageField::counted("layer"), s.layer);
    visit(StageField{"side"}, s.side, StageWords{"auto", "alignment", "gradient", "length", "none", "places", "runs"});
#define HEADLIGHT_VIEW(Name, member, Options) Options::visitFields(s.member, visit);
#define HEADLIGHT_PLAIN(Name, member)
    HEADLIGHT_VIEWS(HEADLIGHT_VIEW, HEADLIGHT_PLAIN)
#undef HEADLIGHT_VIEW
#undef HEADLIGHT_PLAIN
}

/// What the stage is to show, key by key, as it is written in a file or on the command line; the items of a list are
/// joined by ", ".
using StageSetting = std::map<std::string, std::string>;

/// The name that a view or a key bears today, for one that it bore before (`qkv`, `steps`); else the word itself.
std::string presentViewName(const std::string& word);
std::string presentKey(const std::string& key);

/// The view of that name, or of a former one.
std::optional<ViewName> viewNamed(const std::string& name);
const char* nameOf(ViewName view);

/// What is wrong with a value of a key; empty: nothing.
std::string whyWrong(const std::string& key, const std::string& value);
/// Every key, in the order of visitFields().
std::vector<std::string> stageKeyNames();
/// The words that a key's value may be; empty: what fits its type.
std::vector<std::string> wordsOf(const std::string& key);
bool livesOn(const std::string& key);

/// Throws Error that names the key, for one that there is not, and for a value that is none of it.
StageState stageFrom(const StageSetting& setting);
/// The fields that are not as on a fresh stage.
StageSetting settingOf(const StageState& state);

/// The field of that key as `from` has it.
void copyField(const std::string& key, const StageState& from, StageState& to);

/// `headlight:VIEW?key=value&…`, the values percent-encoded (RFC 3986).
std::string linkTo(const StageState& state);
/// Throws Error for what is no such link, and as stageFrom().
StageState stageFromLink(const std::string& link);

/// `now` with the edits of `edits` in the place of its own: what undoing and redoing sets.
StageState withEditsOf(StageState now, const StageState& edits);
/// Names of the fields that were edited between the two.
std::vector<std::string> editsBetween(const StageState& before, const StageState& after);

}  // namespace headlight
