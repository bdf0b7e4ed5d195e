// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/web_page.h"

#include <QFile>
#include <span>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "core/json_text.h"
#include "ui/export/page_style.h"
#include "ui/session/format/number_format.h"

namespace headlight {

namespace {

using nlohmann::json;

/// No request may leave, wherever a lesson's or a model's words come from; styles and the script stand in the page.
constexpr auto kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'";

constexpr auto kMark =
    "<span class=\"mark\"><svg width=\"28\" height=\"20\" viewBox=\"6 11 32 26\" aria-hidden=\"true\"><circle "
    "class=\"disc\" cx=\"13\" cy=\"24\" r=\"6\"/><path class=\"beam\" d=\"M20 19.5 36 12v24l-16-7.5z\"/></svg></span>";

constexpr auto kThemeIcon =
    "<svg width=\"20\" "
    "height=\"20\" viewBox=\"0 0 20 20\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\"><path d=\"M16 "
    "11.5A6.5 6.5 0 0 1 8.5 4 6.5 6.5 0 1 0 16 11.5z\"/></svg>";

/// In their order: each uses what stands before it.
constexpr const char* kScripts[] = {
    "words.js",   "numbers.js",   "paint.js",   "matrix.js",    "lines.js", "arithmetic.js", "heads.js",
    "network.js", "time.js",      "reading.js", "example.js",   "tasks.js", "search.js",     "lab.js",
    "masks.js",   "positions.js", "loss.js",    "ngrams.js",    "bleu.js",  "forcing.js",    "work.js",
    "growth.js",  "blocks.js",    "cost.js",    "cell_side.js", "cell.js",  "lesson.js",     "start.js"};

QByteArray resource(const QString& name) {
    QFile file(QStringLiteral(":/page/") + name);
    if (!file.open(QIODevice::ReadOnly)) throw Error("the program lacks its part " + name.toStdString());
    return file.readAll();
}

QByteArray script() {
    QByteArray all = "(() => {\n'use strict';\n";
    for (const char* name : kScripts)
        all += resource(QString::fromLatin1(name));
    return all + "})();\n";
}

/// JSON that no parser of HTML mistakes for anything else.
QByteArray inScript(const json& record) {
    QByteArray text = QByteArray::fromStdString(jsonText(record));
    text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    return text.replace("\xE2\x80\xA8", "\\u2028").replace("\xE2\x80\xA9", "\\u2029");
}

QByteArray themeButton(const PageWords& words) {
    const QByteArray name = escaped(words.say(QStringLiteral("Light or dark")));
    return "<button id=\"theme\" type=\"button\" aria-label=\"" + name + "\" title=\"" + name + "\">" + kThemeIcon +
           "</button>";
}

}  // namespace

QByteArray escaped(const QString& text) {
    return text.toHtmlEscaped().replace(u'\'', QStringLiteral("&#39;")).toUtf8();
}

QByteArray htmlOf(const WebPage& page) {
    QByteArray html = "<!doctype html>\n<html lang=\"" + QByteArray::fromStdString(page.words.language()) +
                      "\">\n<head>\n<meta charset=\"utf-8\">\n";
    html += QByteArray("<meta http-equiv=\"Content-Security-Policy\" content=\"") + kPolicy + "\">\n";
    html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    html +=
        "<meta name=\"generator\" content=\"Headlight " HEADLIGHT_VERSION "\">\n<link rel=\"icon\" href=\"data:,\">\n";
    html +=
        "<title>" + escaped(page.title) + "</title>\n<style>\n" + pageColors() + resource(QStringLiteral("page.css"));
    html += QByteArray("</style>\n</head>\n<body>\n<header class=\"top\">") + kMark + page.head +
            themeButton(page.words) + "</header>\n";
    html += "<noscript><p class=\"noscript\">" +
            escaped(page.words.say(QStringLiteral("This page draws itself with JavaScript, which is switched off."))) +
            "</p></noscript>\n";
    html += page.body;
    html += "<script type=\"application/json\" id=\"record\">" + inScript(page.record) + "</script>\n";
    return html + "<script>\n" + script() + "</script>\n</body>\n</html>\n";
}

QByteArray readingPage(json reading, json shows) {
    const QString text = QString::fromStdString(reading["text"].get<std::string>());
    const QString says = QString::fromStdString(reading["says"].get<std::string>());
    QByteArray head = "<h1>" + escaped(text);
    if (!says.isEmpty()) head += "<span class=\"arrow\">→</span>" + escaped(says);
    head += "</h1>";
    head += "<p class=\"facts\">" + escaped(QString::fromStdString(reading["model"].get<std::string>())) + " · " +
            escaped(QStringLiteral("%1 parameters").arg(formatCount(reading["parameters"].get<qint64>()))) + "</p>";
    const json record{{"reading", std::move(reading)}, {"shows", std::move(shows)}};
    return htmlOf({says.isEmpty() ? text : QStringLiteral("%1 → %2").arg(text, says), head,
                   "<main id=\"stage\"></main>\n", record, PageWords()});
}

void writePage(const QString& path, const QByteArray& html) {
    if (!path.endsWith(QLatin1String(".html"), Qt::CaseInsensitive))
        throw Error(path.toStdString() + ": a web page is HTML: name a file that ends in .html");
    atomicWrite(path.toStdString(), std::span(html.constData(), static_cast<size_t>(html.size())));
}

}  // namespace headlight
