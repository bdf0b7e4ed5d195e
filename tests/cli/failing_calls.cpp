// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into a program, lets the k-th call that puts something on a disk fail, as on one that is full or broken:
// HEADLIGHT_FAILS=write:3, sync:1, rename:2, create:1. Once it has, the file that HEADLIGHT_FAILED names is there. What
// is written to a pipe or a terminal is not counted.
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

bool failsNow(const char* call) {
    static std::atomic<int> calls = 0;
    const char* const wanted = std::getenv("HEADLIGHT_FAILS");
    const size_t length = std::strlen(call);
    if (!wanted || std::strncmp(wanted, call, length) != 0 || wanted[length] != ':') return false;
    if (++calls != std::atoi(wanted + length + 1)) return false;
    if (const char* const told = std::getenv("HEADLIGHT_FAILED")) {
        const long file = syscall(SYS_openat, AT_FDCWD, told, O_WRONLY | O_CREAT, 0600);
        if (file >= 0) syscall(SYS_close, file);
    }
    return true;
}

bool writeFails(int descriptor) {
    struct stat status {};
    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && failsNow("write");
}

int fail(int why) {
    errno = why;
    return -1;
}

int openFile(int folder, const char* path, int flags, mode_t mode) {
    if ((flags & O_CREAT) != 0 && failsNow("create")) return fail(ENOSPC);
    return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

mode_t modeOf(int flags, va_list rest) {
    return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

}  // namespace

// The program calls these in place of the C library's.
extern "C" {

ssize_t write(int descriptor, const void* data, size_t size) {
    return writeFails(descriptor) ? fail(ENOSPC) : syscall(SYS_write, descriptor, data, size);
}

ssize_t writev(int descriptor, const iovec* pieces, int count) {
    return writeFails(descriptor) ? fail(ENOSPC) : syscall(SYS_writev, descriptor, pieces, count);
}

ssize_t pwrite(int descriptor, const void* data, size_t size, off_t place) {
    return writeFails(descriptor) ? fail(ENOSPC) : syscall(SYS_pwrite64, descriptor, data, size, place);
}

ssize_t pwrite64(int descriptor, const void* data, size_t size, off64_t place) {
    return pwrite(descriptor, data, size, place);
}

int fsync(int descriptor) {
    return failsNow("sync") ? fail(EIO) : static_cast<int>(syscall(SYS_fsync, descriptor));
}

int fdatasync(int descriptor) {
    return failsNow("sync") ? fail(EIO) : static_cast<int>(syscall(SYS_fdatasync, descriptor));
}

int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) noexcept {
    if (failsNow("rename")) return fail(EACCES);
    return static_cast<int>(syscall(SYS_renameat2, fromFolder, from, toFolder, to, flags));
}

int renameat(int fromFolder, const char* from, int toFolder, const char* to) noexcept {
    return renameat2(fromFolder, from, toFolder, to, 0);
}

int rename(const char* from, const char* to) noexcept {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int mkdirat(int folder, const char* path, mode_t mode) noexcept {
    return failsNow("create") ? fail(ENOSPC) : static_cast<int>(syscall(SYS_mkdirat, folder, path, mode));
}

int mkdir(const char* path, mode_t mode) noexcept {
    return mkdirat(AT_FDCWD, path, mode);
}

// What is opened, with a mode where it is made.
#define OPENED(folder)                       \
    va_list rest;                            \
    va_start(rest, flags);                   \
    const mode_t mode = modeOf(flags, rest); \
    va_end(rest);                            \
    return openFile(folder, path, flags, mode)

int open(const char* path, int flags, ...) {
    OPENED(AT_FDCWD);
}

int open64(const char* path, int flags, ...) {
    OPENED(AT_FDCWD);
}

int openat(int folder, const char* path, int flags, ...) {
    OPENED(folder);
}

int openat64(int folder, const char* path, int flags, ...) {
    OPENED(folder);
}

}  // extern "C"
