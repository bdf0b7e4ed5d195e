// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/training_summary.h"

#include <QPainter>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

constexpr double kMargin = 20;
constexpr double kTitle = 28;  ///< from a part's top to its title's baseline
constexpr double kSummaryRow = 24;
constexpr double kBarRow = 28;
constexpr double kPartGap = 14;

double partHeight(size_t rows, double row) {
    return rows == 0 ? 0 : kTitle + 12 + static_cast<double>(rows) * row + kPartGap;
}

/// Draws parts from top to bottom and knows where it is.
struct Writer {
    QPainter& p;
    const Theme& t;
    double width;
    double y = 0;

    void title(const QString& label, const QString& value) {
        if (y > 0) p.fillRect(QRectF(kMargin, y, width - 2 * kMargin, 1), t.line);
        paint::text(p, {kMargin, y + kTitle}, label, uiFont(13, QFont::DemiBold), t.text);
        paint::text(p, {width - kMargin, y + kTitle}, value, monoFont(13, QFont::DemiBold), t.text, Anchor::End);
        y += kTitle + 12;
    }

    void rows(const QString& label, const std::vector<TrainingSummary::Row>& rows) {
        if (rows.empty()) return;
        title(label, {});
        for (const TrainingSummary::Row& row : rows) {
            const QFont font = uiFont(12, QFont::Medium);
            const double labelWidth = paint::textWidth(row.label, uiFont(12));
            const QString value = paint::elided(row.value, font, width - 2 * kMargin - labelWidth - 12);
            paint::text(p, {kMargin, y + 14}, row.label, uiFont(12), t.text2);
            paint::text(p, {width - kMargin, y + 14}, value, font, t.text, Anchor::End);
            y += kSummaryRow;
        }
        y += kPartGap;
    }

    void parameters(const QString& label, const std::vector<TrainingSummary::Parameters>& parts) {
        if (parts.empty()) return;
        qint64 total = 0, most = 1;
        for (const auto& part : parts) {
            total += part.count;
            most = std::max(most, part.count);
        }
        title(label, formatCount(total));
        const double full = width - 2 * kMargin;
        for (const auto& part : parts) {
            const QColor color = part.role == TrainingSummary::Role::Encoder   ? t.encoder
                                 : part.role == TrainingSummary::Role::Decoder ? t.decoder
                                                                               : t.text3;
            paint::centredText(p, {kMargin, y + 8}, part.label, uiFont(12), t.text2);
            paint::centredText(p, {width - kMargin, y + 8}, formatCount(part.count), monoFont(12, QFont::Medium),
                               t.text, Anchor::End);
            paint::box(p, {kMargin, y + 18, full, 3}, t.sunken, {}, 1);
            paint::box(p, {kMargin, y + 18, full * static_cast<double>(part.count) / static_cast<double>(most), 3},
                       color, {}, 1);
            y += kBarRow;
        }
        y += kPartGap;
    }
};

}  // namespace

TrainingSummaryPanel::TrainingSummaryPanel(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Model, parameters and data"));
}

void TrainingSummaryPanel::setSummary(const TrainingSummary& summary) {
    m_summary = summary;
    m_height =
        static_cast<int>(partHeight(summary.model.size(), kSummaryRow) +
                         partHeight(summary.parameters.size(), kBarRow) + partHeight(summary.data.size(), kSummaryRow));
    updateGeometry();
    update();
}

void TrainingSummaryPanel::paintEvent(QPaintEvent*) {
    QPainter p(this);
    if (m_height == 0)
        return paint::centredText(p, QRectF(rect()).center(), tr("Model, parameters and data of the run"), uiFont(12),
                                  Theme::of(this).text3, Anchor::Middle);
    Writer writer{p, Theme::of(this), static_cast<double>(width())};
    writer.rows(tr("Model in training"), m_summary.model);
    writer.parameters(tr("Parameters"), m_summary.parameters);
    writer.rows(tr("Data"), m_summary.data);
}

}  // namespace headlight

#include "moc_training_summary.cpp"
