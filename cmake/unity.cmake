# SPDX-License-Identifier: GPL-3.0-or-later
# Most of what a source file takes to compile are the headers it shares with its neighbours, so the files of a folder are
# compiled several at a time. A name in an unnamed namespace is therefore unique in its folder.

set(HEADLIGHT_UNITY_BYTES 60000 CACHE STRING
    "Compile the files of a folder together, up to so many bytes of source at a time; 0: each file by itself")

# Groups the sources that a target has so far by folder; sources that the build makes are added later. Files keep their
# order and their size decides where a group ends, so a changed line leaves the groups as they are until CMake runs again.
function(headlight_unity target)
    if(NOT HEADLIGHT_UNITY_BYTES)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    # A lambda that captures what an unnamed namespace declares is a mistake in a header, for which GCC takes these files.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    list(SORT sources)
    set(last_folder)
    foreach(source ${sources})
        get_filename_component(path ${source} ABSOLUTE)
        # Highway compiles such a file once for each set of instructions by having it include itself.
        file(STRINGS ${path} includes_itself REGEX "HWY_TARGET_INCLUDE" LIMIT_COUNT 1)
        if(includes_itself)
            continue()
        endif()
        get_filename_component(folder ${path} DIRECTORY)
        file(SIZE ${path} bytes)
        if(NOT folder STREQUAL last_folder)
            set(last_folder ${folder})
            set(number 1)
            set(together 0)
        endif()
        math(EXPR joined "${together} + ${bytes}")
        if(together GREATER 0 AND joined GREATER HEADLIGHT_UNITY_BYTES)
            math(EXPR number "${number} + 1")
            set(joined ${bytes})
        endif()
        set(together ${joined})
        file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
        string(REPLACE "/" "_" name ${name})
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${number})
    endforeach()
endfunction()
