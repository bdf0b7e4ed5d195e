// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/by_name/first_models.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/session/format/byte_count.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

/// As its publisher gives it; how large it is about.
struct FirstModel {
    const char *name, *kind, *does;
    qint64 parameters, bytes;
};

constexpr FirstModel kFirstModels[] = {
    {"distilbert/distilgpt2", QT_TRANSLATE_NOOP("FirstModels", "Language model"),
     QT_TRANSLATE_NOOP("FirstModels", "writes English"), 82'000'000, 353'000'000},
    {"google-bert/bert-base-uncased", QT_TRANSLATE_NOOP("FirstModels", "Encoder"),
     QT_TRANSLATE_NOOP("FirstModels", "fills in masked words"), 110'000'000, 440'000'000},
    {"Helsinki-NLP/opus-mt-en-fr", QT_TRANSLATE_NOOP("FirstModels", "Encoder and decoder"),
     QT_TRANSLATE_NOOP("FirstModels", "translates to French"), 75'000'000, 301'000'000},
    {"google/flan-t5-small", QT_TRANSLATE_NOOP("FirstModels", "Encoder and decoder"),
     QT_TRANSLATE_NOOP("FirstModels", "follows short instructions"), 77'000'000, 308'000'000},
    {"HuggingFaceTB/SmolLM2-135M", QT_TRANSLATE_NOOP("FirstModels", "Language model"),
     QT_TRANSLATE_NOOP("FirstModels", "a small Llama"), 135'000'000, 269'000'000},
};

QString told(const char* words) {
    return QCoreApplication::translate("FirstModels", words);
}

class Tile : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        paint::box(p, rect(), t.surface, t.line, 8);
    }
};

}  // namespace

FirstModels::FirstModels(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    for (const FirstModel& model : kFirstModels) {
        const QString name = QString::fromLatin1(model.name);
        auto* tile = new Tile(this);
        auto* column = new QVBoxLayout(tile);
        column->setContentsMargins(14, 12, 14, 12);
        column->setSpacing(5);
        const auto line = [&](const QString& text, int px, int weight, Caption::Tone tone) {
            auto* label = new Caption(text, px, weight, tone);
            label->setWordWrap(true);
            column->addWidget(label);
            return label;
        };
        line(told(model.kind), 11, QFont::DemiBold, Caption::Tone::Secondary);
        line(name.section(u'/', -1), 14, QFont::DemiBold, Caption::Tone::Main)->setToolTip(name);
        line(told(model.does), 12, QFont::Normal, Caption::Tone::Secondary);
        line(tr("%1, %2").arg(formatRoundCount(model.parameters), formatBytes(model.bytes)), 11, QFont::Normal,
             Caption::Tone::Secondary)
            ->setFont(monoFont(11));
        column->addStretch();
        auto* get = new Button(Button::Kind::Ghost, tr("Get"));
        get->setHeight(28);
        get->setAccessibleName(tr("Get %1").arg(name));
        column->addWidget(get, 0, Qt::AlignLeft);
        connect(get, &Button::clicked, this, [this, name] { emit wanted(name); });
        m_buttons.push_back(get);
        row->addWidget(tile, 1);
    }
}

}  // namespace headlight

#include "moc_first_models.cpp"
