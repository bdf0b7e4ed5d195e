// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/time/chart_accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QChartView>

#include "ui/widgets/controls/controls.h"

namespace headlight {
namespace {

class ChartPicture : public QAccessibleWidget {
public:
    explicit ChartPicture(QWidget* chart) : QAccessibleWidget(chart, QAccessible::Chart) {}

    int childCount() const override { return 0; }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override {
        QString own = QAccessibleWidget::text(kind);
        if (kind != QAccessible::Name || !own.isEmpty()) return own;
        for (const QWidget* around = widget()->parentWidget(); around; around = around->parentWidget())
            if (const auto* card = qobject_cast<const Card*>(around)) return card->title();
        return {};
    }
};

QAccessibleInterface* makeChart(const QString&, QObject* object) {
    auto* const chart = qobject_cast<QChartView*>(object);
    return chart ? new ChartPicture(chart) : nullptr;
}

}  // namespace

void installChartAccessibility() {
    QAccessible::installFactory(makeChart);  // Qt takes each once
}

}  // namespace headlight
