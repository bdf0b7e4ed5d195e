# SPDX-License-Identifier: GPL-3.0-or-later
# What every target of Headlight is compiled with.
add_library(headlight_options INTERFACE)
set(gnu_like $<CXX_COMPILER_ID:GNU,Clang,AppleClang>)
# GCC 12 sees overlaps in std::string concatenation that are not there (GCC bug 105651).
target_compile_options(headlight_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# Clang 19 sees std::get_temporary_buffer, which is deprecated, inside libstdc++'s own std::stable_sort. GCC still
# tells of what is deprecated that we call ourselves.
target_compile_options(headlight_options INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
target_compile_options(headlight_options INTERFACE
    $<${gnu_like}:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                     -Wconversion -Wno-sign-conversion>)
# A switch over an enum of ours names every value, default or not: what is added is answered where it matters.
target_compile_options(headlight_options INTERFACE $<${gnu_like}:-Wswitch-enum>)
# A contraction (a*b+c as one rounding) may differ from one call site to the next, and "the same seed gives the same
# bits" is promised. Code that wants a fused multiply-add asks Highway for it.
target_compile_options(headlight_options INTERFACE $<${gnu_like}:-ffp-contract=off>)
if(HEADLIGHT_WERROR)
    target_compile_options(headlight_options INTERFACE $<${gnu_like}:-Werror>)
endif()
# Address and thread keep books of their own about the same memory: a program has one of them.
if(HEADLIGHT_SANITIZE STREQUAL "address")
    # Whether a pointer is null and within its object is asked at every access, which is a fifth of what compiling takes;
    # the address that it leads to is asked about anyway.
    target_compile_options(headlight_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                                       -fno-sanitize=null,object-size
                                                       -fno-omit-frame-pointer)
    target_link_options(headlight_options INTERFACE -fsanitize=address,undefined)
elseif(HEADLIGHT_SANITIZE STREQUAL "thread")
    target_compile_options(headlight_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
    target_link_options(headlight_options INTERFACE -fsanitize=thread)
elseif(HEADLIGHT_SANITIZE STREQUAL "fuzzer")
    # Clang's: every branch tells libFuzzer that it was taken, which the programs of tests/fuzz are linked with.
    target_compile_options(headlight_options INTERFACE -fsanitize=fuzzer-no-link,address,undefined
                                                       -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(headlight_options INTERFACE -fsanitize=address,undefined)
elseif(HEADLIGHT_SANITIZE)
    message(FATAL_ERROR "HEADLIGHT_SANITIZE=${HEADLIGHT_SANITIZE} is no sanitizer: say address, thread or fuzzer")
endif()

# What is not the engine waits for the reader, the disk or the engine, and compiles sooner.
add_library(headlight_light INTERFACE)
target_compile_options(headlight_light INTERFACE $<$<AND:${gnu_like},$<CONFIG:Release>>:-O2>)

# The quickest linker that is installed; gold comes with binutils and takes a third of the usual one's time.
foreach(linker mold lld gold)
    find_program(HEADLIGHT_LINKER_${linker} NAMES ld.${linker})
    if(HEADLIGHT_LINKER_${linker})
        target_link_options(headlight_options INTERFACE $<${gnu_like}:-fuse-ld=${linker}>)
        break()
    endif()
endforeach()
