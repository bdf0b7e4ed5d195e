// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace headlight::platform {

// What the program asks of the system that C++ has no word for. Other systems than POSIX's are a matter of this
// folder and of atomic_write.cpp.

/// Does standard error go to a terminal?
bool errorIsTerminal();

/// The file of the running program; empty where the system does not tell.
std::filesystem::path programFile();

/// Starts the program anew in the place of this one, with the same arguments. Returns only where that failed.
void startAnew(char** argv);
void setVariable(const char* name, const std::string& value);
void removeVariable(const char* name);

/// Bytes that this process may take at most: what the machine has, or less where somebody set a limit.
size_t memoryLimit();
/// Is that limit one of addresses (`ulimit -v`)? Then memory that is only set aside counts as well.
bool addressesAreLimited();
/// The most bytes of memory that this process has had so far; 0 where the system does not tell.
size_t peakMemory();
/// Would the system set aside so many bytes in one run just now?
bool canSetAside(size_t bytes);
/// Says that all of these bytes are about to be written: the system then brings their pages at once, instead of being
/// interrupted for each of them.
void expectWriting(void* memory, size_t bytes);

}  // namespace headlight::platform
