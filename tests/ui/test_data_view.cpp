// SPDX-License-Identifier: GPL-3.0-or-later
// Text of the reader's own in the training room: what is shown of it before a run, and that the run learns from it.
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPointer>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/data/new_model.h"
#include "core/data/task.h"
#include "core/io/model_file.h"
#include "core/platform/pace.h"
#include "tests/ui/calm_theme.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "tests/ui/painted.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/model_parameters.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/shell/train_room.h"
#include "ui/views/train/data/curve_chart.h"
#include "ui/views/train/data/data_view.h"
#include "ui/views/train/data/layout_row.h"
#include "ui/views/train/data/length_chart.h"
#include "ui/views/train/data/model_blueprint.h"
#include "ui/views/train/data/pairing_note.h"
#include "ui/views/train/data/part_row.h"
#include "ui/views/train/data/sentence_rows.h"
#include "ui/views/train/training_settings.h"
#include "ui/views/train/training_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/controls/range_slider.h"

using namespace headlight;

class TestDataView : public QObject {
    Q_OBJECT

    const platform::ScopedPace m_atOnce{platform::Pace::AtOnce};  ///< a step is tried as soon as there is one

    QTemporaryDir m_folder, m_settings;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;

    TrainRoom* room() { return m_window->findChild<TrainRoom*>(); }
    DataView* view() { return room()->data(); }
    DataChoice& choice() { return room()->choice(); }
    TrainingRun& run() { return m_window->workbench().training; }

    QString write(const QString& name, const QByteArray& bytes) {
        QFile file(m_folder.filePath(name));
        [[maybe_unused]] const bool isOpen = file.open(QIODevice::WriteOnly);
        file.write(bytes);
        return file.fileName();
    }

    /// Two files of so many lines of a built-in task.
    QStringList twoFiles(int lines) {
        const CorpusSplits& splits = findTask("vi-en").corpus();
        QByteArray sources, targets;
        for (int i = 0; i < lines; ++i) {
            sources += QByteArray::fromStdString(splits.train[static_cast<size_t>(i)].source) + '\n';
            targets += QByteArray::fromStdString(splits.train[static_cast<size_t>(i)].target) + '\n';
        }
        return {write(QStringLiteral("pairs.vi"), sources), write(QStringLiteral("pairs.en"), targets)};
    }

    void drop(const QStringList& paths) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths)
            urls << QUrl::fromLocalFile(path);
        data.setUrls(urls);
        QDragEnterEvent enter(QPoint(50, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(view(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(50, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(view(), &event);
    }
    /// Whether a text ends in “…” by itself: a button before a dialog, a place for an answer that is on its way.
    bool isWhole(const QString& text) {
        for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const auto* label = qobject_cast<const QLabel*>(widget);
            if ((button && button->text() == text) || (label && label->text() == text)) return true;
        }
        return text.contains(QStringLiteral(" …"));
    }
    bool isLooked() { return choice().picture() && !choice().isBusy(); }
    /// The smallest model and run that the settings offer: what is learned is not the point.
    void chooseSmallRun(std::vector<std::string> more = {}) {
        StageState state;
        state.training.settings = {"d_model=32", "num_encoder_layers=1", "num_decoder_layers=1", "num_heads=1",
                                   "steps=100"};
        state.training.settings.insert(state.training.settings.end(), more.begin(), more.end());
        room()->settings()->showOptions(state);
    }
    ComboBox* layoutList(const char* name) {
        for (ComboBox* each : view()->findChild<LayoutRow*>()->findChildren<ComboBox*>())
            if (each->accessibleName() == QLatin1String(name)) return each;
        return nullptr;
    }
    void chooseLayout(const char* name, const QString& item) {
        ComboBox* list = layoutList(name);
        QVERIFY2(list && list->isVisible(), name);
        const int index = list->findText(item);
        QVERIFY2(index >= 0, qPrintable(item));
        list->setCurrentIndex(index);
        emit list->activated(index);
        QTRY_VERIFY(!choice().isBusy());
    }
    bool says(const QString& text) {
        return std::ranges::any_of(m_window->findChildren<QLabel*>(),
                                   [&](const QLabel* each) { return each->isVisible() && each->text() == text; });
    }
    void keepPicture(const char* name) { fixture::keepPicture(*m_window, name); }

private slots:
    void init() {
        m_theme = fixture::calmTheme(m_settings);
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1440, 900);
        m_window->show();
        m_window->rooms().showView(ViewName::TrainingData);
    }
    void cleanup() {
        m_window.reset();
        m_theme.reset();
    }

    /// A spreadsheet's export: what it was taken for is shown, and can be said otherwise.
    void aTableIsReadAsItLooksUnlessTheReaderSaysOtherwise() {
        QByteArray rows("en,fr,note\n");
        for (int i = 0; i < 40; ++i)
            rows += QByteArrayLiteral("\"She sleeps, I think, in number %1.\",Elle dort au num\xe9ro %1.,n%1\n")
                        .replace("%1", QByteArray::number(i));
        view()->open({write(QStringLiteral("export.csv"), rows)});
        QTRY_VERIFY(isLooked());
        const auto* row = view()->findChild<LayoutRow*>();
        const auto list = [&](const char* name) { return layoutList(name); };
        QVERIFY(row->isVisible());
        QCOMPARE(list("Kind")->currentText(), QStringLiteral("Comma-separated"));
        const QString reasons = fixture::shownText(*row);
        for (const QString& reason : {QStringLiteral("41 of 41 rows alike"), QStringLiteral("é where UTF-8 has none"),
                                      QStringLiteral("“en, fr, note”"), QStringLiteral("column 2")})
            QVERIFY2(reasons.contains(reason), qPrintable(reasons));
        QVERIFY(!row->reset()->isVisible());
        QCOMPARE(list("Encoding")->currentText(), QStringLiteral("windows-1252"));
        QCOMPARE(list("First line")->currentText(), QStringLiteral("names of columns"));
        QCOMPARE(list("Source")->currentText() + list("Target")->currentText(), QStringLiteral("enfr"));
        const auto first = [&] {
            const SentencePair& pair = choice().picture()->survey->samples().at(0).pair;
            return QString::fromStdString(pair.source + " | " + pair.target);
        };
        QCOMPARE(first(), QStringLiteral("She sleeps, I think, in number 0. | Elle dort au numéro 0."));
        const auto choose = [&](const char* name, int item) {
            list(name)->setCurrentIndex(item);
            emit list(name)->activated(item);
            QTRY_VERIFY(!choice().isBusy());
        };
        choose("Source", 1);  // the two change places
        QCOMPARE(first(), QStringLiteral("Elle dort au numéro 0. | She sleeps, I think, in number 0."));
        QCOMPARE(list("Target")->currentText(), QStringLiteral("en"));
        choose("Target", 2);
        QCOMPARE(first(), QStringLiteral("Elle dort au numéro 0. | n0"));
        choose("First line", 0);
        QCOMPARE(choice().picture()->survey->entries().size(), size_t(41));
        QCOMPARE(list("Source")->currentText(), QStringLiteral("Column 2"));
        // What cannot be read in an encoding can be read in another: the list stays.
        choose("Encoding", list("Encoding")->findText(QStringLiteral("UTF-8")));
        QVERIFY(choice().failure().contains(QStringLiteral("is not valid UTF-8")) && row->isVisible());
        choose("Encoding", list("Encoding")->findText(QStringLiteral("windows-1252")));
        QVERIFY(choice().failure().isEmpty() && choice().picture());
        TrainingSetup setup;
        choice().applyTo(setup);
        QCOMPARE(setup.data.files.layout.columns, std::string("2,3"));
        QVERIFY(setup.data.files.layout.header == false && setup.data.files.layout.encoding == "windows-1252");
        QTest::mouseClick(row->reset(), Qt::LeftButton);
        QTRY_VERIFY(isLooked());
        QCOMPARE(list("Source")->currentText() + list("Target")->currentText(), QStringLiteral("enfr"));
        QVERIFY(choice().data().files.layout == LayoutChoice() && !row->reset()->isVisible());
    }

    /// What was not recognised can be said; what the file denies is told, and can be taken back.
    void theKindOfAFileCanBeSaid() {
        QByteArray lines;
        for (int i = 0; i < 40; ++i)
            lines += QByteArrayLiteral("Yes %1, we go; oui %1\n").replace("%1", QByteArray::number(i));
        const QString path = write(QStringLiteral("plain.txt"), lines);
        view()->open({path});
        QTRY_VERIFY(isLooked());
        auto* row = view()->findChild<LayoutRow*>();
        QCOMPARE(row->kind()->currentText(), QStringLiteral("A sentence a line"));
        QVERIFY(choice().picture()->isText() && !row->reset()->isVisible());
        const auto first = [&] {
            const SentencePair& pair = choice().picture()->survey->samples().at(0).pair;
            return QString::fromStdString(pair.source + " | " + pair.target);
        };
        chooseLayout("Kind", QStringLiteral("Comma-separated"));
        QCOMPARE(first(), QStringLiteral("Yes 0 | we go; oui 0"));
        QCOMPARE(choice().data().files.pairs, path.toStdString());
        QVERIFY(fixture::shownText(*row).contains(QStringLiteral("chosen by hand")));
        chooseLayout("Kind", QStringLiteral("Semicolons between"));
        QCOMPARE(first(), QStringLiteral("Yes 0, we go | oui 0"));
        TrainingSetup setup;
        choice().applyTo(setup);
        QVERIFY(setup.data.files.layout.kind == LayoutKind::Semicolons);
        const auto denied = [&](const char* kind, const char* why) {
            chooseLayout("Kind", QString::fromLatin1(kind));
            QVERIFY(view()->failure()->isVisible() && row->isVisible() && row->reset()->isVisible());
            QVERIFY2(view()->failure()->text().contains(QLatin1String(why)), qPrintable(view()->failure()->text()));
            QVERIFY(!view()->failure()->text().contains(u'\n'));
            QCOMPARE(row->kind()->currentText(), QString::fromLatin1(kind));
            QVERIFY(!view()->start()->isEnabled());
        };
        denied("Tabs between", "no tab between cells");
        denied("JSON lines", "line 1 is no JSON object");
        denied("JSON list", "one list of objects");
        chooseLayout("Kind", QStringLiteral("Running text"));
        QVERIFY(choice().picture()->isText() && choice().data().files.reading == TextReading::Breaks);
        QCOMPARE(row->kind()->currentText(), QStringLiteral("Running text"));
        QTest::mouseClick(row->reset(), Qt::LeftButton);
        QTRY_VERIFY(isLooked());
        QCOMPARE(row->kind()->currentText(), QStringLiteral("A sentence a line"));
        QVERIFY(choice().data().files.layout == LayoutChoice() && !view()->failure()->isVisible());
        // What holds sentences in another form says what it is, and is read as it is by whoever wants to.
        choice().clear();
        view()->open({write(QStringLiteral("film.srt"), "1\n00:00:01,000 --> 00:00:02,000\nHello.\n\n2\n")});
        QTRY_VERIFY(view()->failure()->isVisible() && !choice().isBusy());
        QVERIFY2(view()->failure()->text().contains(QStringLiteral("subtitles")),
                 qPrintable(view()->failure()->text()));
        chooseLayout("Kind", QStringLiteral("Running text"));
        QVERIFY(!view()->failure()->isVisible() && choice().picture());
    }

    /// One column of a table is a text, and one of several lists is read.
    void aColumnIsATextAndAListIsChosen() {
        QByteArray train, test;
        for (int i = 0; i < 40; ++i) {
            train += QByteArrayLiteral("{\"en\":\"She sleeps at %1.\",\"fr\":\"Elle dort au %1.\"},")
                         .replace("%1", QByteArray::number(i));
            if (i % 2 == 0)
                test += QByteArrayLiteral("{\"q\":\"Who is %1?\",\"a\":\"I am %1.\"},")
                            .replace("%1", QByteArray::number(i));
        }
        train.chop(1);
        test.chop(1);
        view()->open({write(QStringLiteral("sets.json"), "{\"train\":[" + train + "],\"test\":[" + test + "]}")});
        QTRY_VERIFY(isLooked());
        QCOMPARE(layoutList("List")->currentText(), QStringLiteral("train"));
        QCOMPARE(choice().picture()->survey->entries().size(), size_t(40));
        chooseLayout("List", QStringLiteral("test"));
        QCOMPARE(choice().picture()->survey->entries().size(), size_t(20));
        QCOMPARE(layoutList("Source")->currentText(), QStringLiteral("q"));
        chooseLayout("Target", QStringLiteral("none: a text"));
        QVERIFY(choice().picture()->isText());
        QVERIFY(choice().kind() == CorpusKind::Text);
        QCOMPARE(QString::fromStdString(choice().picture()->survey->samples().at(0).pair.target),
                 QStringLiteral("Who is 0?"));
        chooseLayout("Target", QStringLiteral("a"));
        QVERIFY(choice().kind() == CorpusKind::Translation);
        QCOMPARE(QString::fromStdString(choice().picture()->survey->samples().at(0).pair.target),
                 QStringLiteral("I am 0."));
    }

    /// A wrapped text was cut at every line end, and each piece was a sentence.
    void aTextIsReadAsItsLinesLookUnlessTheReaderSaysOtherwise() {
        QByteArray wrapped;
        for (int i = 0; i < 60; ++i)
            wrapped +=
                "the small cat sat down beside the old\nred mat and saw how a tall oak tree\nlost its leaves to "
                "the autumn winds\nagain\n\n";
        drop({write(QStringLiteral("wrapped.txt"), wrapped)});
        QTRY_VERIFY(isLooked());
        QCOMPARE(choice().data().files.reading, choice().guess()->reading);
        QVERIFY(choice().guess()->reading != TextReading::Lines);
        QVERIFY(view()->reading()->isVisible() && !view()->readingNote()->text().isEmpty());
        QCOMPARE(view()->reading()->currentIndex(), static_cast<int>(choice().data().files.reading));
        keepPicture("running-text");
        for (const TextReading reading : textReadings) {
            view()->reading()->setCurrentIndex(static_cast<int>(reading));
            QTRY_VERIFY(isLooked());
            QCOMPARE(choice().data().files.reading, reading);
            // The words that are counted on this page are those that the model will have.
            const TrainedModel model = newModel({{"architecture", "language-model"}}, choice().data().words(),
                                                choice().data().splits(1).train, 1);
            const int words = static_cast<int>(choice().picture()->coverage[1]->words());
            QCOMPARE(model.target->vocabulary().size(),
                     Vocabulary().size() + words + (reading == TextReading::Lines ? 0 : 1));
            QCOMPARE(choice().data().words().lineBreaks, reading != TextReading::Lines);
        }
        // Sentences, a line each, are read as such.
        QByteArray lines;
        for (int i = 0; i < 80; ++i)
            lines += "one sentence" + QByteArray(" and more").repeated(i % 7) + " .\n";
        choice().clear();
        drop({write(QStringLiteral("lines.txt"), lines)});
        QTRY_VERIFY(isLooked());
        QCOMPARE(choice().data().files.reading, TextReading::Lines);
        QCOMPARE(view()->reading()->currentIndex(), 0);
    }

    /// The page was empty until a file was dropped, though a task was chosen.
    void aBuiltInTaskShowsItsSentences() {
        QTRY_VERIFY(!view()->rows()->rows().empty());
        const CorpusSplits& splits = findTask("vi-en").corpus();
        const auto text = [](const std::vector<SentenceRows::Token>& tokens) {
            QStringList words;
            for (const SentenceRows::Token& token : tokens)
                words << token.text;
            return words.join(u' ').toStdString();
        };
        QVERIFY(view()->rows()->rows().size() > 5);
        for (const SentenceRows::Row& row : view()->rows()->rows()) {
            const Corpus& part = row.part == QLatin1String("training")     ? splits.train
                                 : row.part == QLatin1String("validation") ? splits.validation
                                                                           : splits.test;
            const SentencePair& pair = part.at(static_cast<size_t>(QString(row.line).remove(u',').toInt()) - 1);
            QCOMPARE(text(row.source), pair.source);
            QCOMPARE(text(row.target), pair.target);
        }
        QCOMPARE(view()->rows()->rows().back().part, QStringLiteral("test"));
        const std::string first = text(view()->rows()->rows().front().target);
        QTest::mouseClick(view()->others(), Qt::LeftButton);
        QVERIFY(text(view()->rows()->rows().front().target) != first);
        // Of a text each line stands alone.
        choice().setTask("stories");
        QTRY_VERIFY(!view()->rows()->rows().empty() && view()->rows()->rows().front().source.empty());
        drop(twoFiles(300));
        QTRY_VERIFY(isLooked());
        QCOMPARE(view()->rows()->rows().front().source.empty(), false);
    }

    /// Small, Medium and Large told nothing before files were there.
    void aBuiltInTaskTellsWhatASizeIs() {
        const auto words = vocabularySizes(choice().data(), choice().seed());
        QTRY_COMPARE(view()->vocabularySizes(), std::optional(words));
        view()->aside()->setCurrentIndex(1);  // sets of sentences stand there first
        QStringList told;
        for (const auto size :
             {TrainingSettings::Size::Small, TrainingSettings::Size::Middle, TrainingSettings::Size::Large}) {
            view()->size()->setCurrentIndex(static_cast<int>(size));
            TrainingSetup setup;
            room()->findChild<TrainingSettings*>()->apply(setup, choice().kind());
            setup.config.sourceVocabSize = words[0];
            setup.config.targetVocabSize = words[1];
            const QString count = formatCount(static_cast<qint64>(setup.config.weightCount()));
            const QString shown = fixture::shownText(*view());
            QVERIFY2(shown.contains(count + QStringLiteral(" parameters")), qPrintable(shown));
            QVERIFY2(shown.contains(QStringLiteral("Words take")), qPrintable(shown));
            long drawn = 0;
            for (const ModelBlueprint::Row& row : view()->blueprint()->rows())
                drawn += row.count();
            QCOMPARE(formatCount(drawn), count);
            told << count;
        }
        QCOMPARE(told.removeDuplicates(), 0);
    }

    /// A step of the model that is told has to be tried first: until then none is drawn, and not the one before.
    void ofFilesTheModelIsDrawnThatIsTold() {
        const auto drawn = [this] {
            long all = 0;
            for (const ModelBlueprint::Row& row : view()->blueprint()->rows())
                all += row.count();
            return all;
        };
        view()->aside()->setCurrentIndex(1);
        drop(twoFiles(300));
        QTRY_VERIFY(isLooked());
        QTRY_VERIFY(drawn() > 0);
        view()->size()->setCurrentIndex(static_cast<int>(TrainingSettings::Size::Middle));
        QCOMPARE(drawn(), 0L);
        QTRY_VERIFY(drawn() > 0);
        const QString told = formatCount(drawn()) + QStringLiteral(" parameters");
        QVERIFY2(fixture::shownText(*view()).contains(told), qPrintable(told));
    }

    /// In every page of the room, with a task and with files, where there is little room.
    void nothingIsCutShort() {
        for (const QSize& size : {QSize(1280, 800), QSize(1440, 900)}) {
            m_window->resize(size);
            for (const bool hasFiles : {false, true}) {
                if (hasFiles) {
                    drop(twoFiles(12000));
                    QTRY_VERIFY(isLooked());
                } else {
                    choice().setTask("vi-en");
                    QTRY_VERIFY(view()->vocabularySizes().has_value());
                }
                for (const Room::View& page : room()->views()) {
                    m_window->rooms().showView(page.name);
                    QVERIFY(fixture::painted(*m_window));
                    for (const auto* button : room()->findChildren<Button*>())
                        QVERIFY2(!button->isVisible() || button->width() >= button->sizeHint().width(),
                                 qPrintable(button->text()));
                    // What a model writes in the other pages may be of any length.
                    if (page.name != ViewName::TrainingData && page.name != ViewName::TrainingSettings) continue;
                    const QStringList cut = fixture::drawn(*m_window).texts().filter(QStringLiteral("…"));
                    for (const QString& text : cut)
                        QVERIFY2(isWhole(text), qPrintable(QStringLiteral("%1, %2 wide: %3")
                                                               .arg(page.title)
                                                               .arg(size.width())
                                                               .arg(cut.join(u'|'))));
                }
            }
        }
    }

    void whatIsShownIsWhatTheRunReads() {
        drop(twoFiles(2000));
        QTRY_VERIFY(isLooked());
        const TrainingData& data = choice().data();
        const CorpusSplits splits = data.splits(choice().seed());
        const auto& picture = choice().picture();
        QCOMPARE(picture->deal.size(CorpusPart::Training), static_cast<long>(splits.train.size()));
        QCOMPARE(picture->deal.size(CorpusPart::Validation), static_cast<long>(splits.validation.size()));
        QVERIFY(view()->rows()->rows().size() >= 4);
        // Vocabularies of a few words: more is hatched, and what is said to be known is what a model knows.
        view()->vocabulary(0)->setValue(40);
        view()->vocabulary(1)->setValue(30);
        const TrainedModel model =
            newModel({{"source_vocab_size", 44}, {"target_vocab_size", 34}}, {}, splits.train, 1);
        bool hasUnknown = false;
        for (const SentenceRows::Row& row : view()->rows()->rows()) {
            for (const SentenceRows::Token& token : row.source) {
                QCOMPARE(token.known, model.source->vocabulary().contains(token.text.toStdString()));
                hasUnknown |= !token.known;
            }
            for (const SentenceRows::Token& token : row.target)
                QCOMPARE(token.known, model.target->vocabulary().contains(token.text.toStdString()));
        }
        QVERIFY(hasUnknown);
        view()->filter()->setCurrentIndex(1);
        for (const SentenceRows::Row& row : view()->rows()->rows())
            QVERIFY(std::ranges::any_of(row.source, [](const auto& token) { return !token.known; }) ||
                    std::ranges::any_of(row.target, [](const auto& token) { return !token.known; }));
        QTRY_VERIFY(view()->probe().result());
        QVERIFY(view()->time()->text().startsWith(QLatin1String("about")));
        keepPicture("data-words");
    }

    void theRunLearnsFromTheFiles() {
        drop(twoFiles(400));
        QTRY_VERIFY(isLooked());
        view()->tokens()->setCurrentIndex(1);
        QTRY_VERIFY(isLooked() && choice().picture()->pieces[0]);
        view()->vocabulary(0)->setValue(120);
        QCOMPARE(choice().data().tokenizer.merges, 120);
        keepPicture("data-pieces");
        chooseSmallRun();
        QTest::mouseClick(view()->start(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(run().state(), TrainingState::Finished, fixture::kLongPatienceMs);
        QCOMPARE(run().facts().trainingPairs, choice().picture()->deal.size(CorpusPart::Training));
        QCOMPARE(run().facts().sourceVocabulary, static_cast<int>(choice().picture()->pieces[0]->vocabularySize(120)));
        QCOMPARE(room()->currentView(), ViewName::Training);
        keepPicture("data-run");
        // A link to it brings back the files and how they are read.
        const TrainingData data = choice().data();
        StageState state = m_window->stage().state();
        m_window->rooms().showView(ViewName::TrainingData);
        QCOMPARE(choice().data(), data);
        QVERIFY(std::ranges::find(state.training.settings, "tokenizer=bpe:120") != state.training.settings.end());
    }

    /// From two files to a model that translates, without a command line.
    void twoFilesBecomeASavedModelThatIsGoneOnWithAndTranslates() {
        QTemporaryDir kept;
        m_window->keepIn(kept.path());
        drop(twoFiles(400));
        QTRY_VERIFY(isLooked());
        view()->tokens()->setCurrentIndex(1);
        QTRY_VERIFY(isLooked() && choice().picture()->pieces[1]);
        view()->nameField()->setText(QStringLiteral("my captions"));
        chooseSmallRun();
        QTest::mouseClick(view()->start(), Qt::LeftButton);
        constexpr int step = 40;
        run().trainTo(step);
        QTRY_COMPARE_WITH_TIMEOUT(run().step(), step, fixture::kLongPatienceMs);
        QTRY_COMPARE(run().state(), TrainingState::Paused);
        room()->save();
        const QString file = kept.filePath(QStringLiteral("models/my captions.safetensors"));
        QTRY_VERIFY(QFile::exists(file) && !room()->keeper().isBusy());
        QVERIFY(m_window->close());
        // Another window: the run stands there and goes on.
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1440, 900);
        m_window->keepIn(kept.path());
        m_window->show();
        m_window->rooms().showView(ViewName::Training);
        QTRY_COMPARE(run().state(), TrainingState::Paused);
        QCOMPARE(run().step(), step);
        QCOMPARE(choice().data().files.sourceFile, m_folder.filePath(QStringLiteral("pairs.vi")).toStdString());
        emit room()->view()->startRequested();
        QTRY_COMPARE_WITH_TIMEOUT(run().state(), TrainingState::Finished, fixture::kLongPatienceMs);
        room()->save();  // it goes on with the model that it was saved as
        QTRY_COMPARE(readModelCard(file.toStdString()).training.steps(), std::optional<long>(100));
        QTRY_VERIFY(!room()->keeper().isBusy());
        QCOMPARE(QDir(kept.filePath(QStringLiteral("models"))).entryList({"*.safetensors"}, QDir::Files).size(), 1);
        // What was saved translates words of the file.
        Session& session = m_window->workbench().session;
        session.openModel(file);
        QTRY_VERIFY(session.model() && session.modelName() == QLatin1String("my captions"));
        session.setInput(QStringLiteral("tôi yêu bạn"), {}, {});
        QTRY_VERIFY(session.isSettled() && session.reading());
        QVERIFY(!session.reading()->trace->targetTokens.empty());
        QCOMPARE(session.model()->training.steps(), std::optional<long>(100));
        m_window.reset();  // it holds the folder
    }

    /// A novel, wrapped as such files are, becomes a model that is kept and writes on.
    void aBookBecomesAKeptModel() {
        QTemporaryDir kept;
        m_window->keepIn(kept.path());
        const QStringList words = QStringLiteral(
                                      "the old lighthouse keeper walked slowly down to a quiet harbour and "
                                      "asked nobody why all boats had left before morning came")
                                      .split(u' ');
        QString book;
        for (qsizetype paragraph = 0, at = 0; paragraph < 60; ++paragraph) {
            constexpr qsizetype width = 60;
            QString line = QStringLiteral("Then");
            for (qsizetype i = 0; i < 50 + paragraph % 7; ++i) {
                const QString& word = words[(at += 3 + i % 4) % words.size()];
                if (line.size() + 1 + word.size() > width) {
                    book += line + u'\n';
                    line = word;
                } else {
                    line += u' ' + word;
                }
            }
            book += line + QStringLiteral(".\n\n");
        }
        drop({write(QStringLiteral("novel.txt"), book.toUtf8())});
        QTRY_VERIFY(isLooked());
        QCOMPARE(layoutList("Kind")->currentText(), QStringLiteral("Running text"));
        QVERIFY(choice().data().files.reading == TextReading::Paragraphs);
        QVERIFY2(view()->readingNote()->text().contains(QStringLiteral("wrapped")),
                 qPrintable(view()->readingNote()->text()));
        keepPicture("book-data");
        chooseSmallRun();
        QTest::mouseClick(view()->start(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(run().state(), TrainingState::Finished, fixture::kLongPatienceMs);
        keepPicture("book-run");
        room()->save();
        const QString file = kept.filePath(QStringLiteral("models/novel.safetensors"));
        QTRY_VERIFY(QFile::exists(file) && !room()->keeper().isBusy());
        Session& session = m_window->workbench().session;
        session.openModel(file);
        QTRY_VERIFY(session.model() && session.modelName() == QLatin1String("novel"));
        QTRY_VERIFY(session.isSettled() && session.reading());
        QVERIFY(readingOf(session.model()->training) == TextReading::Paragraphs);
        m_window.reset();  // it holds the folder
    }

    void mergesOfBothSidesTogetherCanShareOneMatrix() {
        drop(twoFiles(400));
        QTRY_VERIFY(isLooked());
        view()->tokens()->setCurrentIndex(1);
        QTRY_VERIFY(isLooked() && choice().picture()->pieces[0]);
        TrainingSettings& settings = *room()->settings();
        chooseSmallRun({"share_embeddings=true", "tie_embeddings=true"});
        TrainingSetup setup;
        settings.apply(setup);
        QVERIFY(!setup.config.shareEmbeddings);  // there are two lists of pieces
        QVERIFY(setup.config.tieEmbeddings);
        view()->sides()->setCurrentIndex(1);
        QTRY_VERIFY(isLooked() && choice().picture()->joint);
        QVERIFY(choice().data().tokenizer.jointBpe);
        view()->vocabulary(0)->setValue(150);
        settings.apply(setup);
        QVERIFY(setup.config.shareEmbeddings);
        // What was tried of two lists of pieces is not told of one.
        QVERIFY(!view()->timeMore()->text().contains(QStringLiteral("Tried")));
        QTRY_VERIFY(view()->timeMore()->text().contains(QStringLiteral("Tried")));
        keepPicture("data-joint");
        QTest::mouseClick(view()->start(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(run().state(), TrainingState::Finished, fixture::kLongPatienceMs);
        // As many numbers as were foretold, in one list of pieces.
        const auto count = [](const auto& parameters) {
            long all = 0;
            for (const auto& [module, numbers] : parameters)
                all += numbers;
            return all;
        };
        QCOMPARE(count(run().facts().parameters), count(view()->probe().result()->parameters));
        QCOMPARE(run().facts().sourceVocabulary, static_cast<int>(choice().picture()->joint->vocabularySize(150)));
    }

    void filesOfTheirOwnAreForValidationAndTest() {
        const CorpusSplits& splits = findTask("vi-en").corpus();
        const auto some = [&](const char* name, const Corpus& corpus, bool source) {
            QByteArray lines;
            for (size_t i = 0; i < 60; ++i)
                lines += QByteArray::fromStdString(source ? corpus[i].source : corpus[i].target) + '\n';
            return write(QLatin1String(name), lines);
        };
        drop(twoFiles(400));
        QTRY_VERIFY(isLooked());
        const long before = choice().picture()->size(CorpusPart::Training);
        // Which is which the endings say.
        view()->openPart(CorpusPart::Validation,
                         {some("val.en", splits.validation, false), some("val.vi", splits.validation, true)});
        QTRY_VERIFY(isLooked() && choice().picture()->own[0]);
        QVERIFY(choice().data().validation.sourceFile.ends_with("val.vi"));
        QCOMPARE(view()->part(CorpusPart::Validation)->count()->text(), QStringLiteral("60"));
        QVERIFY(choice().picture()->size(CorpusPart::Training) > before);
        QCOMPARE(choice().picture()->size(CorpusPart::Test), 0L);
        QVERIFY(view()->start()->isEnabled());
        keepPicture("data-own-parts");
        // A text is no validation of pairs.
        view()->openPart(CorpusPart::Test, {some("test.txt", splits.test, true)});
        QTRY_VERIFY(isLooked() && choice().picture()->own[1]);
        QVERIFY(view()->failure()->isVisible());
        QVERIFY(!view()->start()->isEnabled());
        QTest::mouseClick(view()->part(CorpusPart::Test)->button(), Qt::LeftButton);
        QTRY_VERIFY(isLooked() && !choice().picture()->own[1]);
        QVERIFY(!view()->failure()->isVisible());
        chooseSmallRun();
        const StageState link = m_window->stage().state();
        QVERIFY(std::ranges::any_of(link.training.settings, [](const std::string& each) {
            return each.starts_with("validation_source_file=") && each.ends_with("val.vi");
        }));
        QTest::mouseClick(view()->start(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(run().state(), TrainingState::Finished, fixture::kLongPatienceMs);
        QCOMPARE(run().facts().validationPairs, 60L);
        QCOMPARE(run().facts().trainingPairs, choice().picture()->size(CorpusPart::Training));
    }

    void whatIsReadOfALargeFileIsShownOnTheWay() {
        const QByteArray longSource = "a" + QByteArray("ề").repeated(600);  // longer than what is shown of it
        QByteArray text;
        for (int i = 0; i < 100; ++i)
            text += longSource + "\tsome word\n";
        for (int i = 0; i < 900; ++i)
            text += "a word and number " + QByteArray::number(i) + "\tsome word " + QByteArray::number(i) + "\n";
        std::vector<long> pairs;  // of each time that something was shown
        bool wasShown = false;
        const QObject looks;
        connect(&choice(), &DataChoice::progressed, &looks, [&] {
            if (!choice().glimpse() || (!pairs.empty() && choice().glimpse()->pairs == pairs.back())) return;
            pairs.push_back(choice().glimpse()->pairs);
            wasShown = !choice().picture() && !view()->rows()->rows().empty() &&
                       view()->rows()->rows().front().part == QStringLiteral("so far") &&
                       std::ranges::any_of(choice().glimpse()->rows, [&](const DataGlimpse::Row& row) {
                           return row.pair.source == longSource.first(1 + 3 * 399).toStdString();
                       });
            if (pairs.size() == 2) choice().cancel();
        });
        drop({write(QStringLiteral("large.tsv"), text)});
        QTRY_COMPARE(pairs.size(), size_t{2});
        QVERIFY(wasShown);
        QVERIFY(pairs[0] > 0 && pairs[0] < pairs[1] && pairs[1] < 1000);
        QVERIFY(!choice().glimpse());
        // Nothing of the file: the built-in task's own, once they are written.
        for (const SentenceRows::Row& row : view()->rows()->rows())
            QVERIFY(row.part != QLatin1String("so far"));
    }

    /// That a second text is the first one's translation is a guess: it is said, and goes back as it was.
    void aSecondTextIsSaidToBeATranslationAndCanBeTakenBack() {
        PairingNote& note = *view()->pairing();
        const QStringList files = twoFiles(60);
        drop({files[0]});
        QTRY_VERIFY(isLooked());
        QVERIFY(!note.isVisible());
        choice().setReading(TextReading::Paragraphs);
        QTRY_VERIFY(isLooked());
        const TrainingData before = choice().data();
        const auto dropTheOther = [&] {
            drop({files[1]});
            QTRY_VERIFY(isLooked() && note.isVisible());
            QCOMPARE(choice().data().files.sourceFile, files[0].toStdString());
            QCOMPARE(choice().data().files.targetFile, files[1].toStdString());
        };
        dropTheOther();
        QCOMPARE(note.text(), QStringLiteral("“pairs.en” is read as the translation of “pairs.vi”, line by line."));
        note.undo()->click();
        QTRY_VERIFY(isLooked());
        QVERIFY(!note.isVisible());
        QVERIFY(choice().data() == before);
        dropTheOther();
        note.onlyOther()->click();
        QTRY_VERIFY(isLooked());
        QVERIFY(!note.isVisible());
        QCOMPARE(choice().data().files.textFile, files[1].toStdString());
        QCOMPARE(choice().data().files.sourceFile, std::string());
        drop({files[0]});
        QTRY_VERIFY(isLooked() && note.isVisible());
        note.keep()->click();
        QVERIFY(!note.isVisible());
        QCOMPARE(choice().data().files.targetFile, files[0].toStdString());
        // Of two that come together nothing is guessed.
        choice().clear();
        drop(files);
        QTRY_VERIFY(isLooked());
        QVERIFY(!note.isVisible());
    }

    /// Of a language that puts no spaces between words most "words" stand once: what to do is said. The letters that an
    /// encoding was seen from may stand in the second text alone.
    void aLanguageWithoutSpacesIsToldOf() {
        QString english, cantonese;
        for (int i = 0; i < 200; ++i) {
            english += QStringLiteral("the cat number %1 sleeps\n").arg(i % 7);
            cantonese += QChar(0x4E00 + i) + QStringLiteral("貓瞓") + QChar(0x4F00 + i) + u'\n';
        }
        drop({write(QStringLiteral("a.en"), english.toUtf8()), write(QStringLiteral("a.yue"), cantonese.toUtf8())});
        QTRY_VERIFY(isLooked());
        QTRY_VERIFY(says(QStringLiteral("100 % of Cantonese would be read as <unk>: try BPE pieces or characters.")));
        QVERIFY(says(QStringLiteral("with 一 貓 瞓")));
        QVERIFY(!says(QStringLiteral("plain letters alone")));
        view()->tokens()->setCurrentIndex(2);
        QTRY_VERIFY(isLooked() &&
                    !says(QStringLiteral("100 % of Cantonese would be read as <unk>: try BPE pieces or characters.")));
    }

    void aSecondTextThatIsGoneTakesNothingFromTheFirst() {
        const QString first = write(QStringLiteral("a.en"), "one cat\ntwo cats\n");
        const CorpusFiles files{.sourceFile = first.toStdString(),
                                .targetFile = m_folder.filePath(QStringLiteral("gone.fr")).toStdString()};
        choice().setFiles(files);
        QVERIFY(choice().layout());
        const size_t width = layoutOf(files.sourceFile, files.use(), files.layout).width;
        QVERIFY(width > 0);
        QCOMPARE(choice().layout()->width, width);
        choice().clear();
    }

    void rareWordsAndEntitiesAreTheReadersToKeep() {
        QByteArray text;
        for (int i = 0; i < 40; ++i)
            text += "the dog &amp; n" + QByteArray::number(i) + "\tit&apos;s m" + QByteArray::number(i / 2) + "\n";
        drop({write(QStringLiteral("entities.tsv"), text)});
        QTRY_VERIFY(isLooked());
        QVERIFY2(view()->entities()->text().contains(QLatin1String("80 entities")),
                 qPrintable(view()->entities()->text()));
        view()->entities()->click();
        QTRY_VERIFY(isLooked() && choice().picture()->survey->counts(1).contains("it's"));
        QVERIFY(!choice().picture()->survey->counts(0).contains(";"));
        view()->seen()->setCurrentIndex(2);  // three times
        QCOMPARE(choice().vocabulary()[0], static_cast<int>(choice().picture()->coverage[0]->wordsSeen(3)));
        QCOMPARE(view()->seen()->currentIndex(), 2);
    }

    void whatIsTooLongOrTooUnequalIsLeftOutAndListed() {
        QByteArray text = "a b c\tx y z\n";
        for (int i = 0; i < 30; ++i)
            text += "w" + QByteArray::number(i) + " v\tu t\n";
        text += "one two three four five six seven\tone two three four five\n";  // line 32
        text += "one\tone two three\n \tblank\n";
        drop({write(QStringLiteral("pairs.tsv"), text)});
        QTRY_VERIFY(isLooked());
        QVERIFY(view()->skipped()->text().contains(QLatin1String("1 blank on a side: line 34")));
        emit view()->lengths()->cutMoved(5);
        QTRY_VERIFY(isLooked() && choice().picture()->deal.reason(LeftOut::TooLong).count == 1);
        QVERIFY(view()->skipped()->text().contains(QLatin1String("longer than 5 words: line 32")));
        PairRules rules = choice().data().rules;
        rules.mostRatio = 2;
        choice().setRules(rules);
        QTRY_VERIFY(isLooked() && choice().picture()->deal.reason(LeftOut::TooUnequal).count == 1);
        QVERIFY(view()->skipped()->text().contains(QLatin1String("lengths beyond 2.0 : 1: line 33")));
        view()->filter()->setCurrentIndex(2);
        QCOMPARE(view()->rows()->rows().size(), size_t{2});
        QVERIFY(view()->rows()->rows()[0].leftOut);
        keepPicture("data-left-out");
    }

    void aTextMakesALanguageModelAndLabelsAClassifier_data() {
        QTest::addColumn<QString>("task");
        QTest::addColumn<QString>("architecture");
        QTest::newRow("text") << "stories"
                              << "language-model";
        QTest::newRow("labels") << "sentiment"
                                << "encoder-classifier";
    }
    void aTextMakesALanguageModelAndLabelsAClassifier() {
        QFETCH(QString, task);
        QFETCH(QString, architecture);
        const CorpusSplits& splits = findTask(task.toStdString()).corpus();
        QByteArray text;
        for (size_t i = 0; i < std::min<size_t>(400, splits.train.size()); ++i) {
            const SentencePair& pair = splits.train[i];
            text +=
                QByteArray::fromStdString(pair.source.empty() ? pair.target : pair.source + "\t" + pair.target) + '\n';
        }
        drop({write(task + QStringLiteral(".txt"), text)});
        QTRY_VERIFY(isLooked());
        QCOMPARE(choice().hasLabels(), task == QLatin1String("sentiment"));
        chooseSmallRun();
        keepPicture(qPrintable(QStringLiteral("data-") + task));
        QTest::mouseClick(view()->start(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(run().state(), TrainingState::Finished, fixture::kLongPatienceMs);
        QCOMPARE(QString::fromStdString(run().facts().config.architecture), architecture);
        keepPicture(qPrintable(QStringLiteral("run-") + task));
    }

    void whatCannotBeReadIsSaidInOneLine() {
        struct Case {
            QByteArray first, second;
            const char* expected;
        };
        const Case cases[] = {
            {"", "", "no sentence"},
            {"\n \n\n", "", "no sentence"},
            {"a\nb\nc\n", "a\n", "has 3 lines"},
            {QByteArray("\x7f"
                        "ELF\0\1\2",
                        7),
             "", "NUL"},
            {"caf\xc3\xa9\tx\nb\tc\xe9\n", "", "not valid UTF-8"},
            {"a\tb\n", "", "1 sentence of the file"},
            {"a\tb\nc\td\ne\n", "", "line 3 has no tab"},
        };
        for (const Case& each : cases) {
            QStringList files{write(QStringLiteral("first"), each.first)};
            if (!each.second.isEmpty()) files << write(QStringLiteral("second"), each.second);
            drop(files);
            QTRY_VERIFY2(view()->failure()->isVisible(), each.expected);
            const QString said = view()->failure()->text();
            QVERIFY2(said.contains(QLatin1String(each.expected)), qPrintable(said));
            QVERIFY(!said.contains(u'\n'));
            QVERIFY(!view()->start()->isEnabled());
            // Another file, and all is well.
            drop(twoFiles(60));
            QTRY_VERIFY2(isLooked() && view()->start()->isEnabled(), each.expected);
            QVERIFY(!view()->failure()->isVisible());
        }
    }

    /// What people have, however it comes into the window: what is wrong with it is said in one line, there.
    void whatIsBrokenIsSaidHoweverItComes() {
        struct Case {
            const char* name;
            QByteArray bytes;
            const char* expected;  ///< empty: all is well
        };
        const Case cases[] = {
            {"open.csv", "en,fr\nHello,\"Bonjour\n" + QByteArray("Good,Bon\n").repeated(300),
             "line 2 has a quotation mark that is not closed; close it, or double it where it is part of the text"},
            {"mixed.tsv", QByteArray("Caf\xc3\xa9\tCaf\xc3\xa9\n").repeated(20) + "Caf\xe9\tCaf\xe9\n",
             "line 21 is not valid UTF-8 (byte 4); convert the file to UTF-8, or say which encoding it has"},
            {"nul.tsv", QByteArray("One\tUn\nTwo\tDeux\nTh\0ree\tTrois\n", 31),
             "line 3 holds a NUL byte, so this is no text; give a text file in UTF-8"},
            {"joined.tsv", "One\tUn\nTwo\tDeux\n\xef\xbb\xbfThree\tTrois\nFour\tQuatre\n", ""},
            {"long.tsv", "One\tUn\n" + QByteArray(100'000'000, 'a'),
             "line 2 is longer than 32 MiB; give a sentence a line, or read it as running text"},
            {"ragged.csv", "en,fr,note\nOne here,Un ici,x\nTwo here\nThree here,Trois ici,y,z\n",
             "line 3 has 1 column, and column 2 is read; give every row as many"},
            {"ragged.tsv", "One\tUn\nTwo\tDeux\nThree\nFour\tQuatre\n",
             "line 3 has no tab; write the source, a tab and the target on each line"},
            {"header.csv", "en,fr\n", "there is no sentence in the file; give one with a sentence a line"},
            {"list.json", "[{\"en\": \"One\", \"fr\": \"Un\"},\n{\"en\": \"Two\"",
             "line 2 (entry 2) breaks off before its end"},
            {"book.xlsx", QByteArray("PK\x03\x04\x14\0", 6),
             "is an Excel workbook; save it there as CSV (UTF-8) and give that"},
            {"pairs.tsv.xz", QByteArray("\xfd\x37zXZ\0", 6),
             "is packed with xz; unpack it (unxz) and give what comes out"},
            {"rows.parquet", QByteArray("PAR1\x15\0", 6),
             "is a Parquet table; write it as CSV or JSON lines (with pandas: read_parquet, to_csv) and give that"},
            {"film.srt", "1\n00:00:01,000 --> 00:00:02,500\nHello.\n",
             "holds subtitles with their times; save the lines alone as plain text, or choose its kind by hand to read "
             "it as it is"},
            {"memory.tmx", "<?xml version=\"1.0\"?>\n<tmx version=\"1.4\">\n",
             "is a translation memory (TMX); turn it into a table with tabs (tmx2corpus, OmegaT or Okapi do) and give "
             "that, or choose its kind by hand to read it as it is"},
            {"empty.csv", "", "there is no sentence in the file; give one with a sentence a line"},
            {"blank.csv", "\n \n", "there is no sentence in the file; give one with a sentence a line"},
            {"returns.csv", "en,fr\rOne here,Un ici\rTwo here,Deux ici\rThree,Trois\r", ""},
            {"excel.csv", "sep=;\r\nen;fr\r\nOne here;Un ici\r\nTwo here;Deux ici\r\nThree;Trois\r\n", ""},
            {"served.json",
             "{\"features\": [{\"name\": \"en\"}], \"rows\": [{\"row\": {\"en\": \"One\", \"fr\": \"Un\"}}, {\"row\": "
             "{\"en\": "
             "\"Two\", \"fr\": \"Deux\"}}, {\"row\": {\"en\": \"Three\", \"fr\": \"Trois\"}}]}",
             ""},
        };
        for (const Case& each : cases) {
            const QString path = write(QLatin1String(each.name), each.bytes),
                          expected = QString::fromUtf8(each.expected);
            const auto isSaid = [&] {
                QTRY_VERIFY2(!choice().isBusy(), each.name);
                QCOMPARE(m_window->rooms().view(), ViewName::TrainingData);
                const QString text = view()->failure()->isVisible() ? view()->failure()->text() : QString();
                QVERIFY2(expected.isEmpty() || text.endsWith(expected), qPrintable(text));
                QVERIFY2(text.isEmpty() == expected.isEmpty() && !text.contains(u'\n'),
                         qPrintable(QLatin1String(each.name) + text));
                QCOMPARE(view()->start()->isEnabled(), expected.isEmpty());
                choice().clear();
            };
            drop({path});
            isSaid();
            m_window->rooms().showView(ViewName::Models);
            m_window->open(path);  // as an argument, or dropped on another room
            isSaid();
            emit view()->filesWanted();
            const QPointer dialog = m_window->findChild<QFileDialog*>();  // deletes itself once it is closed
            QVERIFY(dialog);
            dialog->selectFile(path);
            static_cast<QDialog*>(dialog.data())->accept();
            QTRY_VERIFY2(choice().hasFiles(), each.name);
            isSaid();
            delete dialog.data();
        }
    }

    /// A run has all of a file in memory, and the file may be large.
    void whoeverLooksAtAFileHasItReadForNoRun() {
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1280, 800);
        m_window->show();
        m_window->openSentences(twoFiles(400));
        QTRY_VERIFY(isLooked() && view()->isVisible());
        QCOMPARE(run().state(), TrainingState::Idle);
        m_window->rooms().showView(ViewName::Training);
        QCOMPARE(run().state(), TrainingState::Idle);
        m_window->rooms().showView(ViewName::TrainingData);
        chooseSmallRun();
        QTest::mouseClick(view()->start(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(run().state(), TrainingState::Finished, fixture::kLongPatienceMs);
        QCOMPARE(run().facts().trainingPairs, choice().picture()->deal.size(CorpusPart::Training));
    }

    /// Entries are counted where lines say nothing.
    void aJsonListIsATableOfItsEntries() {
        QByteArray list("[");
        for (int i = 0; i < 40; ++i)
            list += "{\"en\":\"She sleeps in number " + QByteArray::number(i % 38) + ".\",\"fr\":\"" +
                    (i == 4 ? QByteArray() : "Elle dort au " + QByteArray::number(i % 38)) + "\"},";
        list.back() = ']';
        m_window->open(write(QStringLiteral("list.json"), list));
        QTRY_VERIFY(isLooked());
        QCOMPARE(layoutList("Kind")->currentText(), QStringLiteral("JSON list"));
        const QString skipped = view()->skipped()->text();
        QVERIFY2(skipped.contains(QStringLiteral("1 blank on a side: entry 5")), qPrintable(skipped));
        QVERIFY2(skipped.contains(QStringLiteral("2 repeated, and used each time: entries 39 40")),
                 qPrintable(skipped));
        QVERIFY(fixture::shownText(*view()).contains(QStringLiteral("those of the entries in the list")));
        QCOMPARE(view()->rows()->rows().front().line, QStringLiteral("1"));
        QVERIFY(view()->rows()->rows().back().line.toInt() > 30);
    }

    void whatStartsTheRunIsInSight_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1440 x 900") << QSize(1440, 900);
        QTest::newRow("1280 x 800") << QSize(1280, 800);
    }
    void whatStartsTheRunIsInSight() {
        QFETCH(QSize, size);
        m_window->resize(size);
        const auto isWhole = [&](const Button* button) {
            return fixture::painted(*m_window) && button->isVisible() &&
                   button->visibleRegion() == QRegion(button->rect());
        };
        QVERIFY(isWhole(view()->start()));
        drop(twoFiles(2000));
        QTRY_VERIFY(isLooked() && view()->probe().result());
        for (const int aside : {1, 0}) {
            view()->aside()->setCurrentIndex(aside);
            QVERIFY(isWhole(view()->start()));
            QVERIFY(view()->time()->isVisible() && view()->time()->width() >= view()->time()->sizeHint().width());
        }
        m_window->rooms().showView(ViewName::TrainingSettings);
        const auto buttons = room()->settings()->findChildren<Button*>();
        const auto start = std::ranges::find(buttons, QStringLiteral("Start a run with these"), &Button::text);
        QVERIFY(start != buttons.end() && isWhole(*start));
    }

    void itFitsASmallWindowAndTheDark() {
        m_window->resize(1280, 800);
        m_theme->setMode(ThemeManager::Mode::Dark);
        keepPicture("data-empty-dark");
        drop(twoFiles(2000));
        QTRY_VERIFY(isLooked());
        QTRY_VERIFY(view()->probe().result());
        QCOMPARE(m_window->size(), QSize(1280, 800));  // nothing in it asks for more
        keepPicture("data-dark");
    }

    void aReadingCanBeGivenUp() {
        QByteArray text;
        for (int i = 0; i < 200000; ++i)
            text += "word" + QByteArray::number(i) + " and another\tsome word " + QByteArray::number(i) + "\n";
        drop({write(QStringLiteral("large.tsv"), text)});
        QVERIFY(choice().isBusy());
        choice().cancel();
        QVERIFY(!choice().isBusy());
        QVERIFY(!choice().hasFiles());
        QCOMPARE(room()->view()->taskName(), QStringLiteral("vi-en"));
    }
};

QTEST_MAIN(TestDataView)
#include "test_data_view.moc"
