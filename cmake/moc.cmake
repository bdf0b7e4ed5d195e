# SPDX-License-Identifier: GPL-3.0-or-later
# Qt's moc reads one file and nothing that it includes: told of no folder of headers it takes 5 ms a file, where AUTOMOC,
# which tells it of all, takes half a second, and what it writes is the same.

get_target_property(HEADLIGHT_MOC Qt6::moc IMPORTED_LOCATION)

# Adds the rule that makes `output`, which includes the header that it is made from (paths relative to the project's
# root), or, made from a test's .cpp, is included by it.
function(headlight_moc source output)
    get_filename_component(name ${source} NAME)
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH from_root ${PROJECT_SOURCE_DIR} ${folder})
    set(included_as -p ${from_root})
    if(name MATCHES "\\.cpp$")
        set(included_as -i)
    endif()
    add_custom_command(OUTPUT ${output} DEPENDS ${source} VERBATIM COMMENT ""
                       COMMAND ${HEADLIGHT_MOC} -nn ${included_as} -o ${output} ${source})
endfunction()

# For all headers of a target: x.cpp includes moc_x.cpp, and so is compiled once with what its header needs.
function(headlight_moc_headers target)
    get_target_property(headers ${target} SOURCES)
    list(FILTER headers INCLUDE REGEX "\\.h$")
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_moc)
    foreach(header ${headers})
        get_filename_component(name ${header} NAME_WE)
        headlight_moc(${header} ${folder}/moc_${name}.cpp)
        list(APPEND outputs ${folder}/moc_${name}.cpp)
    endforeach()
    # A target of their own: as sources of this one they would wait for the libraries that it is linked with.
    add_custom_target(${target}_moc DEPENDS ${outputs})
    add_dependencies(${target} ${target}_moc)
    target_include_directories(${target} PRIVATE ${folder})
endfunction()
