// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QString>
#include <QWidget>
#include <vector>

namespace headlight {

/// What an area of a blueprint stands for: a square with its number of parameters; and, where asked, which colour is
/// which part.
class ScaleKey : public QWidget {
    Q_OBJECT
public:
    explicit ScaleKey(QWidget* parent = nullptr);

    void setScale(double parametersPerPixel, bool isOwn);
    void showColours();
    /// "10,000 parameters"; empty while there is no scale.
    QString text() const;
    /// So wide is all of it.
    double whole() const;
    /// The side of the square, in pixels.
    double side() const;
    QSize sizeHint() const override { return {200, 20}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Piece {
        QString text;
        QFont font;
        QColor ink;
        double box = 0;
        QColor fill = {}, edge = {};
    };
    /// From the right.
    std::vector<Piece> pieces() const;

    long m_parameters = 0;  ///< of the square
    double m_scale = 0;
    bool m_isOwn = false, m_hasColours = false;
};

}  // namespace headlight
