// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/kept_inputs.h"

#include <QUrl>
#include <algorithm>

#include "ui/session/open/session.h"

namespace headlight {

namespace {

constexpr qsizetype kMostOfLink = 32000;  ///< what all of them may take of a link to the stage

qsizetype inLink(const KeptInputs::Input& input) {
    return QUrl::toPercentEncoding(input.source + input.target).size();
}

}  // namespace

KeptInputs::KeptInputs(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    connect(&session, &Session::inputChanged, this, &KeptInputs::changed);
}

KeptInputs::Input KeptInputs::now() const {
    return {m_session.source().simplified(), m_session.target().simplified()};
}

int KeptInputs::present() const {
    const auto found = std::ranges::find(m_all, now());
    return found == m_all.end() ? -1 : static_cast<int>(found - m_all.begin());
}

QString KeptInputs::whyNot() const {
    if (present() >= 0) return {};
    if (now().source.isEmpty()) return tr("Type a sentence: then it can be kept.");
    if (m_all.size() >= most) return tr("%1 inputs are kept: let one of them go first.").arg(most);
    qsizetype size = inLink(now());
    for (const Input& input : m_all)
        size += inLink(input);
    return size > kMostOfLink ? tr("This text is too long to be kept beside the others.") : QString();
}

void KeptInputs::toggle() {
    if (!whyNot().isEmpty()) return;
    if (const int place = present(); place >= 0)
        m_all.erase(m_all.begin() + place);
    else
        m_all.push_back(now());
    emit changed();
}

void KeptInputs::choose(int place) {
    if (place < 0 || static_cast<size_t>(place) >= m_all.size()) return;
    const Input input = m_all[static_cast<size_t>(place)];
    m_session.setInput(input.source, input.target, m_session.mutedHeads());
}

void KeptInputs::show(const StageLines& kept) {
    if (kept.empty() || kept == told()) return;
    m_all.clear();
    for (const std::string& line : kept) {
        const QString text = QString::fromStdString(line);
        const Input input{text.section(u'\t', 0, 0).simplified(), text.section(u'\t', 1).simplified()};
        const bool isNew = std::ranges::find(m_all, input) == m_all.end();
        if (!input.source.isEmpty() && isNew && m_all.size() < most) m_all.push_back(input);
    }
    emit changed();
}

StageLines KeptInputs::told() const {
    StageLines lines;
    for (const Input& input : m_all)
        lines.push_back((input.target.isEmpty() ? input.source : input.source + u'\t' + input.target).toStdString());
    return lines;
}

}  // namespace headlight

#include "moc_kept_inputs.cpp"
