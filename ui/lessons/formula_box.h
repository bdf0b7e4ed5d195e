// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "ui/lessons/formula.h"

namespace headlight {

/// A formula on lines of its own, or its TeX and how to make its picture.
class FormulaBox : public QWidget {
    Q_OBJECT
public:
    /// `fontPx`: of its letters.
    FormulaBox(const QString& tex, const QStringList& folders, double fontPx = 20, QWidget* parent = nullptr);

    bool hasPicture() const { return m_formula.has_value(); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_tex;
    double m_fontPx;
    std::optional<Formula> m_formula;
};

}  // namespace headlight
