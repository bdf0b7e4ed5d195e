// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/settings_page.h"

#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QDesktopServices>
#include <QDir>
#include <QDirIterator>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QSignalBlocker>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <thread>

#include "core/import/hub_settings.h"
#include "core/platform/shared_work.h"
#include "ui/session/format/byte_count.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/interface_size.h"
#include "ui/shell/workbench.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/controls/picture_choice.h"
#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kListWidth = 232, kWordsWidth = 280, kRowWidth = 800;
constexpr ThemeManager::Mode kModes[] = {ThemeManager::Mode::System, ThemeManager::Mode::Light,
                                         ThemeManager::Mode::Dark, ThemeManager::Mode::HighContrast};

QString weightColorsKey() {
    return QStringLiteral("window/weight-colors");
}

/// A page in small: its ground, two lines of words and what is chosen.
void drawGround(QPainter& p, const QRectF& box, const Theme& t) {
    p.fillRect(box, t.bg);
    const QPointF at = box.topLeft();
    paint::box(p, {at + QPointF(9, 10), QSizeF(30, 6)}, t.text, {}, 3);
    paint::box(p, {at + QPointF(9, 21), QSizeF(20, 6)}, t.text3, {}, 3);
    p.fillRect(QRectF(at + QPointF(9, box.height() - 9), QSizeF(32, 3)), t.nowLine);
}

/// A matrix in small that runs through all the colours; no model's.
void drawWeights(QPainter& p, const QRectF& box, const Theme& t) {
    constexpr int kRows = 5, kColumns = 9;
    const double wide = box.width() / kColumns, high = box.height() / kRows;
    for (int row = 0; row < kRows; ++row)
        for (int column = 0; column < kColumns; ++column) {
            const double away = (column - 2.0 * row) / 3;
            p.fillRect(QRectF(box.left() + wide * column, box.top() + high * row, wide, high).toAlignedRect(),
                       t.sequential(row == 2 ? column / (kColumns - 1.0) : std::exp(-away * away)));
        }
}

QString threadsKey() {
    return QStringLiteral("computing/threads");
}

/// A group of settings, in the list at the left.
class GroupButton : public QAbstractButton {
public:
    explicit GroupButton(const QString& title) {
        setText(title);
        setCheckable(true);
        setAutoExclusive(true);  // to a screen reader it is one of several
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_Hover);
        setFocusPolicy(Qt::StrongFocus);
        setFixedHeight(36);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        paint::box(p, rect(), isChecked() ? t.sunken : hoverTint(this, t.sunken), {}, 5);
        if (isChecked()) p.fillRect(QRect(0, 6, 3, height() - 12), t.now);
        const QFont font = uiFont(13, isChecked() ? QFont::DemiBold : QFont::Medium);
        paint::text(p, {16, height() / 2.0 + 5}, text(), font, isChecked() ? t.text : t.text2);
    }
};

/// Of all files in a folder, links not followed; −1: it is no longer wanted.
qint64 bytesIn(const QString& folder, const Background::Wanted& isWanted) {
    qint64 bytes = 0;
    QDirIterator files(folder, QDir::Files | QDir::Hidden | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        files.next();
        bytes += files.fileInfo().size();
        if (!isWanted()) return -1;
    }
    return bytes;
}

}  // namespace

SettingsPage::SettingsPage(Workbench& workbench, QAction* lessMotion, QWidget* parent)
    : QWidget(parent),
      m_workbench(workbench),
      m_groups(new QButtonGroup(this)),
      m_input(new QLineEdit),
      m_heading(new Caption({}, 22, QFont::DemiBold, Caption::Tone::Main)),
      m_nothing(new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary)),
      m_reset(new Button(Button::Kind::Plain, tr("Reset this page"))),
      m_column(new QVBoxLayout) {
    setAccessibleName(tr("Settings"));
    auto* content = new QWidget;
    content->setMaximumWidth(kRowWidth);
    content->setLayout(m_column);
    m_column->setContentsMargins(40, 20, 40, 20);
    m_column->setSpacing(0);
    auto* head = new QHBoxLayout;
    auto* close = new Button(Button::Kind::Plain, {}, Icon::Cross);
    close->setAccessibleName(tr("Close the settings"));
    close->setToolTip(tr("Close (Esc)"));
    head->addWidget(m_heading, 1);
    head->addWidget(m_reset);
    head->addWidget(close);
    m_column->addLayout(head);
    m_column->addSpacing(12);
    m_column->addWidget(m_nothing);
    addAppearance(lessMotion);
    addLanguage();
    addComputing();
    addFiles();
    addPrivacy();
    m_column->addStretch();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(makeList());
    m_page = scrolling(content);
    content->setAutoFillBackground(false);  // the page's ground is painted below
    m_page->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    row->addWidget(m_page, 1);
    m_group = m_settings.front().group;
    hide();
    connect(m_reset, &Button::clicked, this, &SettingsPage::resetShown);
    connect(close, &Button::clicked, this, &SettingsPage::shut);
    connect(m_input, &QLineEdit::textChanged, this, &SettingsPage::fill);
    fill();
}

SettingsPage::~SettingsPage() = default;

QWidget* SettingsPage::makeList() {
    auto* list = new Panel(Qt::RightEdge);
    list->setFixedWidth(kListWidth);
    list->setAccessibleName(tr("Groups of settings"));
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(4);
    m_input->setPlaceholderText(tr("Find a setting"));
    m_input->setAccessibleName(m_input->placeholderText());
    m_input->setClearButtonEnabled(true);
    column->addWidget(m_input);
    column->addSpacing(8);
    QStringList groups;
    for (const Setting& setting : m_settings)
        if (!groups.contains(setting.group)) groups << setting.group;
    for (const QString& group : groups) {
        auto* button = new GroupButton(group);
        m_groups->addButton(button);
        column->addWidget(button);
        connect(button, &QAbstractButton::clicked, this, [this, group] {
            m_group = group;
            m_input->clear();
            fill();
        });
    }
    column->addStretch();
    return list;
}

void SettingsPage::add(const Setting& setting) {
    auto* whole = new QWidget;
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(14);
    column->addWidget(new Rule);
    auto* row = new QHBoxLayout;
    row->setSpacing(24);
    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    words->addWidget(new Caption(setting.title, 14, QFont::DemiBold, Caption::Tone::Main));
    auto* about = new Caption(setting.about, 12, QFont::Normal, Caption::Tone::Secondary);
    about->setWordWrap(true);
    if (setting.control) about->setFixedWidth(kWordsWidth);
    words->addWidget(about);
    words->addStretch();
    row->addLayout(words);
    if (setting.control) {
        if (!qobject_cast<Button*>(setting.control)) setting.control->setAccessibleName(setting.title);
        row->addWidget(setting.control, 0, Qt::AlignTop);
        row->addStretch();
    }
    column->addLayout(row);
    column->addSpacing(16);
    m_column->addWidget(whole);
    m_settings.push_back(setting);
    m_rows.push_back(whole);
}

void SettingsPage::addAppearance(QAction* lessMotion) {
    const QString group = tr("Appearance");
    ThemeManager& manager = m_workbench.theme;
    constexpr QSize kPicture(96, 52);
    const auto halves = [](QPainter& p, const QRectF& box) {
        drawGround(p, box, Theme::light());
        drawGround(p, box.adjusted(box.width() / 2, 0, 0, 0), Theme::dark());
    };
    const auto ground = [](const Theme& (*of)()) {
        return [of](QPainter& p, const QRectF& box) { drawGround(p, box, of()); };
    };
    auto* theme = new PictureChoice({{tr("System"), halves},
                                     {tr("Light"), ground(Theme::light)},
                                     {tr("Dark"), ground(Theme::dark)},
                                     {tr("High contrast"), ground(Theme::highContrast)}},
                                    kPicture);
    const auto showTheme = [theme, &manager] {
        const QSignalBlocker quiet(theme);
        theme->setCurrentIndex(static_cast<int>(std::ranges::find(kModes, manager.mode()) - kModes));
    };
    showTheme();
    connect(&manager, &ThemeManager::changed, theme, showTheme);
    connect(theme, &PictureChoice::currentChanged, this,
            [&manager](int index) { manager.setMode(kModes[static_cast<size_t>(index)]); });
    add({group, tr("Theme"), tr("Follows the system by default."), theme,
         [&manager] { manager.setMode(ThemeManager::Mode::System); }});

    addSize(group);
    addWeightColors(group);

    auto* motion = new SegmentedControl({tr("Full"), tr("Reduced")});
    const auto showMotion = [motion, lessMotion] {
        const QSignalBlocker quiet(motion);
        motion->setCurrentIndex(lessMotion->isChecked() ? 1 : 0);
    };
    showMotion();
    connect(lessMotion, &QAction::toggled, motion, showMotion);
    connect(motion, &SegmentedControl::currentChanged, lessMotion,
            [lessMotion](int index) { lessMotion->setChecked(index == 1); });
    add({group, tr("Motion"), tr("Reduced skips animations. Full is the default."), motion,
         [lessMotion] { lessMotion->setChecked(false); }});
}

void SettingsPage::addWeightColors(const QString& group) {
    ThemeManager& manager = m_workbench.theme;
    constexpr QSize kPicture(126, 50);
    const auto weights = [this](WeightColors colors) {
        return [this, colors](QPainter& p, const QRectF& box) { drawWeights(p, box, Theme::of(this).with(colors)); };
    };
    auto* choice = new PictureChoice({{tr("Blue"), weights(WeightColors::Blue)},
                                      {tr("Violet to yellow"), weights(WeightColors::VioletToYellow)},
                                      {tr("Grey"), weights(WeightColors::Grey)}},
                                     kPicture);
    const auto show = [choice] {
        const QSignalBlocker quiet(choice);
        choice->setCurrentIndex(static_cast<int>(ThemeManager::weightColors()));
    };
    show();
    connect(&manager, &ThemeManager::changed, choice, show);
    connect(choice, &PictureChoice::currentChanged, this, [&manager](int index) {
        manager.setWeightColors(static_cast<WeightColors>(index));
        QSettings().setValue(weightColorsKey(), index);
    });
    add({group, tr("Colours of weights"),
         tr("Colour-blind eyes tell the steps of each apart, and so does a grey print. The default is blue. Signed "
            "values stay orange and blue."),
         choice, [choice] { choice->setCurrentIndex(0); }});
}

void SettingsPage::addSize(const QString& group) {
    // The screen in the pixels that there are at 100 %.
    const int present = InterfaceSize::present();
    std::vector<int> sizes = InterfaceSize::fitting(screen()->availableSize() * present / InterfaceSize::kDefault);
    for (const int own : {present, InterfaceSize::chosen()})  // of another screen, perhaps
        if (std::ranges::find(sizes, own) == sizes.end()) sizes.push_back(own);
    std::ranges::sort(sizes);
    auto* control = new QWidget;
    auto* row = new QHBoxLayout(control);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(16);
    auto* size = new ComboBox(tr("Size"));
    for (const int percent : sizes)
        size->addItem(tr("%1 %").arg(percent), percent);
    auto* restart = new Button(Button::Kind::Ghost, tr("Restart now"));
    restart->setHeight(28);
    restart->setToolTip(tr("Closes the window and opens it again as it is"));
    row->addWidget(size);
    row->addWidget(restart);
    control->setFocusProxy(size);
    const auto show = [size, restart, present] {
        const QSignalBlocker quiet(size);
        size->setCurrentIndex(size->findData(InterfaceSize::chosen()));
        restart->setVisible(InterfaceSize::chosen() != present);
    };
    show();
    connect(size, &ComboBox::currentIndexChanged, this, [size, show](int index) {
        InterfaceSize::choose(size->itemData(index).toInt());
        show();
    });
    connect(restart, &Button::clicked, this, &SettingsPage::restartWanted);
    const bool isOutside = InterfaceSize::isSetOutside();
    size->setEnabled(!isOutside);
    add({group, tr("Size"),
         isOutside ? tr("QT_SCALE_FACTOR is set outside Headlight, and is followed.")
                   : tr("Of letters and all else, from the next start on. Only sizes that fit this screen are listed. "
                        "The default is 100 %."),
         control, [show] {
             InterfaceSize::choose(InterfaceSize::kDefault);
             show();
         }});
}

void SettingsPage::addLanguage() {
    LessonLibrary& library = m_workbench.lessons;
    auto* language = new ComboBox(tr("Language of the lessons"));
    const auto fill = [language, &library] {
        const QSignalBlocker quiet(language);
        language->clear();
        for (const QString& each : library.languages())
            language->addItem(QLocale(each).nativeLanguageName(), each);
        language->setCurrentIndex(language->findData(library.language()));
    };
    fill();
    connect(&library, &LessonLibrary::changed, language, fill);
    connect(language, &ComboBox::activated, this, [this, language, &library](int index) {
        m_isChoosing = true;  // a lesson that is open is set up again
        library.setLanguage(language->itemData(index).toString());
        m_isChoosing = false;
    });
    add({tr("Language"), tr("Lessons"),
         tr("Untranslated lessons appear in English. The default is the system's language."), language,
         [&library] { library.setLanguage(lessonLanguage(QLocale::system())); }});
}

void SettingsPage::addComputing() {
    const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    auto* threads = new ComboBox(tr("Processors"));
    threads->addItem(tr("All (%1)").arg(processors), 0);
    for (int count = 1; count < processors; ++count)
        threads->addItem(QString::number(count), count);
    const int kept = QSettings().value(threadsKey()).toInt();
    threads->setCurrentIndex(std::max(0, threads->findData(kept)));
    connect(threads, &ComboBox::currentIndexChanged, this, [threads](int index) {
        const int count = threads->itemData(index).toInt();
        SharedWork::useThreads(count);
        QSettings().setValue(threadsKey(), count);
    });
    add({tr("Computing"), tr("Processors"),
         tr("How many share the work of reading a sentence. The results are the same. The default is all."), threads,
         [threads] { threads->setCurrentIndex(0); }});
}

/// The places that take room on the disk, as they are listed.
QString SettingsPage::folderOf(size_t place) const {
    const QDir own(m_folder);
    const std::array<QString, kFolders> all{m_folder.isEmpty() ? QString() : own.filePath(QStringLiteral("models")),
                                            m_folder.isEmpty() ? QString() : own.filePath(QStringLiteral("sentences")),
                                            m_folder.isEmpty() ? QString() : own.filePath(QStringLiteral("run")),
                                            QString::fromStdString(hubCacheFolder())};
    return all[place];
}

void SettingsPage::addFiles() {
    const QString group = tr("Files");
    const std::array<std::pair<QString, QString>, kFolders> all{
        {{tr("Models trained here"), tr("What you keep and save in Train. Delete one under Models, Trained here.")},
         {tr("Fetched sentences"), tr("Downloaded with Get sentences, under Train, Data.")},
         {tr("The run"), tr("The present training run and its film. It resumes at the next start.")},
         {tr("Models by name"), tr("Shared with Hugging Face's programs. HF_HOME and HF_HUB_CACHE move it.")}}};
    for (size_t place = 0; place < kFolders; ++place) {
        auto* control = new QWidget;
        auto* row = new QHBoxLayout(control);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(16);
        m_sizes[place] = new Caption({}, 13, QFont::Medium, Caption::Tone::Main);
        m_sizes[place]->setMinimumWidth(88);
        auto* look = new Button(Button::Kind::Ghost, tr("Show the folder"));
        look->setHeight(28);
        row->addWidget(m_sizes[place]);
        row->addWidget(look);
        look->setAccessibleName(tr("Show the folder: %1").arg(all[place].first));
        connect(look, &Button::clicked, this,
                [this, place] { QDesktopServices::openUrl(QUrl::fromLocalFile(folderOf(place))); });
        add({group, all[place].first, all[place].second, control});
    }
}

void SettingsPage::addPrivacy() {
    const QString group = tr("Privacy");
    add({group, tr("What is sent"),
         tr("Nothing unless you ask. Headlight uses the network only when you get sentences, or look up or download a "
            "model by its name, and contacts their publisher alone. What you type, open or train stays on this "
            "computer.")});
    m_clear = new Button(Button::Kind::Ghost, tr("Clear"));
    m_clear->setHeight(28);
    m_clear->setAccessibleName(tr("Clear the list of what was opened recently"));
    connect(m_clear, &Button::clicked, this, [this] {
        forgetOpened();
        m_clear->setEnabled(false);
    });
    add({group, tr("Opened recently"), tr("The list under File, Open recent. It holds names of files only."), m_clear});
}

void SettingsPage::measureFolders() {
    std::array<QString, kFolders> folders;
    for (size_t place = 0; place < kFolders; ++place) {
        folders[place] = folderOf(place);
        m_sizes[place]->setText({});
        m_sizes[place]->parentWidget()->setToolTip(QDir::toNativeSeparators(folders[place]));
        m_sizes[place]->parentWidget()->findChild<Button*>()->setEnabled(QDir(folders[place]).exists() &&
                                                                         !folders[place].isEmpty());
    }
    using Sizes = std::array<qint64, kFolders>;
    m_background.ask<Sizes>(
        [folders](const Background::Wanted& isWanted) {
            Sizes sizes{};
            for (size_t place = 0; place < kFolders; ++place)
                if (!folders[place].isEmpty()) sizes[place] = bytesIn(folders[place], isWanted);
            return sizes;
        },
        [this](const Sizes& sizes) {
            for (size_t place = 0; place < kFolders; ++place)
                m_sizes[place]->setText(sizes[place] > 0 ? formatBytes(sizes[place]) : tr("Empty"));
        },
        [](const QString&) {});
}

QStringList SettingsPage::shown() const {
    QStringList titles;
    for (size_t i = 0; i < m_rows.size(); ++i)
        if (!m_rows[i]->isHidden()) titles << m_settings[i].title;
    return titles;
}

void SettingsPage::open(const QString& title) {
    const auto found = std::ranges::find(m_settings, title, &Setting::title);
    if (found != m_settings.end()) m_group = found->group;
    m_input->clear();
    fill();
    measureFolders();
    m_clear->setEnabled(!recentlyOpened().isEmpty());
    if (!isOpen()) m_before = QApplication::focusWidget();
    setVisible(true);
    raise();
    emit toggled();
    if (found == m_settings.end() || !found->control) return m_input->setFocus();
    focusOn(found->control);
    m_page->ensureWidgetVisible(found->control);
}

/// Of several choices, on the present one.
void SettingsPage::focusOn(QWidget* control) {
    if (control->focusProxy()) return control->setFocus();
    QWidget* wanted = control;
    for (QAbstractButton* button : control->findChildren<QAbstractButton*>())
        if (button->isEnabled() && (wanted == control || button->isChecked())) wanted = button;
    wanted->setFocus();
}

void SettingsPage::giveWay() {
    if (isOpen() && !m_isChoosing) shut();
}

void SettingsPage::applyKept(ThemeManager& theme) {
    constexpr int kLast = static_cast<int>(WeightColors::Grey);
    theme.setWeightColors(
        static_cast<WeightColors>(std::clamp(QSettings().value(weightColorsKey()).toInt(), 0, kLast)));
    SharedWork::useThreads(std::max(0, QSettings().value(threadsKey()).toInt()));
}

void SettingsPage::shut() {
    m_background.drop();
    setVisible(false);
    emit toggled();
    if (m_before && m_before->isVisible()) m_before->setFocus();
}

/// The group, or what is searched for in all of them.
void SettingsPage::fill() {
    const QString words = m_input->text().simplified();
    for (size_t i = 0; i < m_rows.size(); ++i) {
        const Setting& setting = m_settings[i];
        const QString all = setting.title + u' ' + setting.about + u' ' + setting.group;
        m_rows[i]->setVisible(words.isEmpty() ? setting.group == m_group : all.contains(words, Qt::CaseInsensitive));
    }
    const bool isFound = !shown().isEmpty();
    m_heading->setText(words.isEmpty() ? m_group : tr("Search results"));
    m_nothing->setText(tr("No setting matches “%1”.").arg(words));
    m_nothing->setVisible(!isFound);
    bool canReset = false;
    for (size_t i = 0; i < m_rows.size(); ++i)
        canReset |= !m_rows[i]->isHidden() && m_settings[i].reset;
    m_reset->setVisible(words.isEmpty() && canReset);
    // What is found is of any group.
    m_groups->setExclusive(words.isEmpty());
    for (QAbstractButton* button : m_groups->buttons())
        button->setChecked(words.isEmpty() && button->text() == m_group);
}

void SettingsPage::resetShown() {
    for (const Setting& setting : m_settings)
        if (setting.group == m_group && setting.reset) setting.reset();
}

void SettingsPage::paintEvent(QPaintEvent* event) {
    QPainter(this).fillRect(event->rect(), Theme::of(this).bg);
}

void SettingsPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return shut();
    QWidget::keyPressEvent(event);
}

}  // namespace headlight

#include "moc_settings_page.cpp"
