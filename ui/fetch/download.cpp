// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/fetch/download.h"

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
#include <utility>

#include "ui/session/format/byte_count.h"

namespace headlight {

namespace {

constexpr qint64 kMebibyte = 1 << 20;
constexpr qint64 kReadAhead = kMebibyte;  ///< bytes that Qt may hold for us: a slow disk slows the download
constexpr int kOk = 200, kPartialContent = 206, kRedirects = 300, kBadRequest = 400, kNotFound = 404, kGone = 410,
              kNotSatisfiable = 416;

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

bool isRedirect(const QNetworkReply& reply) {
    const int status = statusOf(reply);
    return status >= kRedirects && status < kBadRequest && reply.hasRawHeader("Location");
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

bool isSameServer(const QUrl& one, const QUrl& other) {
    return one.scheme() == other.scheme() && one.host() == other.host() && one.port() == other.port();
}

}  // namespace

Download::Download(QObject* parent, DownloadLimits limits) : QObject(parent), m_limits(std::move(limits)) {}

Download::~Download() {
    letGo();
}

void Download::setFile(DownloadFile file) {
    m_file = std::move(file);
    refresh();
}

void Download::refresh() {
    if (isBusy()) return;
    const Part part = keptPart().value_or(Part{});
    m_received = part.size;
    m_total = part.total;
    m_refusal = {};
}

std::optional<Download::Part> Download::keptPart() const {
    const QFileInfo part(m_file.part);
    if (isInMemory() || !part.isFile() || part.size() == 0) return {};
    if (m_file.neverChanges) {
        if (m_file.size > 0 && part.size() > m_file.size) return {};
        return Part{.size = part.size(), .total = m_file.size};
    }
    QFile note(notePath());
    if (!note.open(QIODevice::ReadOnly)) return {};
    constexpr qint64 mostNoted = 1 << 16;
    const QJsonObject noted = QJsonDocument::fromJson(note.read(mostNoted)).object();
    const Part found{.size = part.size(),
                     .total = noted.value(QLatin1String("total")).toInteger(),
                     .validator = noted.value(QLatin1String("validator")).toString().toLatin1()};
    const bool isOfThisUrl = noted.value(QLatin1String("url")).toString() == m_file.url.toString();
    const bool fits = found.total == 0 || found.size <= found.total;
    if (!isOfThisUrl || found.validator.isEmpty() || !fits) return {};
    return found;
}

/// Beside the part, so that whoever goes on with it knows of what it is one. Where this cannot be written, nobody will.
void Download::noteDown(const QByteArray& validator) {
    if (isInMemory() || m_file.neverChanges) return;
    QFile::remove(notePath());
    if (validator.isEmpty()) return;
    const QJsonObject note{{QStringLiteral("url"), m_file.url.toString()},
                           {QStringLiteral("total"), m_total},
                           {QStringLiteral("validator"), QString::fromLatin1(validator)}};
    QFile file(notePath());
    if (file.open(QIODevice::WriteOnly)) file.write(QJsonDocument(note).toJson(QJsonDocument::Compact));
}

void Download::drop() {
    m_part.close();
    m_memory.close();
    m_memory.setData({});
    if (!isInMemory()) {
        QFile::remove(m_file.part);
        QFile::remove(notePath());
    }
    m_received = m_total = 0;
}

void Download::start() {
    if (isBusy()) return;
    m_hasStartedAgain = false;
    m_host = m_file.url.host();
    refresh();
    m_validator = keptPart().value_or(Part{}).validator;
    if (m_received == 0) drop();
    if (m_total > 0 && m_received == m_total) return emit came();
    m_redirects = 0;
    ask(m_file.url);
}

void Download::ask(const QUrl& url) {
    m_hasBegun = false;
    if (!m_network) {
        m_network = std::make_unique<QNetworkAccessManager>();
        m_network->setProxyFactory(new SystemProxies);  // the manager's
    }
    QNetworkRequest request(url);
    // Qt would tell the next host everything that the first was told.
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setTransferTimeout(m_limits.silenceMs);
    request.setRawHeader("User-Agent", "Mozilla/5.0 (compatible; Headlight/" HEADLIGHT_VERSION ")");
    // Bytes are counted and gone on from as they lie there.
    request.setRawHeader("Accept-Encoding", "identity");
    if (!m_file.token.isEmpty() && isSameServer(url, m_file.url))
        request.setRawHeader("Authorization", "Bearer " + m_file.token);
    if (m_received > 0) {
        request.setRawHeader("Range", "bytes=" + QByteArray::number(m_received) + '-');
        if (!m_validator.isEmpty()) request.setRawHeader("If-Range", m_validator);
    }
    m_reply = m_network->get(request);
    m_reply->setReadBufferSize(kReadAhead);
    connect(m_reply, &QNetworkReply::readyRead, this, &Download::take);
    connect(m_reply, &QNetworkReply::finished, this, &Download::finish);
    emit changed();
}

/// Where the answer says that the file is; without what the first host alone may be told.
void Download::follow() {
    const QUrl from = m_reply->url(), to = from.resolved(QUrl::fromEncoded(m_reply->rawHeader("Location")));
    if (m_redirects++ >= m_limits.redirects)
        return fail(tr("%1 sends the download round in circles. Try again later.").arg(from.host()), PartFile::Keep);
    const bool isEncrypted = to.scheme() == QLatin1String("https");
    if (!isEncrypted && (from.scheme() == QLatin1String("https") || to.scheme() != QLatin1String("http")))
        return fail(tr("%1 leads to an address that isn't encrypted, so nothing was fetched. Try again later.")
                        .arg(from.host()),
                    PartFile::Keep);
    letGo();
    ask(to);
}

/// What comes is the file, or the rest of it: whether there is a place for it. False: it is not, or there is none.
bool Download::begin() {
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
    if (m_total > m_file.largest) {
        fail(tr("%1 sends %2, far more than was announced, so nothing was kept. Try again later.")
                 .arg(m_host, formatBytes(m_total)),
             PartFile::Drop);
        return false;
    }
    if (const qint64 needed = m_total - m_received; !isInMemory() && needed > room()) {
        fail(whyNotKept(needed), PartFile::Keep);
        return false;
    }
    if (!open(status == kPartialContent)) {
        fail(whyNotKept(0), PartFile::Keep);
        return false;
    }
    noteDown(validatorOf(*m_reply));
    return m_hasBegun = true;
}

bool Download::open(bool goesOn) {
    const auto mode = QIODevice::WriteOnly | (goesOn ? QIODevice::Append : QIODevice::Truncate);
    if (isInMemory()) return m_memory.open(mode);
    m_part.setFileName(m_file.part);
    return m_part.open(mode);
}

QIODevice& Download::sink() {
    return isInMemory() ? static_cast<QIODevice&>(m_memory) : m_part;
}

void Download::take() {
    if (isRedirect(*m_reply)) return follow();
    if (const int status = statusOf(*m_reply); status == kNotSatisfiable && m_received > 0)
        return startAgain();
    else if (status >= kBadRequest)  // what it says about that, at whatever length, is not waited for
        return fail(whyNoAnswer(*m_reply), PartFile::Keep);
    if (!m_hasBegun && !begin()) return;
    constexpr size_t piece = size_t{1} << 16;
    std::array<char, piece> bytes{};
    for (qint64 read = 0; (read = m_reply->read(bytes.data(), bytes.size())) > 0;) {
        if (m_received + read > m_file.largest)
            return fail(tr("%1 sends far more than was announced, so nothing was kept. Try again later.").arg(m_host),
                        PartFile::Drop);
        if (sink().write(bytes.data(), read) != read)
            return fail(whyNotKept(std::max(read, m_total - m_received)), PartFile::Keep);
        m_received += read;
    }
    emit changed();
}

void Download::finish() {
    const QNetworkReply* const reply = m_reply;
    const bool isFailure = reply->error() != QNetworkReply::NoError;
    if (!isFailure || reply->bytesAvailable() > 0 || statusOf(*reply) >= kRedirects) {
        take();
        if (m_reply != reply) return;  // it was given up, or asked for again
    }
    if (!m_hasBegun) return fail(whyNoAnswer(*reply), PartFile::Keep);
    if (!isInMemory() && !m_part.flush())
        return fail(whyNotKept(std::max(kMebibyte, m_total - m_received)), PartFile::Keep);
    const bool isCutShort = m_received == 0 || (m_total > 0 && m_received != m_total);
    letGo();
    if (isFailure || isCutShort) return fail(whyBrokenOff(), keptPart() ? PartFile::Keep : PartFile::Drop);
    emit came();
}

/// What there is cannot be gone on with: all of it is asked for, once.
void Download::startAgain() {
    letGo();
    drop();
    if (std::exchange(m_hasStartedAgain, true))
        return fail(tr("%1 sends something else than was asked for. Try again later.").arg(m_host), PartFile::Drop);
    m_redirects = 0;
    ask(m_file.url);
}

void Download::stop() {
    letGo();
    if (!keptPart()) drop();
    refresh();
}

QString Download::whyNothingCame(const QString& host) {
    return tr("%1 closed the connection before the file came. Try again.").arg(host);
}

QString Download::whyNoAnswer(const QNetworkReply& reply) const {
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

QString Download::whyBrokenOff() const {
    if (m_received == 0) return whyNothingCame(m_host);
    const QString far = formatBytesOf(m_received, m_total);
    return keptPart() ? tr("The download broke off after %1. Go on when the network is back.").arg(far)
                      : tr("The download broke off after %1, and %2 sends whole files only. Start again when the "
                           "network is back.")
                            .arg(far, m_host);
}

QString Download::whyNotKept(qint64 needed) const {
    if (needed > room()) return tr("The disk is full. Make room for %1 more, then try again.").arg(formatBytes(needed));
    return tr("Headlight can't write to %1. Check the folder and its permissions, then try again.")
        .arg(QFileInfo(m_file.part).path());
}

qint64 Download::room() const {
    const QString folder = QFileInfo(m_file.part).path();
    if (m_limits.room) return m_limits.room(folder);
    const QStorageInfo disk(folder);
    return disk.isValid() ? disk.bytesAvailable() : std::numeric_limits<qint64>::max();
}

/// Nothing more is wanted of the network.
void Download::letGo() {
    m_part.close();
    m_memory.close();
    if (QNetworkReply* reply = std::exchange(m_reply, nullptr)) {
        m_refusal = {statusOf(*reply) >= kBadRequest ? statusOf(*reply) : 0, reply->rawHeader("X-Error-Code")};
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

void Download::fail(const QString& why, PartFile part) {
    letGo();
    if (part == PartFile::Drop || !keptPart()) drop();
    emit failed(why);
}

}  // namespace headlight

#include "moc_download.cpp"
