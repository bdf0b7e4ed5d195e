# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the C++ that holds the files of resources/export:
#   cmake -D OUT=FILE.cpp -D "FILES=a.py;b.py" -P embed_files.cmake
# As bytes: a compiler may refuse long string literals.
set(arrays "")
set(list "")
set(number 0)
foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
    string(REGEX REPLACE "('.x0a',)" "\\1\n" bytes "${bytes}") # a line a line
    string(APPEND arrays "constexpr char file${number}[] = {\n${bytes}};\n")
    string(APPEND list "    {\"${name}\", {file${number}, sizeof file${number}}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "// Made by cmake/embed_files.cmake.
#include \"core/export/python_files.h\"

namespace headlight {
namespace {
${arrays}constexpr PythonFile files[] = {
${list}};
}  // namespace

std::span<const PythonFile> pythonFiles() {
    return files;
}

}  // namespace headlight
")
