// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/data/data_bar.h"

#include <QAbstractButton>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

/// A file: its name, and what stands in it. A click takes it away.
class DataBar::FileChip : public QAbstractButton {
public:
    explicit FileChip(QWidget* parent) : QAbstractButton(parent) {
        setFixedHeight(44);
        setMinimumWidth(140);
        setMaximumWidth(280);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setFocusPolicy(Qt::StrongFocus);
    }
    void setFile(const QString& name, const QStringList& more, bool isSource) {
        setText(name);
        setAccessibleName(DataBar::tr("Take %1 away").arg(name));
        setToolTip(accessibleName() + u'\n' + more.join(kBetween));
        m_more = more;
        m_isSource = isSource;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        paint::box(p, rect(), t.surface, t.line2, 5);
        paint::box(p, QRectF(0, 4, 3, height() - 8), m_isSource ? t.encoder : t.decoder, {}, 1);
        const double room = width() - 48;
        paint::centredText(p, {16, 15}, paint::elided(text(), uiFont(13, QFont::DemiBold), room),
                           uiFont(13, QFont::DemiBold), t.text);
        // What has no room is in the tool tip.
        QStringList shown = m_more;
        while (shown.size() > 1 && paint::textWidth(shown.join(kBetween), uiFont(11)) > room)
            shown.removeLast();
        paint::centredText(p, {16, 31}, paint::elided(shown.join(kBetween), uiFont(11), room), uiFont(11), t.text2);
        drawIcon(p, Icon::Cross, QRectF(width() - 28, height() / 2.0 - 8, 16, 16), t.text2);
    }

private:
    static constexpr QStringView kBetween = u" · ";

    QStringList m_more;
    bool m_isSource = true;
};

/// Where files may be dropped, or chosen by a click.
class DataBar::DropBox : public QAbstractButton {
public:
    explicit DropBox(QWidget* parent) : QAbstractButton(parent) {
        setFixedHeight(44);
        setMinimumWidth(200);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setFocusPolicy(Qt::StrongFocus);
    }
    void setTexts(const QString& title, const QString& more) {
        setText(title);
        m_more = more;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        p.setPen(QPen(t.line2, 1.2, Qt::DashLine));
        p.setBrush(hoverTint(this, t.sunken));
        p.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
        const double room = width() - 32;
        paint::centredText(p, {16, 15}, paint::elided(text(), uiFont(13, QFont::Medium), room),
                           uiFont(13, QFont::Medium), t.text);
        paint::centredText(p, {16, 31}, paint::elided(m_more, uiFont(11), room), uiFont(11), t.text2);
    }

private:
    QString m_more;
};

QString sideName(const CorpusFiles& files, int side) {
    const QString path = QString::fromStdString(side == 0 ? files.sourceFile : files.targetFile);
    const QString usual = side == 0 ? DataBar::tr("Source") : DataBar::tr("Target");
    if (path.isEmpty()) return files.textFile.empty() ? usual : DataBar::tr("Text");
    QString ending = QFileInfo(path).suffix();
    if (ending == QLatin1String("gz")) ending = QFileInfo(QFileInfo(path).completeBaseName()).suffix();
    const QLocale locale(ending);
    const bool known = (ending.size() == 2 || ending.size() == 3) && locale.language() != QLocale::C &&
                       locale.name().startsWith(ending);
    return known                                                ? QLocale::languageToString(locale.language())
           : ending.isEmpty() || ending == QLatin1String("txt") ? usual
                                                                : ending;
}

DataBar::DataBar(QWidget* parent)
    : Panel(Qt::BottomEdge, parent),
      m_chips{new FileChip(this), new FileChip(this)},
      m_swap(new Button(Button::Kind::Ghost, QStringLiteral("⇄"), Icon::None, this)),
      m_drop(new DropBox(this)),
      m_title(new Caption({}, 13, QFont::DemiBold, Caption::Tone::Main)),
      m_more(new Caption({}, 11, QFont::Normal, Caption::Tone::Secondary)),
      m_cancel(new Button(Button::Kind::Ghost, tr("Cancel"), Icon::None, this)) {
    setFixedHeight(68);
    m_swap->setToolTip(tr("Translate the other way round"));
    m_swap->setAccessibleName(m_swap->toolTip());
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_more->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addStretch();
    words->addWidget(m_title);
    words->addWidget(m_more);
    words->addStretch();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(20, 0, 20, 1);
    row->setSpacing(8);
    row->addWidget(m_chips[0], 3);
    row->addWidget(m_swap);
    row->addWidget(m_chips[1], 3);
    row->addSpacing(4);
    row->addWidget(m_drop, 4);
    row->addSpacing(12);
    row->addLayout(words, 3);
    row->addWidget(m_cancel);
    for (int i = 0; i < 2; ++i)
        connect(m_chips[i], &QAbstractButton::clicked, this, [this, i] { emit fileRemoved(i); });
    connect(m_swap, &Button::clicked, this, &DataBar::swapWanted);
    connect(m_drop, &QAbstractButton::clicked, this, &DataBar::filesWanted);
    connect(m_cancel, &Button::clicked, this, &DataBar::cancelWanted);
}

void DataBar::show(const DataChoice& choice) {
    const CorpusFiles& files = choice.data().files;
    const auto& picture = choice.picture();
    const std::string paths[] = {files.first(), files.targetFile};
    for (int i = 0; i < 2; ++i) {
        m_chips[i]->setVisible(choice.hasFiles() && !paths[i].empty());
        QStringList more;
        const bool isText = !files.textFile.empty(), isTable = !files.pairs.empty();
        if (!isText && !isTable) more << sideName(files, i);
        if (picture) {
            const auto lines = static_cast<qint64>(picture->survey->entries().size());
            more << (isTable ? plural(tr("%1 pair(s)").arg(formatCount(lines)), lines)
                             : plural(tr("%1 line(s)").arg(formatCount(lines)), lines));
            const long words = isTable ? picture->survey->words(0) + picture->survey->words(1)
                                       : picture->survey->words(isText ? 1 : i);
            more << plural(tr("%1 word(s)").arg(formatCount(words)), words);
        }
        if (const auto& glimpse = choice.glimpse(); !picture && glimpse) {
            more << (isTable ? tr("%1 pairs so far") : tr("%1 lines so far")).arg(formatCount(glimpse->pairs));
            const long words = isTable ? glimpse->words[0] + glimpse->words[1]
                                       : glimpse->words.at(static_cast<size_t>(isText ? 1 : i));
            more << tr("%1 words").arg(formatCount(words));
        }
        m_chips[i]->setFile(QFileInfo(QString::fromStdString(paths[i])).fileName(), more, i == 0 && !isText);
    }
    m_swap->setVisible(!files.sourceFile.empty());
    m_drop->setTexts(choice.hasFiles() ? tr("Drop others here, or choose …") : tr("Drop your text here, or choose …"),
                     !files.textFile.empty() ? tr("its translation line by line, or another file")
                                             : tr("a table (CSV, TSV, JSON), two files line by line, or a text"));
    m_cancel->setVisible(choice.isBusy() && choice.hasFiles());
    if (!choice.hasFiles()) {
        m_title->setText(tr("A built-in task is chosen"));
        m_more->setText(QString::fromStdString(files.task));
    } else if (!choice.failure().isEmpty()) {
        m_title->setText(tr("These files cannot be used"));
        m_more->setText({});
    } else if (picture) {
        const auto read = static_cast<qint64>(picture->survey->entries().size());
        m_title->setText(picture->isText()
                             ? tr("%1 lines read").arg(formatCount(read))
                             : tr("%1 pairs read, %2 used").arg(formatCount(read), formatCount(picture->deal.used())));
        const QString encoding = QString::fromStdString(choice.layout() ? choice.layout()->encoding : "UTF-8");
        const QString what = !picture->isText() && files.pairs.empty() ? tr("one sentence a line, the lines match")
                             : !picture->isText()                      ? tr("a pair a row")
                             : files.reading == TextReading::Lines     ? tr("a sentence a line")
                                                                       : tr("running text");
        m_more->setText(QStringLiteral("%1, %2").arg(encoding, what));
    } else {
        m_title->setText(tr("Reading, %1 %").arg(static_cast<int>(100 * std::max(0.0, choice.share()))));
        m_more->setText(choice.glimpse() ? tr("what is shown is of what was read so far") : QString());
    }
}

}  // namespace headlight

#include "moc_data_bar.cpp"
