// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/fetch/sentence_fetch.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "core/platform/file_hash.h"

namespace headlight {

namespace {

constexpr qint64 kMiB = 1 << 20;
constexpr qint64 kUnpacked = 6;  ///< bytes of text for one of a zip, if nothing better is known

bool isWebPage(const QByteArray& beginning) {
    const QByteArray text = (beginning.startsWith("\xEF\xBB\xBF") ? beginning.mid(3) : beginning).trimmed().toLower();
    return text.startsWith("<!doctype html") || text.startsWith("<html") ||
           (text.startsWith("<!--") && text.contains("<html"));
}

/// From the line behind the one with the first mark up to the one with the second; all of it where a mark is missing.
QByteArray betweenMarks(const QByteArray& text, const SentenceSet& set) {
    const qsizetype mark = set.startMark.isEmpty() ? -1 : text.indexOf(set.startMark.toUtf8());
    const qsizetype start = mark < 0 ? -1 : text.indexOf('\n', mark);
    const qsizetype end = start < 0 ? -1 : text.indexOf(set.endMark.toUtf8(), start);
    return end < 0 ? text : text.mid(start + 1, end - start - 1).trimmed() + '\n';
}

}  // namespace

SentenceFetch::SentenceFetch(SentenceSet set, QObject* parent, FetchLimits limits)
    : QObject(parent), m_set(std::move(set)), m_limits(std::move(limits)), m_download(nullptr, m_limits.download) {
    connect(&m_download, &Download::changed, this, [this] { become(State::Fetching); });
    connect(&m_download, &Download::came, this, &SentenceFetch::check);
    connect(&m_download, &Download::failed, this, &SentenceFetch::fail);
}

SentenceFetch::~SentenceFetch() = default;

void SentenceFetch::setFolder(const QString& folder) {
    m_folder = folder;
    constexpr qint64 usual = 16 * kMiB, grown = 4;
    if (!isBusy())
        m_download.setFile({.url = m_set.url,
                            .part = folder.isEmpty() ? QString() : path() + QStringLiteral(".part"),
                            .largest = m_limits.largest > 0 ? m_limits.largest : grown * m_set.about + usual});
    refresh();
}

QString SentenceFetch::path() const {
    return QDir(m_folder).filePath(m_set.file);
}

void SentenceFetch::refresh() {
    if (isBusy()) return;
    m_download.refresh();
    const bool isHere = !m_folder.isEmpty() && QFileInfo(path()).isFile();
    if (isHere) m_failure.clear();
    become(isHere ? State::Here : State::Absent);
}

bool SentenceFetch::canGoOn() const {
    return m_state == State::Absent && m_download.canGoOn();
}

void SentenceFetch::start() {
    if (isBusy()) return;
    m_failure.clear();
    if (m_folder.isEmpty())
        return fail(tr("This window keeps no files. Download the set with a browser, then drop it here."));
    if (!QDir().mkpath(m_folder) || !QFileInfo(m_folder).isWritable()) return fail(m_download.whyNotKept(0));
    m_download.start();
}

void SentenceFetch::check() {
    become(State::Unpacking);
    if (!m_work) m_work.emplace(this);
    m_work->ask<Outcome>([set = m_set, part = m_download.file().part, path = path(), limits = m_limits.unpack](
                             const Background::Wanted& wanted) { return bringHome(set, part, path, limits, wanted); },
                         [this](Outcome outcome) { conclude(outcome); },
                         [this](const QString&) { conclude(Outcome::NotWritable); });
}

/// On a thread of its own.
SentenceFetch::Outcome SentenceFetch::bringHome(const SentenceSet& set, const QString& part, const QString& path,
                                                const UnpackLimits& limits, const Background::Wanted& wanted) {
    if (!set.sha256.isEmpty() && platform::sha256OfFile(part.toStdString()) != set.sha256.toLower().toStdString())
        return Outcome::WrongSum;
    QFile file(part);
    if (!file.open(QIODevice::ReadOnly)) return Outcome::NotWritable;
    constexpr qint64 seen = 4096;
    if (isWebPage(file.peek(seen))) return Outcome::WebPage;
    if (set.packing == SentenceSet::Packing::Text) {
        const QByteArray text = betweenMarks(file.readAll(), set);
        if (text.contains('\0') || text.trimmed().isEmpty()) return Outcome::NoText;
        if (!wanted()) return Outcome::Stopped;
        atomicWrite(path.toStdString(), std::span(text.constData(), static_cast<size_t>(text.size())));
        return Outcome::Whole;
    }
    switch (unpackText(part.toStdString(), path.toStdString(), limits, wanted)) {
        case UnpackedText::Whole:
            return Outcome::Whole;
        case UnpackedText::Damaged:
            return Outcome::Damaged;
        case UnpackedText::NoText:
            return Outcome::NoText;
        case UnpackedText::TooMuch:
            return Outcome::TooMuch;
        case UnpackedText::NotWritable:
            return Outcome::NotWritable;
        case UnpackedText::Stopped:
            break;
    }
    return Outcome::Stopped;
}

void SentenceFetch::conclude(Outcome outcome) {
    switch (outcome) {
        case Outcome::Whole:
            m_download.drop();
            become(State::Here);
            emit fetched(path());
            return;
        case Outcome::WrongSum:
            return deleteAndFail(
                tr("What %1 sent isn't the file that was announced (wrong checksum), so it was deleted. Try "
                   "again later.")
                    .arg(m_download.host()));
        case Outcome::WebPage:
            return deleteAndFail(
                tr("%1 sent a web page instead of the file. If this network asks you to sign in, do so in a "
                   "browser, then try again.")
                    .arg(m_download.host()));
        case Outcome::Damaged:
            return deleteAndFail(
                tr("The archive from %1 is damaged, so it was deleted. Try again.").arg(m_download.host()));
        case Outcome::NoText:
            return deleteAndFail(
                tr("There is no text in what %1 sent, so it was deleted. Try again later.").arg(m_download.host()));
        case Outcome::TooMuch:
            return deleteAndFail(
                tr("The archive from %1 unpacks to far more than sentences take, so it was deleted. Choose "
                   "another set.")
                    .arg(m_download.host()));
        case Outcome::NotWritable:
            return fail(m_download.whyNotKept(kMiB + kUnpacked * received()));
        case Outcome::Stopped:
            break;
    }
    m_state = State::Absent;
    refresh();
}

void SentenceFetch::stop() {
    if (!isBusy()) return;
    if (m_work) m_work->drop();
    m_download.stop();
    m_state = State::Absent;
    refresh();
}

void SentenceFetch::remove() {
    stop();
    m_download.drop();
    QFile::remove(path());
    m_failure.clear();
    refresh();
}

void SentenceFetch::become(State state) {
    m_state = state;
    emit changed();
}

void SentenceFetch::fail(const QString& why) {
    m_failure = why;
    m_state = State::Absent;
    refresh();
}

void SentenceFetch::deleteAndFail(const QString& why) {
    m_download.drop();
    fail(why);
}

}  // namespace headlight

#include "moc_sentence_fetch.cpp"
