// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <utility>
#include <vector>

#include "ui/views/models/model_tile.h"

class QLabel;

namespace headlight {

class ScaleKey;

/// Models of one origin as tiles, at one scale that is written beside their title: the same area is as many parameters
/// in each of them.
class ModelSection : public QWidget {
    Q_OBJECT
public:
    ModelSection(const QString& title, ModelTile::Tells tells, QWidget* parent = nullptr);

    /// Files, and the names under which they stand until they are read.
    void setModels(const std::vector<std::pair<QString, QString>>& models);
    /// What was read of one of them; of another file nothing happens.
    void setModel(const ShelfModel& model);
    void setAnswer(const QString& path, const std::optional<ShelfAnswer>& answer);
    /// The file of the model that is open; none of these: nothing is marked.
    void setOpen(const QString& path);
    /// What stands behind the last tile: a way to have another model there.
    void setPlace(QAbstractButton* place);
    const std::vector<std::pair<QString, ModelTile*>>& rows() const { return m_rows; }
    /// The tile of a file, or nullptr.
    ModelTile* tile(const QString& path) const;

    /// The scale at which the largest of them just fits its tile; 0 while none is read.
    double leastScale() const;
    /// `isOwn`: it is another one than above, and the key says so.
    void setScale(double parametersPerPixel, bool isOwn);
    double scale() const { return m_scale; }
    /// The key beside the title.
    QString key() const;
    /// The colours are told there, too.
    void showColours();

signals:
    void openRequested(const QString& path);
    /// Tiles came, went, were read, or have another width.
    void arranged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    /// A tile that was made: for what may be done with it.
    virtual void prepare(ModelTile&) {}

private:
    void arrange();
    void step(const ModelTile* from, int right, int down);

    ModelTile::Tells m_tells;
    QLabel* m_title;
    ScaleKey* m_key;
    QAbstractButton* m_place = nullptr;
    std::vector<std::pair<QString, ModelTile*>> m_rows;  ///< by their files
    QString m_open;
    double m_scale = 0;
    int m_columns = 1;
};

}  // namespace headlight
