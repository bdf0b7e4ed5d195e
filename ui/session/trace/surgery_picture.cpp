// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/surgery_picture.h"

#include <QCoreApplication>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "core/data/translate.h"
#include "core/trace/record_row.h"
#include "ui/session/format/piece_text.h"
#include "ui/session/trace/value_words.h"
#include "ui/session/trace/word_behind.h"

namespace headlight {

namespace {

constexpr size_t kLikely = 4;

struct SurgeryPictureText {
    Q_DECLARE_TR_FUNCTIONS(SurgeryPicture)
};

QString sublayerName(PatchDepth::After after) {
    using After = PatchDepth::After;
    switch (after) {
        case After::Embedding:
            return SurgeryPictureText::tr("Embedding");
        case After::SelfAttention:
            return SurgeryPictureText::tr("self-attention");
        case After::CrossAttention:
            return SurgeryPictureText::tr("cross-attention");
        case After::FeedForward:
            return SurgeryPictureText::tr("feed-forward");
        case After::Recurrent:
            return SurgeryPictureText::tr("recurrent");
        case After::Output:
            return SurgeryPictureText::tr("output");
        case After::Combine:
            return SurgeryPictureText::tr("combined");
    }
    return {};
}

TranslationRow rowOf(const Written& written) {
    TranslationRow row{wordList(written.tokens), {}, written.logProb, wordList(written.written)};
    for (const double logProb : written.tokenLogProbs)
        row.probabilities.push_back(static_cast<float>(std::exp(logProb)));
    return row;
}

}  // namespace

std::optional<SurgeryEdit> SurgeryEdit::parse(const std::string& text) {
    SurgeryEdit edit;
    const std::string body = text.starts_with('-') ? text.substr(1) : text;
    edit.isOn = body.size() == text.size();
    const size_t first = body.find(':'), second = body.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) return {};
    const auto word = std::ranges::find(SurgeryPicture::kindWords, body.substr(0, first));
    if (word == SurgeryPicture::kindWords.end()) return {};
    edit.kind = static_cast<PatchDepth::Kind>(word - SurgeryPicture::kindWords.begin());
    const auto number = [&](size_t from, size_t to, int& into) {
        const auto read = std::from_chars(body.data() + from, body.data() + to, into);
        return read.ec == std::errc() && read.ptr == body.data() + to && into-- > 0;
    };
    if (!number(first + 1, second, edit.depth) || !number(second + 1, body.size(), edit.position)) return {};
    return edit;
}

std::string SurgeryEdit::text() const {
    return std::string(isOn ? "" : "-") + SurgeryPicture::kindWords[static_cast<size_t>(kind)] + ":" +
           std::to_string(depth + 1) + ":" + std::to_string(position + 1);
}

SurgeryPicture::SurgeryPicture(std::shared_ptr<const TrainedModel> model, const QString& a, const QString& b,
                               SurgeryOther other)
    : m_model(std::move(model)), m_other(std::move(other)), m_a(a), m_b(b) {
    m_patching = std::make_unique<const Patching>(*m_model, a.toStdString(), b.toStdString(), std::nullopt,
                                                  OtherReading{m_other.muted, m_other.model.get()});
    m_rowOfA = rowOf(respond(*m_model, a.toStdString()));
    const Written ofB = respond(m_other.model ? *m_other.model : *m_model, b.toStdString(), m_other.muted);
    m_rowOfB = rowOf(ofB);
    m_textOfB = QString::fromStdString(ofB.text);
    m_foundBefore = findTexts(*m_model, a, {}, {});
}

QString SurgeryPicture::name(int word) const {
    return wordAtRow(*m_model, m_patching->a(), m_patching->answerRow(), word);
}

QString SurgeryPicture::before() const {
    const ModelConfig& config = m_model->network->config();
    if (!config.saysWords() || config.masked()) return {};  // what fills a gap stands behind nothing, and before much
    // The first row reads what stands before every sentence.
    const Trace& a = m_patching->a();
    return textOf(wordList(hasTwoSides() ? a.targetTokens : a.sourceTokens).mid(1, m_patching->answerRow()));
}

std::vector<const PatchDepth*> SurgeryPicture::depths(Kind kind) const {
    std::vector<const PatchDepth*> all;
    for (const PatchDepth& depth : m_patching->depths())
        if (depth.kind == kind) all.push_back(&depth);
    return all;
}

bool SurgeryPicture::hasTwoSides() const {
    return m_model->network->config().encoderDecoder();
}

QString SurgeryPicture::nameOf(const PatchDepth& depth) {
    // The first head bears the name of all.
    if (depth.head > 0) return SurgeryPictureText::tr("head %1").arg(depth.head + 1);
    QString text = sublayerName(depth.after);
    if (depth.layer >= 0) text = QStringLiteral("%1 %2").arg(depth.layer + 1).arg(text);
    if (depth.head == 0) text += SurgeryPictureText::tr(", head 1");
    if (depth.direction == Direction::Backward) text += SurgeryPictureText::tr(", backwards");
    return text;
}

QString SurgeryPicture::placeOf(const PatchDepth& depth) {
    QStringList parts;
    if (depth.stack == Stack::Encoder) parts << SurgeryPictureText::tr("encoder");
    if (depth.stack == Stack::Decoder) parts << SurgeryPictureText::tr("decoder");
    if (depth.layer >= 0) parts << SurgeryPictureText::tr("layer %1").arg(depth.layer + 1);
    parts << sublayerName(depth.after).toLower();
    if (depth.head >= 0) parts << SurgeryPictureText::tr("head %1").arg(depth.head + 1);
    QString text = parts.join(QStringLiteral(", "));
    text[0] = text[0].toUpper();
    return text;
}

QStringList SurgeryPicture::wordsOfA(const PatchDepth& depth) const {
    const Trace& a = m_patching->a();
    return wordList(depth.ofSource ? a.sourceTokens : a.targetTokens).mid(0, depth.positions);
}

QStringList SurgeryPicture::wordsOfB(const PatchDepth& depth) const {
    const Trace& b = m_patching->b();
    const QStringList words = wordList(depth.ofSource ? b.sourceTokens : b.targetTokens);
    QStringList all;
    for (int position = 0; position < depth.positions; ++position)
        all << words.value(m_patching->alignment(depth)[static_cast<size_t>(position)], QStringLiteral("–"));
    return all;
}

SurgeryPicture::Map SurgeryPicture::read(Kind kind, const std::function<bool(double)>& each) const {
    Map map;
    std::vector<int> places(m_patching->depths().size(), -1);
    double all = 0, done = 0;
    for (size_t i = 0; i < places.size(); ++i) {
        const PatchDepth& depth = m_patching->depths()[i];
        if (depth.kind != kind) continue;
        places[i] = static_cast<int>(map.size());
        map.emplace_back(static_cast<size_t>(depth.positions));
        all += depth.positions;
    }
    m_patching->readAll(kind, [&](const PatchCell& cell) {
        map[static_cast<size_t>(places[cell.depth])][static_cast<size_t>(cell.position)] = cell.share;
        return each(++done / all);
    });
    return map;
}

std::vector<Intervention> SurgeryPicture::changes(const std::vector<SurgeryEdit>& edits) const {
    std::vector<Intervention> all;
    for (const SurgeryEdit& edit : edits) {
        const auto of = depths(edit.kind);
        if (!edit.isOn || static_cast<size_t>(edit.depth) >= of.size()) continue;
        const PatchDepth& depth = *of[static_cast<size_t>(edit.depth)];
        if (edit.position >= depth.positions) continue;
        std::ranges::copy(m_patching->changes(depth, edit.position), std::back_inserter(all));
    }
    return all;
}

SurgeryPicture::Outcome SurgeryPicture::outcome(const std::vector<SurgeryEdit>& edits) const {
    const std::vector<Intervention> list = changes(edits);
    Outcome outcome;
    outcome.row = list.empty() ? m_rowOfA : rowOf(respond(*m_model, m_a.toStdString(), {}, list));
    outcome.found = list.empty() ? m_foundBefore : findTexts(*m_model, m_a, {}, list, m_foundBefore);
    outcome.difference = m_patching->differenceUnder(list);
    outcome.share = m_patching->share(outcome.difference);
    const Trace &before = m_patching->a(), now = m_patching->under(list);
    Map moved = m_patching->moved(now);
    for (size_t i = 0; i < moved.size(); ++i)
        outcome.moved[static_cast<size_t>(m_patching->depths()[i].kind)].push_back(std::move(moved[i]));
    const auto said = rowOf(before.at("log_probs"), m_patching->answerRow()),
               says = rowOf(now.at("log_probs"), m_patching->answerRow());
    std::vector<int> order(said.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](int column) {
        const auto at = static_cast<size_t>(column);
        return -std::max(said[at], says[at]);
    });
    for (size_t i = 0; i < std::min(kLikely, order.size()); ++i) {
        const auto column = static_cast<size_t>(order[i]);
        outcome.words.push_back({name(wordOfColumn(*m_model, order[i])), std::exp(static_cast<double>(said[column])),
                                 std::exp(static_cast<double>(says[column]))});
    }
    return outcome;
}

}  // namespace headlight
