// SPDX-License-Identifier: GPL-3.0-or-later
// One score as the angle between its query and its key.
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/views/laboratory/score_plane.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/veiled_cells.h"

namespace headlight {

QWidget* QueryKeyValueView::makeAngle() {
    auto* stage = new QWidget;
    auto* columns = new QHBoxLayout(stage);
    columns->setContentsMargins(20, 12, 20, 16);
    columns->setSpacing(12);
    auto* scores = new Card(tr("Scores"), tr("choose one"));
    m_planeScores->setAccessibleName(tr("Scores to choose from"));
    scores->body()->addWidget(m_planeScores, 1);
    auto* plane = new Card(tr("In the plane of the two"), tr("lengths and angle are exact"));
    plane->body()->addWidget(m_plane, 1);
    columns->addWidget(scores, 2);
    columns->addWidget(plane, 3);
    return stage;
}

void QueryKeyValueView::showAngle() {
    if (m_pages->currentIndex() != Angle || m_input.width == 0) return;
    m_planeScores->setData(m_matrices[Scores]->data());
    const int query = std::clamp(m_planeQuery, 0, m_input.queries - 1);
    const int key = std::clamp(m_planeKey, 0, m_input.keys - 1);
    m_planeScores->setLocked({query, key});
    ScorePlane::Shown shown;
    shown.angle = scoreAngle(m_input, query, key);
    shown.query = m_queryNames.value(query);
    shown.key = m_keyNames.value(key);
    const MatrixData& scores = m_planeScores->data();
    const auto score = static_cast<double>(scores.value(query, key));
    const bool scaled = m_scaled->currentIndex() == 0;
    QString divisor = scaled ? QStringLiteral(" / √%1").arg(m_input.width) : QString();
    if (m_sharpness != 1) divisor += QStringLiteral(" / %1").arg(formatNumber(m_sharpness));
    if (isTakenOut(scores, query, key)) {
        shown.veiled = tr("Predict it first.");
    } else if (scores.isMasked(query, key)) {
        shown.after = tr("masked: it may not be looked at");
    } else if (!divisor.isEmpty()) {
        shown.after = tr("%1 = %2, the score").arg(divisor, formatNumber(score, 4));
    }
    m_plane->setShown(shown);
}

}  // namespace headlight
