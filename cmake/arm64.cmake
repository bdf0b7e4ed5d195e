# SPDX-License-Identifier: GPL-3.0-or-later
# 64-bit Arm, by Debian's cross compiler and with Debian's libraries of that architecture (preset arm64, docs/building.md).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++-12)
# pkg-config would find the libraries of the machine that builds.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
# Tests run under it where it is installed.
find_program(HEADLIGHT_QEMU qemu-aarch64)
if(HEADLIGHT_QEMU)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${HEADLIGHT_QEMU})
endif()
