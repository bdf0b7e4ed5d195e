// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/option_pages.h"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace headlight {

namespace {

/// A program or one of its subcommands.
struct Command {
    const CLI::App* app;
    std::string path;  ///< "experiment variants"; of the program itself ""
};

/// The program, then what it has below, in the order of help.
void listCommands(const CLI::App& app, const std::string& path, std::vector<Command>& commands) {
    commands.push_back({&app, path});
    for (const CLI::App* each : app.get_subcommands({}))
        listCommands(*each, path.empty() ? each->get_name() : path + " " + each->get_name(), commands);
}

std::vector<Command> commandsOf(const CLI::App& app) {
    std::vector<Command> commands;
    listCommands(app, "", commands);
    return commands;
}

std::vector<const CLI::Option*> namedOptions(const CLI::App& app) {
    return app.get_options(
        [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
}

std::vector<const CLI::Option*> positionals(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

/// "-h", "--help".
std::vector<std::string> namesOf(const CLI::Option& option) {
    std::vector<std::string> names;
    names.reserve(option.get_snames().size() + option.get_lnames().size());
    for (const std::string& name : option.get_snames())
        names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        names.push_back("--" + name);
    return names;
}

/// What help writes behind the name: "FILE", "light|dark"; "" of a switch.
std::string labelOf(const CLI::Option& option) {
    if (!option.get_option_text().empty()) return option.get_option_text();
    return option.get_type_size() == 0 ? "" : option.get_type_name();
}

/// The words that stand for themselves in "[lines|breaks]" or "word|bpe:N".
std::vector<std::string> choicesOf(const CLI::Option& option) {
    std::string label = labelOf(option);
    if (label.find('|') == std::string::npos) return {};
    std::erase_if(label, [](char c) { return c == '[' || c == ']'; });
    std::vector<std::string> words;
    std::istringstream parts(label);
    for (std::string word; std::getline(parts, word, '|');) {
        const bool isPlain = std::ranges::all_of(
            word, [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '_' || c == '-'; });
        if (isPlain) words.push_back(word);
    }
    return words;
}

bool namesFiles(const CLI::Option& option) {
    const std::string label = labelOf(option);
    return std::ranges::any_of(std::initializer_list<const char*>{"FILE", "DIR", "MODEL", "LESSONS"},
                               [&](const char* word) { return label.find(word) != std::string::npos; });
}

std::string joined(const std::vector<std::string>& words, const std::string& between = " ") {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : between) + word;
    return text;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

std::vector<std::string> subcommandNames(const CLI::App& app) {
    const std::vector<const CLI::App*> below = app.get_subcommands({});
    std::vector<std::string> names;
    std::ranges::transform(below, std::back_inserter(names), [](const CLI::App* each) { return each->get_name(); });
    return names;
}

std::vector<std::string> optionNames(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : namedOptions(app))
        std::ranges::copy(namesOf(*option), std::back_inserter(names));
    return names;
}

// The manual page

std::string roff(const std::string& text) {
    const std::string escaped = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
    return (escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" : "") + escaped;
}

void writeManOption(std::ostream& out, const std::vector<std::string>& names, const CLI::Option& option) {
    out << ".TP\n\\fB" << roff(joined(names, ", ")) << "\\fR";
    if (!labelOf(option).empty()) out << " \\fI" << roff(labelOf(option)) << "\\fR";
    out << "\n" << roff(option.get_description()) << "\n";
}

void writeManOptions(std::ostream& out, const CLI::App& app) {
    for (const CLI::Option* option : positionals(app))
        writeManOption(out, {option->get_name(true)}, *option);
    for (const CLI::Option* option : namedOptions(app))
        writeManOption(out, namesOf(*option), *option);
}

/// "[OPTIONS] model [text...]"
std::string usageOf(const CLI::App& app) {
    std::string text = "[OPTIONS]";
    for (const CLI::Option* option : positionals(app)) {
        const std::string name = option->get_name(true) + (option->get_expected_max() > 1 ? "..." : "");
        text += option->get_required() ? " " + name : " [" + name + "]";
    }
    return app.get_subcommands({}).empty() ? text : text + " COMMAND";
}

void writeMan(std::ostream& out, const CLI::App& app) {
    std::string about = app.get_description();
    if (about.ends_with('.')) about.pop_back();
    std::string title = app.get_name();
    std::ranges::transform(title, title.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    out << ".TH " << title << " 1 \"\" \"Headlight " HEADLIGHT_VERSION "\" \"User Commands\"\n"
        << ".SH NAME\n"
        << app.get_name() << " \\- " << roff(about) << "\n.SH SYNOPSIS\n";
    const std::vector<Command> commands = commandsOf(app);
    out << "\\fB" << roff(app.get_name()) << "\\fR " << roff(usageOf(app)) << "\n.SH OPTIONS\n";
    writeManOptions(out, app);
    if (commands.size() > 1) out << ".SH COMMANDS\n";
    for (const Command& command : commands) {
        if (command.path.empty()) continue;
        out << ".SS \"" << roff(command.path) << " " << roff(usageOf(*command.app)) << "\"\n"
            << roff(command.app->get_description()) << "\n";
        writeManOptions(out, *command.app);
    }
    const std::string other = app.get_name() == "headlight" ? "headlight-cli" : "headlight";
    out << ".SH EXIT STATUS\n0 done, 1 failed, 2 wrong usage. An error is one line on standard error.\n"
        << ".SH SEE ALSO\n\\fB" << roff(other) << "\\fR(1)\n";
}

// Completions

std::string quotedForShell(const std::string& text) {
    return "'" + replaced(text, "'", "'\\''") + "'";
}

std::string functionName(const CLI::App& app) {
    return "_" + replaced(app.get_name(), "-", "_");
}

/// Lines of a case that follows the words typed so far from command to command, by `$command|$each`.
void writeSteps(std::ostream& out, const std::vector<Command>& commands) {
    for (const Command& command : commands)
        for (const std::string& name : subcommandNames(*command.app))
            out << "            " << quotedForShell(command.path + "|" + name)
                << ") command=" << quotedForShell(command.path.empty() ? name : command.path + " " + name) << " ;;\n";
}

void writeBash(std::ostream& out, const CLI::App& app) {
    const std::vector<Command> commands = commandsOf(app);
    out << "# bash completion for " << app.get_name() << ", written by the program from its options\n"
        << functionName(app) << "() {\n"
        << "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command='' each words=''\n"
        << "    COMPREPLY=()\n    for each in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n        case \"$command|$each\" "
           "in\n";
    writeSteps(out, commands);
    out << "            *) ;;\n        esac\n    done\n    case \"$command|$before\" in\n";
    for (const Command& command : commands) {
        for (const CLI::Option* option : namedOptions(*command.app)) {
            if (labelOf(*option).empty()) continue;
            // Without choices nothing is offered here, and bash completes names of files.
            for (const std::string& name : namesOf(*option))
                out << "        " << quotedForShell(command.path + "|" + name)
                    << ") mapfile -t COMPREPLY < <(compgen -W " << quotedForShell(joined(choicesOf(*option)))
                    << " -- \"$word\"); return ;;\n";
        }
    }
    out << "    esac\n    if [[ $word == -* ]]; then\n        case \"$command\" in\n";
    for (const Command& command : commands)
        out << "            " << quotedForShell(command.path)
            << ") words=" << quotedForShell(joined(optionNames(*command.app))) << " ;;\n";
    out << "        esac\n    else\n        case \"$command\" in\n";
    for (const Command& command : commands)
        out << "            " << quotedForShell(command.path)
            << ") words=" << quotedForShell(joined(subcommandNames(*command.app))) << " ;;\n";
    out << "        esac\n    fi\n    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n}\n"
        << "complete -o default -F " << functionName(app) << " " << app.get_name() << "\n";
}

/// What _arguments reads behind an option's name: `[what it is]`, then the value that it takes.
std::string zshValue(const CLI::Option& option) {
    std::string about = option.get_description();
    for (const char* special : {"\\", "[", "]", ":"})
        about = replaced(about, special, std::string("\\") + special);
    about = "[" + about + "]";
    if (labelOf(option).empty()) return about;
    const std::vector<std::string> choices = choicesOf(option);
    if (!choices.empty()) return about + ":value:(" + joined(choices) + ")";
    return about + (namesFiles(option) ? ":file:_files" : ":value: ");
}

void writeZsh(std::ostream& out, const CLI::App& app) {
    const std::vector<Command> commands = commandsOf(app);
    out << "#compdef " << app.get_name() << "\n# Written by the program from its options.\n"
        << functionName(app) << "() {\n    local command='' each\n    local -a commands\n"
        << "    for each in ${words[2,CURRENT-1]}; do\n        case \"$command|$each\" in\n";
    writeSteps(out, commands);
    out << "        esac\n    done\n    case \"$command\" in\n";
    for (const Command& command : commands) {
        out << "        " << quotedForShell(command.path) << ")\n";
        for (const CLI::App* each : command.app->get_subcommands({}))
            out << "            commands+=("
                << quotedForShell(each->get_name() + ":" + replaced(each->get_description(), ":", "\\:")) << ")\n";
        out << "            if (( $#commands )) && [[ $words[CURRENT] != -* ]]; then\n"
            << "                _describe command commands\n                return\n            fi\n"
            << "            _arguments";
        for (const CLI::Option* option : namedOptions(*command.app))
            for (const std::string& name : namesOf(*option))
                out << " \\\n                " << quotedForShell("*" + name + zshValue(*option));
        out << " \\\n                '*:file:_files' ;;\n";
    }
    out << "    esac\n}\n" << functionName(app) << " \"$@\"\n";
}

/// The condition under which fish offers what a command has; `below` names its subcommands.
std::string fishCondition(const std::string& path, const std::vector<std::string>& below) {
    std::string condition = path.empty() && !below.empty() ? "__fish_use_subcommand" : "";
    std::istringstream words(path);
    for (std::string word; words >> word;)
        condition += (condition.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
    if (!path.empty() && !below.empty()) condition += "; and not __fish_seen_subcommand_from " + joined(below);
    return condition.empty() ? "" : " -n " + quotedForShell(condition);
}

/// fish knows backslash and quote within single quotes, and takes both with a backslash before them.
std::string quotedForFish(const std::string& text) {
    return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

void writeFish(std::ostream& out, const CLI::App& app) {
    out << "# fish completion for " << app.get_name() << ", written by the program from its options\n";
    const std::string begin = "complete -c " + app.get_name();
    for (const Command& command : commandsOf(app)) {
        const std::string condition = fishCondition(command.path, subcommandNames(*command.app));
        for (const CLI::App* each : command.app->get_subcommands({}))
            out << begin << " -f" << condition << " -a " << each->get_name() << " -d "
                << quotedForFish(each->get_description()) << "\n";
        for (const CLI::Option* option : namedOptions(*command.app)) {
            out << begin << condition;
            for (const std::string& name : option->get_snames())
                out << " -s " << name;
            for (const std::string& name : option->get_lnames())
                out << " -l " << name;
            if (const std::vector<std::string> choices = choicesOf(*option); !choices.empty())
                out << " -x -a " << quotedForFish(joined(choices));
            else if (!labelOf(*option).empty())
                out << (namesFiles(*option) ? " -r" : " -x");
            out << " -d " << quotedForFish(option->get_description()) << "\n";
        }
    }
}

void writePage(std::ostream& out, const CLI::App& app, const std::string& kind) {
    if (kind == "man") return writeMan(out, app);
    if (kind == "bash") return writeBash(out, app);
    if (kind == "zsh") return writeZsh(out, app);
    writeFish(out, app);
}

}  // namespace

void addPages(CLI::App& app) {
    // Acts as soon as it is read, as --version does: no subcommand is asked for then.
    app.add_option_function<std::string>(
           "--write-page",
           [&app](const std::string& kind) {
               writePage(std::cout, app, kind);
               throw CLI::Success();
           },
           "Print the manual page, or the completion of a shell")
        ->check(CLI::IsMember({"man", "bash", "zsh", "fish"}))
        ->trigger_on_parse()
        ->group("");
}

}  // namespace headlight
