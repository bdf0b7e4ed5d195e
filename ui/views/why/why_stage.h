// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace headlight {

class WhyColumnView;

/// The columns side by side, and from each opened bar the beam to the column that it opens into.
class WhyStage : public QWidget {
    Q_OBJECT
public:
    explicit WhyStage(QWidget* parent = nullptr) : QWidget(parent) {}

    /// Columns beyond the first `count` are not shown.
    void setColumns(const std::vector<WhyColumnView*>& columns, size_t count);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void place();
    int columnWidth() const;

    std::vector<WhyColumnView*> m_columns;
};

}  // namespace headlight
