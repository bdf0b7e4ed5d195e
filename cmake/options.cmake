# SPDX-License-Identifier: GPL-3.0-or-later
# What every target of Headlight is compiled with.
add_library(headlight_options INTERFACE)
set(gnu_like $<CXX_COMPILER_ID:GNU,Clang,AppleClang>)
# GCC 12 sees overlaps in std::string concatenation that are not there (GCC bug 105651).
target_compile_options(headlight_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
target_compile_options(headlight_options INTERFACE
    $<${gnu_like}:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                     -Wconversion -Wno-sign-conversion>)
# A contraction (a*b+c as one rounding) may differ from one call site to the next, and "the same seed gives the same
# bits" is promised. Code that wants a fused multiply-add asks Highway for it.
target_compile_options(headlight_options INTERFACE $<${gnu_like}:-ffp-contract=off>)
if(HEADLIGHT_WERROR)
    target_compile_options(headlight_options INTERFACE $<${gnu_like}:-Werror>)
endif()
# Address and thread keep books of their own about the same memory: a program has one of them.
if(HEADLIGHT_SANITIZE STREQUAL "address")
    target_compile_options(headlight_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
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
