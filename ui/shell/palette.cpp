// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <utility>

#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kPaletteWidth = 640, kPaletteRow = 54, kMostRows = 40, kSeenRows = 7;
constexpr double kPaletteTop = 0.15;  ///< of the window's height

/// How well a word stands in a text: 0 best; nothing: not at all.
std::optional<int> rankIn(const QString& text, const QString& word) {
    const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
    if (at < 0) return {};
    if (at == 0) return 0;
    return text[at - 1].isLetterOrNumber() ? 2 : 1;
}

/// Of all words together; nothing where one of them is nowhere.
std::optional<int> rankOf(const PaletteEntry& entry, const QStringList& words) {
    constexpr int besideTitle = 4;
    int rank = 0;
    for (const QString& word : words) {
        std::optional<int> best = rankIn(entry.title, word);
        if (!best)
            for (const QString& text : {entry.detail, entry.words})
                if (const std::optional<int> beside = rankIn(text, word); beside && !best) best = *beside + besideTitle;
        if (!best) return {};
        rank += *best;
    }
    return rank;
}

}  // namespace

std::vector<const PaletteEntry*> matching(const std::vector<PaletteEntry>& entries, const QString& query) {
    const QStringList words = query.simplified().split(u' ', Qt::SkipEmptyParts);
    std::vector<std::pair<int, const PaletteEntry*>> ranked;
    if (!words.isEmpty())
        for (const PaletteEntry& entry : entries)
            if (const std::optional<int> rank = rankOf(entry, words)) ranked.emplace_back(*rank, &entry);
    std::ranges::stable_sort(ranked, {}, [](const auto& each) { return each.first; });
    std::vector<const PaletteEntry*> found;
    found.reserve(ranked.size());
    for (const auto& [rank, entry] : ranked)
        found.push_back(entry);
    return found;
}

/// Paints an entry; its text is the item's, for who cannot see it.
class Palette::Row : public QStyledItemDelegate {
public:
    explicit Row(const Palette& palette, QObject* parent) : QStyledItemDelegate(parent), m_palette(palette) {}
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {kPaletteWidth, kPaletteRow};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = Theme::of(&m_palette);
        const PaletteEntry& entry = *m_palette.m_found[static_cast<size_t>(index.row())];
        const QRectF row = QRectF(option.rect).adjusted(6, 2, -6, -2);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool isChosen = option.state.testFlag(QStyle::State_Selected);
        if (isChosen) paint::box(*painter, row, t.sunken, {}, 6);
        drawIcon(*painter, entry.icon, QRectF(row.left() + 16, row.center().y() - 9, 18, 18), t.text2);
        const auto write = [&](const QRectF& area, const QString& text, const QFont& font, const QColor& color,
                               int flags) {
            painter->setFont(font);
            painter->setPen(color);
            painter->drawText(area, flags, QFontMetricsF(font).elidedText(text, Qt::ElideRight, area.width()));
        };
        const QString keys = entry.keys.isEmpty() && isChosen ? Palette::tr("Enter") : entry.keys;
        constexpr double forKeys = 120, textLeft = 52;
        const QRectF words = row.adjusted(textLeft, 4, keys.isEmpty() ? -14 : -forKeys - 14, -4);
        write(words.adjusted(0, 0, 0, -words.height() / 2), entry.title, uiFont(14, QFont::Medium), t.text,
              Qt::AlignLeft | Qt::AlignBottom);
        write(words.adjusted(0, words.height() / 2 + 1, 0, 0), entry.detail, uiFont(12), t.text2,
              Qt::AlignLeft | Qt::AlignTop);
        write(row.adjusted(0, 0, -14, 0), keys, monoFont(11), t.text2, Qt::AlignRight | Qt::AlignVCenter);
        painter->restore();
    }

private:
    const Palette& m_palette;
};

Palette::Palette(std::vector<PaletteEntry> entries, QWidget* over)
    : QWidget(over),
      m_entries(std::move(entries)),
      m_box(new QWidget(this)),
      m_input(new QLineEdit),
      m_list(new QListWidget) {
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(tr("Search or run a command"));
    m_input->setPlaceholderText(tr("Search or run a command"));
    m_input->setAccessibleName(tr("Words of what you look for"));
    m_input->setFont(uiFont(17));
    m_input->setFrame(false);
    m_input->setFixedHeight(62);
    m_input->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_input->setStyleSheet(QStringLiteral("border: none; background: transparent; padding: 0 22px;"));
    m_list->setItemDelegate(new Row(*this, m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setStyleSheet(QStringLiteral("background: transparent;"));
    m_list->setFocusPolicy(Qt::NoFocus);  // what is typed goes on being typed
    m_list->setMouseTracking(true);
    m_list->setAccessibleName(tr("What was found"));
    auto* foot = new Caption(
        tr("Views, lessons, models, settings, commands, words of the field. Arrow keys move, Enter opens, Esc "
           "closes."),
        12, QFont::Normal, Caption::Tone::Secondary);
    foot->setWordWrap(true);
    foot->setContentsMargins(22, 12, 22, 14);
    auto* column = new QVBoxLayout(m_box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_input);
    column->addWidget(new Rule);
    column->addSpacing(6);
    column->addWidget(m_list);
    column->addSpacing(6);
    column->addWidget(new Rule);
    column->addWidget(foot);
    m_input->installEventFilter(this);
    over->installEventFilter(this);
    connect(m_input, &QLineEdit::textChanged, this, &Palette::find);
    connect(m_list, &QListWidget::itemEntered, m_list, [this](QListWidgetItem* item) { m_list->setCurrentItem(item); });
    connect(m_list, &QListWidget::itemClicked, this, &Palette::run);
    find({});
    place();
    show();
    raise();
    m_input->setFocus();
}

QStringList Palette::titles() const {
    QStringList all;
    for (const PaletteEntry* entry : m_found)
        all << entry->title;
    return all;
}

void Palette::place() {
    setGeometry(parentWidget()->rect());
    const int wide = std::min(kPaletteWidth, width() - 32);
    const int rows = std::clamp(m_list->count(), m_input->text().isEmpty() ? 0 : 1, kSeenRows);
    m_list->setFixedHeight(rows * kPaletteRow);
    m_box->setFixedWidth(wide);
    m_box->adjustSize();
    m_box->move((width() - wide) / 2, static_cast<int>(height() * kPaletteTop));
    update();
}

void Palette::find(const QString& query) {
    m_found = matching(m_entries, query);
    if (m_found.size() > kMostRows) m_found.resize(kMostRows);
    m_list->clear();
    for (const PaletteEntry* entry : m_found)
        m_list->addItem(entry->detail.isEmpty() ? entry->title
                                                : QStringLiteral("%1, %2").arg(entry->title, entry->detail));
    m_list->setCurrentRow(0);
    place();
}

void Palette::move(int by) {
    if (m_list->count() > 0) m_list->setCurrentRow(std::clamp(m_list->currentRow() + by, 0, m_list->count() - 1));
}

void Palette::run() {
    const int row = m_list->currentRow();
    if (row < 0) return;
    const std::function<void()> act = m_found[static_cast<size_t>(row)]->run;
    close();
    act();
}

bool Palette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) place();
    if (watched != m_input || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Down:
            return move(1), true;
        case Qt::Key_Up:
            return move(-1), true;
        case Qt::Key_PageDown:
            return move(kSeenRows), true;
        case Qt::Key_PageUp:
            return move(-kSeenRows), true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return run(), true;
        case Qt::Key_Escape:
            return close(), true;
        default:
            return false;
    }
}

/// Beside the box: it is let go.
void Palette::mousePressEvent(QMouseEvent*) {
    close();
}

void Palette::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    constexpr int shade = 70;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.fillRect(rect(), QColor(0, 0, 0, shade));
    paint::box(p, m_box->geometry(), t.surface, t.line, 10);
}

}  // namespace headlight

#include "moc_palette.cpp"
