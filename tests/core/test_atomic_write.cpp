// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <cstdio>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/error.h"
#include "core/io/atomic_write.h"

namespace {

enum class Call { None, Write, Sync, Rename };

/// The next so many calls of this kind go well, the one after fails: as on a full or broken disk.
struct Fault {
    Call call = Call::None;
    int callsBefore = 0;
    bool shortWrites = false;
} fault;

bool failsNow(Call call) {
    if (fault.call != call) return false;
    return fault.callsBefore-- == 0;
}

}  // namespace

// The program's own definitions stand before the C library's, for the code under test as well.
extern "C" ssize_t write(int descriptor, const void* data, size_t size) {
    if (failsNow(Call::Write)) return errno = ENOSPC, -1;
    if (fault.shortWrites && size > 3) size = 3;
    return syscall(SYS_write, descriptor, data, size);
}

extern "C" int fsync(int descriptor) {
    if (failsNow(Call::Sync)) return errno = EIO, -1;
    return static_cast<int>(syscall(SYS_fsync, descriptor));
}

extern "C" int rename(const char* from, const char* to) noexcept {
    if (failsNow(Call::Rename)) return errno = EACCES, -1;
    return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

using headlight::atomicWrite;
using headlight::Error;

class TestAtomicWrite : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { fault = {}; }
    void writesANewFile();
    void replacesAFile();
    void writesNothingAtAll();
    void keepsThePermissions();
    void followsALink();
    void aLongNameIsNoTrouble();
    void shortWritesAreContinued();
    void everyFaultKeepsAWholeFile();
    void missingFolderIsRefused();
    void readOnlyFolderKeepsTheOldFile();
    void folderAsTargetIsRefused();
    void deviceAsTargetIsRefused();

private:
    std::string path(const char* name) const { return m_folder->filePath(name).toStdString(); }
    QByteArray contents(const char* name) const {
        QFile file(m_folder->filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(cannot be opened)");
    }
    qsizetype filesInFolder() const {
        return QDir(m_folder->path())
            .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot)
            .size();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestAtomicWrite::init() {
    m_folder = std::make_unique<QTemporaryDir>();
}

void TestAtomicWrite::writesANewFile() {
    atomicWrite(path("new"), std::string_view("contents"));
    QCOMPARE(contents("new"), QByteArray("contents"));
    QCOMPARE(filesInFolder(), 1);
}

void TestAtomicWrite::replacesAFile() {
    atomicWrite(path("a"), std::string_view("a long first version"));
    atomicWrite(path("a"), std::string_view("second"));
    QCOMPARE(contents("a"), QByteArray("second"));
    QCOMPARE(filesInFolder(), 1);
}

void TestAtomicWrite::writesNothingAtAll() {
    atomicWrite(path("empty"), {});
    QCOMPARE(contents("empty"), QByteArray());
}

void TestAtomicWrite::keepsThePermissions() {
    atomicWrite(path("a"), std::string_view("old"));
    QCOMPARE(chmod(path("a").c_str(), 0640), 0);
    atomicWrite(path("a"), std::string_view("new"));
    struct stat status {};
    QCOMPARE(stat(path("a").c_str(), &status), 0);
    QCOMPARE(status.st_mode & 07777, mode_t(0640));
}

void TestAtomicWrite::followsALink() {
    QVERIFY(QDir(m_folder->path()).mkdir("elsewhere"));
    atomicWrite(path("elsewhere/real"), std::string_view("old"));
    QCOMPARE(symlink("elsewhere/real", path("link").c_str()), 0);
    atomicWrite(path("link"), std::string_view("new"));
    QCOMPARE(contents("elsewhere/real"), QByteArray("new"));
    QVERIFY(QFileInfo(m_folder->filePath("link")).isSymLink());
}

void TestAtomicWrite::aLongNameIsNoTrouble() {
    const std::string name(255, 'n');
    atomicWrite(path(name.c_str()), std::string_view("x"));
    QCOMPARE(contents(name.c_str()), QByteArray("x"));
}

void TestAtomicWrite::shortWritesAreContinued() {
    fault.shortWrites = true;
    atomicWrite(path("a"), std::string_view("a text in several pieces"));
    QCOMPARE(contents("a"), QByteArray("a text in several pieces"));
}

void TestAtomicWrite::everyFaultKeepsAWholeFile() {
    const std::string before = "the old file", after = "new!";  // two writes of at most 3 bytes
    const std::pair<Call, int> calls[] = {{Call::Write, 2}, {Call::Sync, 2}, {Call::Rename, 1}};
    for (const auto& [call, count] : calls) {
        for (int k = 0; k < count; ++k) {
            fault = {};
            atomicWrite(path("a"), before);
            fault = {call, k, true};
            QVERIFY_EXCEPTION_THROWN(atomicWrite(path("a"), after), Error);
            // The second sync is the folder's: by then the new file is in place.
            const bool replaced = call == Call::Sync && k == 1;
            QCOMPARE(contents("a"), QByteArray::fromStdString(replaced ? after : before));
            QCOMPARE(filesInFolder(), 1);
        }
        fault = {call, count, true};
        atomicWrite(path("a"), after);  // no more calls of this kind than were tried
        QCOMPARE(contents("a"), QByteArray::fromStdString(after));
    }
}

void TestAtomicWrite::missingFolderIsRefused() {
    try {
        atomicWrite(path("absent/a"), std::string_view("x"));
        QFAIL("accepted");
    } catch (const Error& error) {
        QVERIFY2(std::string(error.what()).find("absent/a: cannot be written (No such file") != std::string::npos,
                 error.what());
    }
    QCOMPARE(filesInFolder(), 0);
}

void TestAtomicWrite::readOnlyFolderKeepsTheOldFile() {
    atomicWrite(path("a"), std::string_view("old"));
    QCOMPARE(chmod(m_folder->path().toStdString().c_str(), 0555), 0);
    const bool enforced = access(m_folder->path().toStdString().c_str(), W_OK) != 0;
    if (enforced) QVERIFY_EXCEPTION_THROWN(atomicWrite(path("a"), std::string_view("new")), Error);
    QCOMPARE(chmod(m_folder->path().toStdString().c_str(), 0755), 0);
    if (!enforced) QSKIP("this user may write to read-only folders");
    QCOMPARE(contents("a"), QByteArray("old"));
    QCOMPARE(filesInFolder(), 1);
}

void TestAtomicWrite::folderAsTargetIsRefused() {
    QVERIFY(QDir(m_folder->path()).mkdir("folder"));
    QVERIFY_EXCEPTION_THROWN(atomicWrite(path("folder"), std::string_view("x")), Error);
    QVERIFY(QFileInfo(m_folder->filePath("folder")).isDir());
    QCOMPARE(filesInFolder(), 1);
}

void TestAtomicWrite::deviceAsTargetIsRefused() {
    QCOMPARE(mkfifo(path("pipe").c_str(), 0600), 0);
    QVERIFY_EXCEPTION_THROWN(atomicWrite(path("pipe"), std::string_view("x")), Error);
    QCOMPARE(filesInFolder(), 1);
}

QTEST_APPLESS_MAIN(TestAtomicWrite)
#include "test_atomic_write.moc"
