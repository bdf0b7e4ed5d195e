// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/shell/room_stack.h"
#include "ui/shell/sentence_bar.h"
#include "ui/shell/workbench.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/timeline.h"

namespace headlight {

namespace {

constexpr int kHelpWidth = 344, kHelpMark = 22, kHelpKeys = 92;
constexpr int kHelpBeside = 7;  ///< that a number stands out of its part, so that it hides no word of it
constexpr size_t kMostHelp = 40;

}  // namespace

/// A number: at a part of the view, and before what is said of it.
class HelpPanel::Number : public QWidget {
public:
    explicit Number(int number, QWidget* parent = nullptr) : QWidget(parent), m_number(number) {
        setFixedSize(kHelpMark, kHelpMark);
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        const QRectF area = QRectF(rect()).adjusted(1, 1, -1, -1);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        p.setPen(Qt::NoPen);
        p.setBrush(t.ink);
        p.drawEllipse(area);
        p.setFont(uiFont(11, QFont::Bold));
        p.setPen(t.onInk);
        p.drawText(area, Qt::AlignCenter, QString::number(m_number));
    }

private:
    int m_number;
};

/// Keys as they stand on a keyboard.
class HelpPanel::Caps : public Caption {
public:
    explicit Caps(const QString& keys) : Caption(keys, 11, QFont::Normal, Tone::Main) {
        setFont(monoFont(11));
        setContentsMargins(8, 3, 8, 3);
    }

protected:
    void paintEvent(QPaintEvent* event) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        paint::box(p, rect(), t.surface, t.line2, 5);
        Caption::paintEvent(event);
    }
};

HelpPanel::HelpPanel(Workbench& workbench, RoomStack& rooms, QWidget* parent)
    : Panel(Qt::LeftEdge, parent), m_workbench(workbench), m_rooms(rooms), m_input(new QLineEdit), m_scroll(nullptr) {
    setFixedWidth(kHelpWidth);
    setAccessibleName(tr("About this view"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(20, 14, 12, 0);
    head->addWidget(new Caption(tr("About this view"), 15, QFont::DemiBold, Caption::Tone::Main), 1);
    head->addWidget(new Caps(QKeySequence(QKeySequence::HelpContents).toString(QKeySequence::NativeText)), 0,
                    Qt::AlignVCenter);
    auto* close = new Button(Button::Kind::Plain, {}, Icon::Cross);
    close->setAccessibleName(tr("Close the help"));
    close->setToolTip(tr("Close (F1)"));
    head->addWidget(close);
    m_input->setPlaceholderText(tr("Search help and words of the field"));
    m_input->setAccessibleName(m_input->placeholderText());
    m_input->setClearButtonEnabled(true);
    auto* field = new QVBoxLayout;
    field->setContentsMargins(20, 10, 20, 6);
    field->addWidget(m_input);
    m_scroll = scrolling(new QWidget);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(1, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(head);
    all->addLayout(field);
    all->addWidget(m_scroll, 1);
    hide();
    connect(close, &Button::clicked, this, &HelpPanel::shut);
    connect(m_input, &QLineEdit::textChanged, this, &HelpPanel::show);
    connect(&rooms, &RoomStack::viewChanged, this, [this] {
        if (isOpen() && m_input->text().isEmpty()) showView();
    });
    connect(&workbench.lessons, &LessonLibrary::changed, this, [this] {
        if (isOpen()) show();
    });
}

HelpPanel::~HelpPanel() = default;

void HelpPanel::open() {
    setVisible(true);
    m_input->clear();
    show();
    m_input->setFocus();
    emit toggled();
}

void HelpPanel::shut() {
    setVisible(false);
    clear();
    emit toggled();
}

void HelpPanel::explain(const QString& term) {
    if (!isOpen()) open();
    m_input->setText(term);
}

void HelpPanel::show() {
    const QString words = m_input->text().simplified();
    if (words.isEmpty())
        showView();
    else
        showFound(words);
}

/// A new page: what stood on the one before goes with it.
void HelpPanel::clear() {
    for (QWidget* mark : std::exchange(m_marks, {}))
        delete mark;
    for (const QPointer<QWidget>& place : std::exchange(m_places, {}))
        if (place) place->removeEventFilter(this);
    m_page = new QWidget;
    m_column = new QVBoxLayout(m_page);
    m_column->setContentsMargins(20, 8, 20, 20);
    m_column->setSpacing(10);
    m_page->installEventFilter(this);
    m_scroll->setWidget(m_page);
    m_page->setAutoFillBackground(false);  // setWidget() has it fill what the panel has painted
}

QLabel* HelpPanel::say(const QString& text, int px, int weight, bool isFaint) {
    auto* label = new Caption(text, px, weight, isFaint ? Caption::Tone::Secondary : Caption::Tone::Main);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_column->addWidget(label);
    return label;
}

void HelpPanel::showView() {
    clear();
    const ViewName view = m_rooms.view();
    const ViewHelp* const help = m_workbench.lessons.helpOf(view);
    say(m_rooms.titleOf(view), 18, QFont::DemiBold);
    if (!help) {
        say(tr("Nothing is written about this view."));
        m_column->addStretch();
        return;
    }
    say(QString::fromStdString(help->shows), 13, QFont::Normal, true);
    const auto beside = [this](QWidget* left, const QString& text, int leftWidth) {
        auto* row = new QHBoxLayout;
        row->setSpacing(12);
        left->setMinimumWidth(leftWidth);
        row->addWidget(left, 0, Qt::AlignTop);
        auto* label = new Caption(text, 13, QFont::Normal, Caption::Tone::Main);
        label->setWordWrap(true);
        row->addWidget(label, 1);
        m_column->addLayout(row);
    };
    for (const ViewHelp::Part& part : help->parts) {
        mark(part.at);
        beside(new Number(static_cast<int>(m_marks.size())), QString::fromStdString(part.is), kHelpMark);
    }
    if (!help->can.empty()) {
        m_column->addWidget(new Rule);
        say(tr("You can"), 13, QFont::DemiBold);
        for (const ViewHelp::Can& can : help->can)
            beside(new Caps(QString::fromStdString(can.keys)), QString::fromStdString(can.does), kHelpKeys);
    }
    const QString slug = QString::fromStdString(help->lesson);
    if (const Lesson* lesson = m_workbench.lessons.find(slug)) {
        m_column->addWidget(new Rule);
        m_lesson = new Button(Button::Kind::Ghost, tr("Lesson %1").arg(lesson->number), Icon::Learn);
        beside(m_lesson, QString::fromStdString(lesson->title), kHelpKeys);
        connect(m_lesson, &Button::clicked, this, [this, slug] { emit lessonWanted(slug); });
    }
    if (!help->doesNotSay.empty()) {
        m_column->addWidget(new Rule);
        say(QString::fromStdString(help->doesNotSay), 12, QFont::Normal, true);
    }
    m_column->addStretch();
    placeMarks();
}

/// Words of the field, then views, that have what was typed.
void HelpPanel::showFound(const QString& words) {
    clear();
    size_t found = 0;
    const auto tell = [&](const QString& title, const QString& text) {
        if (++found > kMostHelp) return;
        say(title, 14, QFont::DemiBold);
        say(text, 13, QFont::Normal, true);
    };
    const std::map<QString, QString> terms = m_workbench.lessons.terms();
    for (const bool inTitle : {true, false})
        for (const auto& [term, meaning] : terms)
            if (const bool has = term.contains(words, Qt::CaseInsensitive);
                inTitle ? has : !has && meaning.contains(words, Qt::CaseInsensitive))
                tell(term, meaning);
    for (const View* view : views()) {
        const auto name = static_cast<ViewName>(std::ranges::find(views(), view) - views().begin());
        const ViewHelp* const help = m_workbench.lessons.helpOf(name);
        const QString title = m_rooms.titleOf(name), text = help ? QString::fromStdString(help->shows) : QString();
        if (title.contains(words, Qt::CaseInsensitive) || text.contains(words, Qt::CaseInsensitive))
            tell(tr("The view %1").arg(title), text);
    }
    if (found == 0) say(tr("Nothing is written about “%1”.").arg(words));
    m_column->addStretch();
}

QStringList HelpPanel::lines() const {
    QStringList all;
    for (const QLabel* label : m_page->findChildren<QLabel*>())
        all << label->text();
    return all;
}

void HelpPanel::mark(const std::string& part) {
    QWidget* const place = placeOf(part);
    m_marks.push_back(new Number(static_cast<int>(m_marks.size()) + 1, parentWidget()));
    m_places.emplace_back(place);
    if (place) place->installEventFilter(this);
}

QWidget* HelpPanel::placeOf(const std::string& part) const {
    Room& room = m_rooms.current();
    if (part == "picture") return room.viewWidget();
    if (part == "sentence") return room.findChild<SentenceBar*>();
    if (part == "timeline") return room.findChild<Timeline*>();
    QWidget* hidden = nullptr;
    for (Foldable* panel : room.viewWidget()->findChildren<Foldable*>()) {
        if (!panel->panelName() || part != panel->panelName()) continue;
        // Pages of one view may each have a part of that name.
        if (panel->isVisible()) return panel;
        if (!hidden) hidden = panel;
    }
    return hidden;
}

/// At the upper left of each part; several at one place stand beside one another.
void HelpPanel::placeMarks() {
    std::vector<QPoint> taken;
    for (size_t i = 0; i < m_marks.size(); ++i) {
        const QPointer<QWidget>& place = m_places[i];
        const bool isSeen = isVisible() && place && place->isVisible();
        m_marks[i]->setVisible(isSeen);
        if (!isSeen) continue;
        QPoint at = place->mapTo(parentWidget(), QPoint(-kHelpBeside, -kHelpBeside));
        at = {std::max(at.x(), 0), std::max(at.y(), 0)};
        while (std::ranges::find(taken, at) != taken.end())
            at.rx() += kHelpMark + 2;
        taken.push_back(at);
        m_marks[i]->move(at);
        m_marks[i]->raise();
    }
}

bool HelpPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_page) {
        // As tall as its lines are at this width: a layout alone asks for fewer of them.
        if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize)
            m_page->setMinimumHeight(std::max(m_column->heightForWidth(m_page->width()), 0));
        return false;
    }
    const QEvent::Type type = event->type();
    const bool isMoved = type == QEvent::Move || type == QEvent::Resize;
    // Once layouts have come to rest.
    if (isMoved || type == QEvent::Show || type == QEvent::Hide)
        QMetaObject::invokeMethod(this, &HelpPanel::placeMarks, Qt::QueuedConnection);
    return Panel::eventFilter(watched, event);
}

void HelpPanel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return shut();
    Panel::keyPressEvent(event);
}

}  // namespace headlight

#include "moc_help_panel.cpp"
