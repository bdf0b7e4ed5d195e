// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/fetch/sentence_fetch.h"

#include <QDir>
#include <QFileInfo>
#include <QHostAddress>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QRegularExpression>
#include <QStorageInfo>
#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "core/platform/file_hash.h"
#include "ui/session/format/byte_count.h"

namespace headlight {

namespace {

constexpr qint64 kMebibyte = 1 << 20;
constexpr qint64 kReadAhead = kMebibyte;  ///< bytes that Qt may hold for us: a slow disk slows the download
constexpr qint64 kUnpacked = 6;           ///< bytes of text for one of a zip, if nothing better is known
constexpr int kOk = 200, kPartialContent = 206, kBadRequest = 400, kNotFound = 404, kGone = 410, kNotSatisfiable = 416;

/// The proxies of the system; this computer is asked without one.
class SystemProxies : public QNetworkProxyFactory {
public:
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery& query) override {
        if (QHostAddress(query.peerHostName()).isLoopback()) return {QNetworkProxy::NoProxy};
        return systemProxyForQuery(query);
    }
};

int statusOf(const QNetworkReply& reply) {
    return reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
}

/// By what a server can tell later that the file is still the same; empty: it cannot, or does not hand out parts. A
/// weak ETag does not speak of bytes.
QByteArray validatorOf(const QNetworkReply& reply) {
    if (reply.rawHeader("Accept-Ranges").trimmed().toLower() == "none") return {};
    const QByteArray tag = reply.rawHeader("ETag").trimmed();
    return tag.startsWith('"') ? tag : reply.rawHeader("Last-Modified").trimmed();
}

struct ContentRange {
    qint64 from = -1, total = 0;
};

/// Content-Range: bytes FROM-TO/TOTAL
ContentRange rangeOf(const QNetworkReply& reply) {
    static const QRegularExpression form(QStringLiteral(R"(^bytes (\d{1,18})-\d{1,18}/(\d{1,18}|\*)$)"));
    const auto match = form.match(QString::fromLatin1(reply.rawHeader("Content-Range").trimmed()));
    if (!match.hasMatch()) return {};
    return {match.captured(1).toLongLong(), match.captured(2).toLongLong()};
}

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
    : QObject(parent), m_set(std::move(set)), m_limits(std::move(limits)) {}

SentenceFetch::~SentenceFetch() {
    letGo();
}

void SentenceFetch::setFolder(const QString& folder) {
    m_folder = folder;
    refresh();
}

QString SentenceFetch::path() const {
    return QDir(m_folder).filePath(m_set.file);
}

void SentenceFetch::refresh() {
    if (isBusy()) return;
    const std::optional<Part> part = keptPart();
    m_received = part ? part->size : 0;
    m_total = part ? part->total : 0;
    const bool isHere = !m_folder.isEmpty() && QFileInfo(path()).isFile();
    if (isHere) m_failure.clear();
    become(isHere ? State::Here : State::Absent);
}

bool SentenceFetch::canGoOn() const {
    return m_state == State::Absent && keptPart().has_value();
}

std::optional<SentenceFetch::Part> SentenceFetch::keptPart() const {
    const QFileInfo part(partPath());
    QFile note(notePath());
    if (m_folder.isEmpty() || !part.isFile() || part.size() == 0 || !note.open(QIODevice::ReadOnly)) return {};
    constexpr qint64 mostNoted = 1 << 16;
    const QJsonObject noted = QJsonDocument::fromJson(note.read(mostNoted)).object();
    const Part found{.size = part.size(),
                     .total = noted.value(QLatin1String("total")).toInteger(),
                     .validator = noted.value(QLatin1String("validator")).toString().toLatin1()};
    const bool isOfThisUrl = noted.value(QLatin1String("url")).toString() == m_set.url.toString();
    const bool fits = found.total == 0 || found.size <= found.total;
    if (!isOfThisUrl || found.validator.isEmpty() || !fits) return {};
    return found;
}

/// Beside the part, so that whoever goes on with it knows of what it is one. Where this cannot be written, nobody will.
void SentenceFetch::noteDown(const QByteArray& validator) {
    QFile::remove(notePath());
    if (validator.isEmpty()) return;
    const QJsonObject note{{QStringLiteral("url"), m_set.url.toString()},
                           {QStringLiteral("total"), m_total},
                           {QStringLiteral("validator"), QString::fromLatin1(validator)}};
    QFile file(notePath());
    if (file.open(QIODevice::WriteOnly)) file.write(QJsonDocument(note).toJson(QJsonDocument::Compact));
}

void SentenceFetch::dropPart() {
    m_part.close();
    QFile::remove(partPath());
    QFile::remove(notePath());
    m_received = m_total = 0;
}

void SentenceFetch::start() {
    if (isBusy()) return;
    m_failure.clear();
    m_hasStartedAgain = false;
    m_host = m_set.url.host();
    if (m_folder.isEmpty())
        return fail(tr("This window keeps no files. Download the set with a browser, then drop it here."),
                    PartFile::Keep);
    if (!QDir().mkpath(m_folder) || !QFileInfo(m_folder).isWritable()) return fail(whyNotKept(0), PartFile::Keep);
    const Part part = keptPart().value_or(Part{});
    if (part.total > 0 && part.size == part.total) {
        m_received = m_total = part.total;
        return check();
    }
    ask(part);
}

void SentenceFetch::ask(const Part& from) {
    if (from.size == 0) dropPart();
    m_received = from.size;
    m_total = from.total;
    m_hasBegun = false;
    if (!m_network) {
        m_network = std::make_unique<QNetworkAccessManager>();
        m_network->setProxyFactory(new SystemProxies);  // the manager's
    }
    QNetworkRequest request(m_set.url);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::NoLessSafeRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setMaximumRedirectsAllowed(m_limits.redirects);
    request.setTransferTimeout(m_limits.silenceMs);
    request.setRawHeader("User-Agent", "Mozilla/5.0 (compatible; Headlight/" HEADLIGHT_VERSION ")");
    // Bytes are counted and gone on from as they lie there.
    request.setRawHeader("Accept-Encoding", "identity");
    if (from.size > 0) {
        request.setRawHeader("Range", "bytes=" + QByteArray::number(from.size) + '-');
        request.setRawHeader("If-Range", from.validator);
    }
    m_reply = m_network->get(request);
    m_reply->setReadBufferSize(kReadAhead);
    connect(m_reply, &QNetworkReply::readyRead, this, &SentenceFetch::take);
    connect(m_reply, &QNetworkReply::finished, this, &SentenceFetch::finish);
    become(State::Fetching);
}

/// What comes is the file, or the rest of it: whether there is a place for it. False: it is not, or there is none.
bool SentenceFetch::begin() {
    const int status = statusOf(*m_reply);
    if (status != kOk && status != kPartialContent) return false;
    m_host = m_reply->url().host();
    const qint64 length = std::max<qint64>(0, m_reply->header(QNetworkRequest::ContentLengthHeader).toLongLong());
    if (status == kPartialContent) {
        const ContentRange range = rangeOf(*m_reply);
        if (range.from != m_received || (m_total > 0 && range.total > 0 && range.total != m_total)) {
            startAgain();
            return false;
        }
        if (m_total == 0) m_total = range.total > 0 ? range.total : length > 0 ? m_received + length : 0;
    } else {
        m_received = 0;
        m_total = length;
    }
    if (m_total > largest()) {
        fail(tr("%1 sends %2, far more than this set has, so nothing was kept. Try again later.")
                 .arg(m_host, formatBytes(m_total)),
             PartFile::Drop);
        return false;
    }
    if (const qint64 needed = m_total - m_received; needed > room()) {
        fail(whyNotKept(needed), PartFile::Keep);
        return false;
    }
    m_part.setFileName(partPath());
    const auto mode = status == kPartialContent ? QIODevice::Append : QIODevice::Truncate;
    if (!m_part.open(QIODevice::WriteOnly | mode)) {
        fail(whyNotKept(0), PartFile::Keep);
        return false;
    }
    noteDown(validatorOf(*m_reply));
    return m_hasBegun = true;
}

void SentenceFetch::take() {
    if (const int status = statusOf(*m_reply); status == kNotSatisfiable && m_received > 0)
        return startAgain();
    else if (status >= kBadRequest)  // what it says about that, at whatever length, is not waited for
        return fail(whyNoAnswer(*m_reply), PartFile::Keep);
    if (!m_hasBegun && !begin()) return;
    constexpr size_t piece = size_t{1} << 16;
    std::array<char, piece> bytes{};
    for (qint64 read = 0; (read = m_reply->read(bytes.data(), bytes.size())) > 0;) {
        if (m_received + read > largest())
            return fail(tr("%1 sends far more than this set has, so nothing was kept. Try again later.").arg(m_host),
                        PartFile::Drop);
        if (m_part.write(bytes.data(), read) != read)
            return fail(whyNotKept(std::max(read, m_total - m_received)), PartFile::Keep);
        m_received += read;
    }
    emit changed();
}

void SentenceFetch::finish() {
    const QNetworkReply* const reply = m_reply;
    const QNetworkReply::NetworkError error = reply->error();
    const bool isFailure = error != QNetworkReply::NoError;
    if (!isFailure || reply->bytesAvailable() > 0 || statusOf(*reply) >= kBadRequest) {
        take();
        if (m_reply != reply) return;  // it was given up, or asked for again
    }
    if (!m_hasBegun) return fail(whyNoAnswer(*reply), PartFile::Keep);
    if (!m_part.flush()) return fail(whyNotKept(std::max(kMebibyte, m_total - m_received)), PartFile::Keep);
    const bool isCutShort = m_received == 0 || (m_total > 0 && m_received != m_total);
    if (isFailure || isCutShort) {
        letGo();
        return fail(whyBrokenOff(), keptPart() ? PartFile::Keep : PartFile::Drop);
    }
    letGo();
    check();
}

/// What there is cannot be gone on with: all of it is asked for, once.
void SentenceFetch::startAgain() {
    letGo();
    dropPart();
    if (std::exchange(m_hasStartedAgain, true))
        return fail(tr("%1 sends something else than was asked for. Try again later.").arg(m_host), PartFile::Drop);
    ask({});
}

void SentenceFetch::check() {
    become(State::Unpacking);
    if (!m_work) m_work.emplace(this);
    m_work->ask<Outcome>(
        [set = m_set, part = partPath(), path = path(), limits = m_limits.unpack](const Background::Wanted& wanted) {
            return bringHome(set, part, path, limits, wanted);
        },
        [this](Outcome outcome) { conclude(outcome); }, [this](const QString&) { conclude(Outcome::NotWritable); });
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
            dropPart();
            become(State::Here);
            emit fetched(path());
            return;
        case Outcome::WrongSum:
            return fail(tr("What %1 sent isn't the file that was announced (wrong checksum), so it was deleted. Try "
                           "again later.")
                            .arg(m_host),
                        PartFile::Drop);
        case Outcome::WebPage:
            return fail(tr("%1 sent a web page instead of the file. If this network asks you to sign in, do so in a "
                           "browser, then try again.")
                            .arg(m_host),
                        PartFile::Drop);
        case Outcome::Damaged:
            return fail(tr("The archive from %1 is damaged, so it was deleted. Try again.").arg(m_host),
                        PartFile::Drop);
        case Outcome::NoText:
            return fail(tr("There is no text in what %1 sent, so it was deleted. Try again later.").arg(m_host),
                        PartFile::Drop);
        case Outcome::TooMuch:
            return fail(tr("The archive from %1 unpacks to far more than sentences take, so it was deleted. Choose "
                           "another set.")
                            .arg(m_host),
                        PartFile::Drop);
        case Outcome::NotWritable:
            return fail(whyNotKept(kMebibyte + kUnpacked * m_received), PartFile::Keep);
        case Outcome::Stopped:
            break;
    }
    m_state = State::Absent;
    refresh();
}

void SentenceFetch::stop() {
    if (!isBusy()) return;
    if (m_work) m_work->drop();
    letGo();
    if (!keptPart()) dropPart();
    m_state = State::Absent;
    refresh();
}

void SentenceFetch::remove() {
    stop();
    dropPart();
    QFile::remove(path());
    m_failure.clear();
    refresh();
}

QString SentenceFetch::whyNothingCame(const QString& host) {
    return tr("%1 closed the connection before the file came. Try again.").arg(host);
}

QString SentenceFetch::whyNoAnswer(const QNetworkReply& reply) const {
    const QString host = reply.url().host();
    if (const int status = statusOf(reply); status == kNotFound || status == kGone)
        return tr("The file is no longer at %1 (%2). Look for it with a browser, then drop it here.")
            .arg(host)
            .arg(status);
    else if (status >= kBadRequest)
        return tr("%1 refuses to send the file (%2). Try again later.").arg(host).arg(status);
    switch (static_cast<int>(reply.error())) {  // of the many that there are, those of which more can be said
        case QNetworkReply::HostNotFoundError:
            return tr("%1 wasn't found. Check the connection to the internet, then try again.").arg(host);
        case QNetworkReply::ConnectionRefusedError:
            return tr("%1 refuses the connection. Try again later.").arg(host);
        case QNetworkReply::RemoteHostClosedError:
            return whyNothingCame(host);
        case QNetworkReply::OperationCanceledError:
        case QNetworkReply::TimeoutError:
            return tr("%1 doesn't answer. Check the connection to the internet, then try again.").arg(host);
        case QNetworkReply::SslHandshakeFailedError:
            return tr("%1 couldn't prove that it is itself. Check the date of this computer and its network, then "
                      "try again.")
                .arg(host);
        case QNetworkReply::TooManyRedirectsError:
            return tr("%1 sends the download round in circles. Try again later.").arg(host);
        case QNetworkReply::InsecureRedirectError:
            return tr("%1 leads to an address that isn't encrypted, so nothing was fetched. Try again later.")
                .arg(host);
        case QNetworkReply::ProxyConnectionRefusedError:
        case QNetworkReply::ProxyConnectionClosedError:
        case QNetworkReply::ProxyNotFoundError:
        case QNetworkReply::ProxyTimeoutError:
        case QNetworkReply::ProxyAuthenticationRequiredError:
        case QNetworkReply::UnknownProxyError:
            return tr(
                "The proxy of this network doesn't let the download through. Check the proxy's settings, then "
                "try again.");
        default:
            return tr("%1 can't be reached. Check the connection to the internet, then try again.").arg(host);
    }
}

QString SentenceFetch::whyBrokenOff() const {
    if (m_received == 0) return whyNothingCame(m_host);
    const QString far = formatBytesOf(m_received, m_total);
    return keptPart() ? tr("The download broke off after %1. Go on when the network is back.").arg(far)
                      : tr("The download broke off after %1, and %2 sends whole files only. Start again when the "
                           "network is back.")
                            .arg(far, m_host);
}

QString SentenceFetch::whyNotKept(qint64 needed) const {
    if (needed > room()) return tr("The disk is full. Make room for %1 more, then try again.").arg(formatBytes(needed));
    return tr("Headlight can't write to %1. Check the folder and its permissions, then try again.").arg(m_folder);
}

qint64 SentenceFetch::largest() const {
    constexpr qint64 usual = 16 * kMebibyte, grown = 4;
    return m_limits.largest > 0 ? m_limits.largest : grown * m_set.about + usual;
}

qint64 SentenceFetch::room() const {
    if (m_limits.room) return m_limits.room(m_folder);
    const QStorageInfo disk(m_folder);
    return disk.isValid() ? disk.bytesAvailable() : std::numeric_limits<qint64>::max();
}

/// Nothing more is wanted of the network.
void SentenceFetch::letGo() {
    m_part.close();
    if (QNetworkReply* reply = std::exchange(m_reply, nullptr)) {
        reply->disconnect(this);
        // Not within a signal of its own: Qt would go on with what it had in hand.
        QMetaObject::invokeMethod(
            reply,
            [reply] {
                reply->abort();
                reply->deleteLater();
            },
            Qt::QueuedConnection);
    }
}

void SentenceFetch::become(State state) {
    m_state = state;
    emit changed();
}

void SentenceFetch::fail(const QString& why, PartFile part) {
    letGo();
    if (part == PartFile::Drop || !keptPart()) dropPart();
    m_failure = why;
    m_state = State::Absent;
    refresh();
}

}  // namespace headlight

#include "moc_sentence_fetch.cpp"
