// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <fstream>
#include <functional>

#include <QtTest/QtTest>
#include <sys/stat.h>

#include "core/error.h"
#include "core/platform/folder.h"
#include "tests/core/opened.h"

using headlight::Error;
using headlight::platform::Folder;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

class TestFolder : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_outside = std::make_unique<QTemporaryDir>();
        m_root = fs::path(m_outside->path().toStdString()) / "model";
        fs::create_directories(m_root / "sub");
        write(m_root / "vocab.txt", "a\nb\n");
        write(m_root.parent_path() / "secret", "not yours");
    }

    void filesOfTheFolderAreReadWhole() {
        const Folder folder(m_root);
        QVERIFY(folder.has("vocab.txt"));
        QCOMPARE(folder.read("vocab.txt", 4), std::string("a\nb\n"));
        write(m_root / "sub" / "x", "within");
        QCOMPARE(folder.read("sub/x", 100), std::string("within"));
        write(m_root / "empty", "");
        QCOMPARE(folder.read("empty", 100), std::string());
        QVERIFY(!folder.has("config.json"));
        QVERIFY(headlight::fixture::messageOf([&] { folder.read("config.json", 9); }).contains("has no config.json"));
    }

    void aLinkWithinIsFollowedAndOneThatLeadsOutIsRefused() {
        const Folder folder(m_root);
        fs::create_symlink("../vocab.txt", m_root / "sub" / "link");
        QCOMPARE(folder.read("sub/link", 100), std::string("a\nb\n"));
        fs::create_symlink("../secret", m_root / "out");
        fs::create_directory_symlink("..", m_root / "up");
        fs::create_symlink("nowhere", m_root / "dangling");
        QVERIFY(headlight::fixture::messageOf([&] { folder.has("out"); }).contains("leads out of the folder"));
        QVERIFY(
            headlight::fixture::messageOf([&] { folder.read("up/secret", 100); }).contains("leads out of the folder"));
        QVERIFY(headlight::fixture::messageOf([&] { folder.has("dangling"); }).contains("cannot be opened"));
    }

    void aFolderThatIsItselfALinkIsFollowed() {
        fs::create_directory_symlink(m_root, m_root.parent_path() / "alias");
        QCOMPARE(Folder(m_root.parent_path() / "alias").read("vocab.txt", 100), std::string("a\nb\n"));
    }

    void aFolderWhoseNameBeginsAlikeIsOutside() {
        fs::create_directories(m_root.parent_path() / "model2");
        write(m_root.parent_path() / "model2" / "x", "not yours");
        fs::create_symlink("../model2/x", m_root / "x");
        QVERIFY(headlight::fixture::messageOf([&] { Folder(m_root).has("x"); }).contains("leads out of the folder"));
    }

    void namesThatClimbAreRefused() {
        const Folder folder(m_root);
        for (const std::string& name : {std::string("../secret"), std::string("sub/../../secret"),
                                        std::string("/etc/x"), std::string(), std::string("a\0b", 3)})
            QVERIFY2(headlight::fixture::messageOf([&] { folder.has(name); }).contains("is not the name of a file"),
                     name.c_str());
    }

    void pipesFoldersAndFilesTooLargeAreRefused() {
        const Folder folder(m_root);
        QCOMPARE(mkfifo((m_root / "pipe").c_str(), 0600), 0);
        QVERIFY(headlight::fixture::messageOf([&] { folder.read("pipe", 100); }).contains("not a plain file"));
        QVERIFY(headlight::fixture::messageOf([&] { folder.read("sub", 100); }).contains("not a plain file"));
        // A file of which nothing is stored: as large as one likes.
        fs::resize_file(m_root / "vocab.txt", std::uintmax_t{1} << 36);
        const QString message = headlight::fixture::messageOf([&] { folder.read("vocab.txt", 1 << 20); });
        QVERIFY(message.contains("vocab.txt has 68719476736 bytes") && message.contains("1048576"));
    }

    void whatIsNoFolderIsRefused() {
        QVERIFY(headlight::fixture::messageOf([&] { Folder(m_root / "vocab.txt"); }).contains("is not a folder"));
        QVERIFY(headlight::fixture::messageOf([&] { Folder(m_root / "nowhere"); }).contains("is not a folder"));
    }

private:
    std::unique_ptr<QTemporaryDir> m_outside;
    fs::path m_root;
};

QTEST_APPLESS_MAIN(TestFolder)
#include "test_folder.moc"
