// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/lens_picture.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/session/format/number_format.h"

namespace headlight {

namespace {

using After = LensDepth::After;

struct LensPictureText {
    Q_DECLARE_TR_FUNCTIONS(LensPicture)
};

QStringList shown(const Tokenizer& tokenizer, const TraceRecord& ids) {
    QStringList all;
    for (const std::string& token : tokenizer.display({ids.values.begin(), ids.values.end()}))
        all << QString::fromStdString(token);
    return all;
}

QString bold(const QString& text) {
    return QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped());
}

}  // namespace

LensPicture::LensPicture(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace)
    : m_model(std::move(model)), m_trace(std::move(trace)), m_lens(*m_model, *m_trace), m_rows(m_lens.depths().size()) {
    if (isTranslator()) {
        m_heads = shown(*m_model->target, m_trace->at("target.ids"));
        m_sources = shown(*m_model->source, m_trace->at("source.ids"));
    } else {
        m_heads = shown(*m_model->source, m_trace->at("ids"));
    }
}

void LensPicture::setRow(size_t depth, std::vector<LensCell> cells) {
    m_rows[depth] = std::move(cells);
}

size_t LensPicture::depthsRead() const {
    return static_cast<size_t>(std::ranges::count_if(m_rows, [](const auto& row) { return !row.empty(); }));
}

int LensPicture::top(size_t depth, int position) const {
    const LensCell& at = cell(depth, position);
    return at.words.empty() ? -1 : at.words.front().id;
}

std::vector<size_t> LensPicture::depths(bool sublayers) const {
    std::vector<size_t> all;
    for (size_t depth = 0; depth < m_rows.size(); ++depth)
        if (sublayers || depth == 0 || m_lens.depths()[depth].endsLayer) all.push_back(depth);
    return all;
}

size_t LensPicture::settled(const std::vector<size_t>& among, int position) const {
    std::vector<int> tops;
    tops.reserve(among.size());
    for (const size_t depth : among)
        tops.push_back(top(depth, position));
    return settledFrom(tops, finalWord(position));
}

QString LensPicture::word(int position, int id) const {
    return m_words.at(*m_model, *m_trace, position, id);
}

QString LensPicture::inText(int position) const {
    const int id = m_lens.inText()[static_cast<size_t>(position)];
    return id < 0 ? QString() : word(position, id);
}

bool LensPicture::isRight(int position) const {
    return m_lens.inText()[static_cast<size_t>(position)] == finalWord(position);
}

QString LensPicture::sublayerTitle(size_t depth) const {
    switch (m_lens.depths()[depth].after) {
        case After::Embedding:
            return LensPictureText::tr("Embedding");
        case After::SelfAttention:
            return isTranslator() ? LensPictureText::tr("self-attention") : LensPictureText::tr("attention");
        case After::CrossAttention:
            return LensPictureText::tr("cross-attention");
        case After::FeedForward:
            return LensPictureText::tr("feed-forward");
    }
    return {};
}

QString LensPicture::title(size_t depth, bool sublayers) const {
    const LensDepth& at = m_lens.depths()[depth];
    if (at.after == After::Embedding) return LensPictureText::tr("embedding");
    const QString layer = LensPictureText::tr("layer %1").arg(at.layer + 1);
    return sublayers ? LensPictureText::tr("%1, %2").arg(layer, sublayerTitle(depth)) : layer;
}

QString LensPicture::describe(size_t depth, int position, bool sublayers) const {
    QString place = (isMasked() ? LensPictureText::tr("at “%1”, %2") : LensPictureText::tr("after “%1”, %2"))
                        .arg(m_heads.value(position), title(depth, sublayers));
    if (!isRead(depth)) return place;
    const LensCell& at = cell(depth, position);
    if (at.words.empty()) return LensPictureText::tr("%1: the state holds what is no number").arg(place);
    QStringList lines{
        LensPictureText::tr("“%1” %2 %3")
            .arg(word(position, at.words.front().id), formatPrecise(at.words.front().probability), place)};
    if (!isFinal(depth, position))
        lines << LensPictureText::tr("“%1”, said in the end, is number %2 here: %3")
                     .arg(word(position, finalWord(position)))
                     .arg(at.finalRank)
                     .arg(formatPrecise(at.finalProbability));
    if (at.source >= 0)
        lines << LensPictureText::tr("reads “%1” most: %2").arg(sourceWord(at.source), formatPrecise(at.sourceWeight));
    return lines.join(u'\n');
}

QString LensPicture::story(int position, const std::vector<size_t>& among) const {
    const bool sublayers = among.size() == m_rows.size();
    const size_t index = settled(among, position), from = among[index];
    const LensDepth& at = m_lens.depths()[from];
    const auto chance = [&](size_t depth) { return formatNumber(cell(depth, position).finalProbability); };
    const QString where = at.after == After::Embedding ? LensPictureText::tr("the embedding")
                          : sublayers ? LensPictureText::tr("layer %1’s %2").arg(at.layer + 1).arg(sublayerTitle(from))
                                      : LensPictureText::tr("layer %1").arg(at.layer + 1);
    const QString head = (isMasked() ? LensPictureText::tr("At “%1”:") : LensPictureText::tr("After “%1”:"))
                             .arg(bold(m_heads.value(position)));
    const QString final = bold(word(position, finalWord(position)));
    QString text = head + u' ';
    if (index + 1 == among.size())
        text += LensPictureText::tr("%1 leads only in the end, behind %2, with %3.").arg(final, where, chance(from));
    else
        text += LensPictureText::tr("%1 leads for good from %2 on, there with %3; the last layer gives it %4.")
                    .arg(final, where, chance(from), chance(among.back()));
    if (sublayers && at.after == After::CrossAttention)
        text +=
            u' ' +
            LensPictureText::tr("It is the sublayer that reads %1.").arg(bold(sourceWord(cell(from, position).source)));
    return text;
}

}  // namespace headlight
