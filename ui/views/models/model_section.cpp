// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/model_section.h"

#include <QLabel>
#include <algorithm>

#include "ui/views/models/scale_key.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {
constexpr int kGap = 10, kHead = 28, kEmpty = 92;
constexpr int kKey = 20;
constexpr int kWideFrom = 1240, kWideTile = 290;
}  // namespace

ModelSection::ModelSection(const QString& title, ModelTile::Tells tells, QWidget* parent)
    : QWidget(parent),
      m_tells(tells),
      m_title(new Caption(title, 13, QFont::DemiBold, Caption::Tone::Main, this)),
      m_key(new ScaleKey(this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ModelSection::setModels(const std::vector<std::pair<QString, QString>>& models) {
    for (const auto& [path, tile] : m_rows) {
        tile->hide();
        tile->deleteLater();
    }
    m_rows.clear();
    for (const auto& model : models) {
        const QString path = model.first;
        auto* tile = new ModelTile(path, model.second, m_tells, this);
        connect(tile, &ModelTile::clicked, this, [this, path] {
            setOpen(m_open);  // it is marked once it is open
            emit openRequested(path);
        });
        connect(tile, &ModelTile::stepRequested, this, [this, tile](int right, int down) { step(tile, right, down); });
        prepare(*tile);
        m_rows.emplace_back(path, tile);
        tile->show();
    }
    setOpen(m_open);
    arrange();
}

ModelTile* ModelSection::tile(const QString& path) const {
    const auto at = std::ranges::find(m_rows, path, &std::pair<QString, ModelTile*>::first);
    return at == m_rows.end() ? nullptr : at->second;
}

void ModelSection::setModel(const ShelfModel& model) {
    ModelTile* const of = tile(model.path);
    if (!of) return;
    of->setModel(model);
    emit arranged();
}

void ModelSection::setAnswer(const QString& path, const std::optional<ShelfAnswer>& answer) {
    if (ModelTile* const of = tile(path)) of->setAnswer(answer);
}

void ModelSection::setOpen(const QString& path) {
    m_open = path;
    for (const auto& [file, tile] : m_rows)
        tile->setChecked(file == path);
}

void ModelSection::setPlace(QAbstractButton* place) {
    m_place = place;
    place->setParent(this);
    place->show();
    arrange();
}

double ModelSection::leastScale() const {
    double scale = 0;
    for (const auto& [path, tile] : m_rows)
        scale = std::max(scale, tile->leastScale());
    return scale;
}

void ModelSection::setScale(double parametersPerPixel, bool isOwn) {
    m_scale = parametersPerPixel;
    const bool wasBelow = m_key->y() > 0;
    m_key->setScale(parametersPerPixel, isOwn);
    if (wasBelow != (m_key->whole() > width() - m_title->width() - 16)) arrange();
    for (const auto& [path, tile] : m_rows)
        tile->setScale(parametersPerPixel);
}

QString ModelSection::key() const {
    return m_key->text();
}

void ModelSection::showColours() {
    m_key->showColours();
}

void ModelSection::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void ModelSection::arrange() {
    // On a large screen tiles grow, so that names and drawings are read from where one sits.
    const int least = width() >= kWideFrom ? kWideTile : ModelTile::kNarrowest;
    m_columns = std::max(1, (width() + kGap) / (least + kGap));
    const int wide = (width() - (m_columns - 1) * kGap) / m_columns,
              tall = m_rows.empty() ? kEmpty : ModelTile::heightOf(m_tells);
    const int titleWide = m_title->sizeHint().width(), beside = std::max(0, width() - titleWide - 16);
    // All of the key: below the title where it has not the room beside it.
    const bool isBelow = m_key->whole() > beside;
    const int head = kHead + (isBelow ? kKey : 0);
    m_title->setGeometry(0, 0, titleWide, kKey);
    m_key->setGeometry(isBelow ? QRect(0, kKey, width(), kKey) : QRect(titleWide + 16, 0, beside, kKey));
    const auto cell = [&](int place, int span) {
        return QRect((place % m_columns) * (wide + kGap), head + (place / m_columns) * (tall + kGap),
                     span * wide + (span - 1) * kGap, tall);
    };
    int place = 0;
    for (const auto& [path, tile] : m_rows)
        tile->setGeometry(cell(place++, 1));
    if (m_place) {
        const int left = m_columns - place % m_columns;
        m_place->setGeometry(cell(place, std::min(2, left)));
        place += std::min(2, left);
    }
    const int rows = (place + m_columns - 1) / m_columns;
    setFixedHeight(head + rows * (tall + kGap));
    emit arranged();
}

void ModelSection::step(const ModelTile* from, int right, int down) {
    const auto at = std::ranges::find(m_rows, from, &std::pair<QString, ModelTile*>::second);
    const auto to = (at - m_rows.begin()) + right + static_cast<std::ptrdiff_t>(down) * m_columns;
    if (to >= 0 && to < std::ssize(m_rows)) m_rows[static_cast<size_t>(to)].second->setFocus(Qt::TabFocusReason);
}

}  // namespace headlight

#include "moc_model_section.cpp"
