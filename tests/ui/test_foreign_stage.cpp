// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does of models from elsewhere beyond drawing them: their own search, translations without a letter,
// values that a long text went without, inputs that are kept.
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QShortcut>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/data/translate.h"
#include "core/experiment/gap.h"
#include "core/experiment/one_word_off.h"
#include "tests/foreign_folder.h"
#include "tests/ui/calm_theme.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "tests/ui/stage_pictures.h"
#include "ui/session/open/motion.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/left_out.h"
#include "ui/session/trace/said_words.h"
#include "ui/shell/compare_room.h"
#include "ui/shell/decode_room.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/sentence_bar.h"
#include "ui/shell/workbench.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/attention/attention_stage.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/compare/compare_view.h"
#include "ui/views/compare/divergence_map.h"
#include "ui/views/decode/decode_view.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/views/surgery/surgery_side.h"
#include "ui/views/values/number_panel.h"
#include "ui/views/values/values_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"

using namespace headlight;
using fixture::apply;

namespace {

const QString foreignStageSentence = QStringLiteral("tôi đang học tiếng anh");

}  // namespace

class TestForeignStage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = fixture::calmTheme(m_folder);
        const fixture::ForeignWithWords& marian = fixture::foreignWithWords()[4];
        m_marian = m_folder.filePath(QStringLiteral("marian"));
        fixture::writeForeign(marian, m_marian.toStdString());
        m_marianText = QString::fromUtf8(marian.text);
    }
    void init() { m_window = fixture::openWindow(*m_theme); }
    void cleanup() { m_window.reset(); }
    void cleanupTestCase() { m_theme.reset(); }

    void aModelThatSaysHowItIsSearchedIsSearchedSo() {
        StageState state = of(m_marian, m_marianText);
        state.view = ViewName::Decode;
        apply(*m_window, state);
        const Decoding& decoding = m_window->workbench().decoding;
        QVERIFY(decoding.own() && decoding.isOwn());
        QCOMPARE(decoding.settings().beam, 4);
        QCOMPARE(decoding.settings().penalty.text(), std::string("average"));
        QCOMPARE(decoding.result()->settings.beam, 4);
        // The sentence's bar and the trace have that translation.
        const Session& session = m_window->workbench().session;
        const Translation own =
            translate(*session.model(), {m_marianText.toStdString()}, ownBeam(*session.model())).front();
        QCOMPARE(session.reading()->translation.toStdString(), own.best().text);
        std::vector<std::string> written = own.best().tokens;
        if (own.best().finished) written.pop_back();
        const std::vector<std::string>& traced = session.reading()->trace->targetTokens;
        QCOMPARE(std::vector<std::string>(traced.begin() + 1, traced.end()),
                 std::vector<std::string>(written.begin(),
                                          written.begin() + static_cast<std::ptrdiff_t>(traced.size()) - 1));
        // It is said, and a link has no need to.
        const DecodeView* const view = room()->view();
        QVERIFY(view->beam()->isVisible() && view->isOwn()->isVisible() && !view->own()->isVisible());
        QVERIFY(view->isOwn()->toolTip().contains("beam width 4"));
        QVERIFY(!m_window->link().contains("beam="));
        QVERIFY(!m_window->link().contains("search="));
    }

    void whatItsFileAsksForAndIsLeftOutIsSaid() {
        QTemporaryDir folder;
        const QString copy = folder.filePath("asks");
        std::filesystem::copy(m_marian.toStdString(), copy.toStdString());
        QFile asked(copy + "/generation_config.json");
        QVERIFY(asked.open(QIODevice::WriteOnly));
        asked.write(R"({"min_length": 5, "no_repeat_ngram_size": 2})");
        asked.close();
        StageState state = of(copy, m_marianText);
        state.view = ViewName::Decode;
        apply(*m_window, state);
        const QLabel* const isOwn = room()->view()->isOwn();
        QVERIFY(isOwn->isVisible());
        QCOMPARE(isOwn->text(), QStringLiteral("the model's own search, in part"));
        QVERIFY2(isOwn->toolTip().contains("no_repeat_ngram_size 2, min_length 5, which is left out here"),
                 qPrintable(isOwn->toolTip()));
        apply(*m_window, of(m_marian, m_marianText));
        QCOMPARE(isOwn->text(), QStringLiteral("the model's own search"));
    }

    void whatTheReaderChangesOfItStaysInALink() {
        StageState state = of(m_marian, m_marianText);
        state.view = ViewName::Decode;
        apply(*m_window, state);
        Decoding& decoding = m_window->workbench().decoding;
        emit room()->view()->beamChanged(2);
        emit room()->view()->penaltyChanged({LengthPenalty::Kind::Gnmt, 0.7});  // as the window itself would
        QVERIFY(!decoding.isOwn());
        QVERIFY(room()->view()->own()->isVisible() && !room()->view()->isOwn()->isVisible());
        const QString link = m_window->link();
        QVERIFY2(link.contains("search=set"), qPrintable(link));
        decoding.searchAsOwn();
        QCOMPARE(decoding.settings().beam, 4);
        apply(*m_window, stageFromLink(link.toStdString()));
        QCOMPARE(decoding.settings().beam, 2);
        QCOMPARE(decoding.settings().penalty, (LengthPenalty{LengthPenalty::Kind::Gnmt, 0.7}));
        // A width of its own is named, and the penalty with it.
        apply(*m_window, stageFromLink((m_window->link() + "&beam=6&scoring=power&penalty=2").toStdString()));
        QCOMPARE(decoding.settings().beam, 6);
        QCOMPARE(decoding.settings().penalty, (LengthPenalty{LengthPenalty::Kind::Power, 2}));
        QCOMPARE(room()->view()->beam()->count(), 8);
        QTest::mouseClick(room()->view()->own(), Qt::LeftButton);
        QVERIFY(decoding.isOwn());
    }

    /// BERT fills in words. Of a text without a gap an empty “All heads on”, “before” and “now” said that it wrote
    /// nothing.
    void ofATextWithoutAGapNothingIsSaidToBeWritten() {
        StageState state = of(bert(), QStringLiteral("The dog is big."));
        state.view = ViewName::Attention;
        apply(*m_window, state);
        QVERIFY(!captions().contains("All heads on"));
        state.view = ViewName::Surgery;
        apply(*m_window, state);
        auto* const figures = m_window->findChild<SurgeryFigures*>();
        QVERIFY(figures && figures->isVisible());
        QVERIFY(!fixture::drawn(*figures).writes({"B"}));
        state.view = ViewName::Compare;
        apply(*m_window, state);
        QVERIFY(!captions().filter("bert: nothing").isEmpty());
        // No other model that fills in words ships: it is held against itself. Its head has a layer of its own before
        // the logits.
        state.compare.with = CompareOptions::With::Heads;
        apply(*m_window, state);
        auto* const map = m_window->findChild<DivergenceMap*>();
        QVERIFY(map);
        QCOMPARE(fixture::drawn(*map).texts().filter("Logits").size(), 1);
    }

    void howAGapIsWrittenIsSaid() {
        apply(*m_window, of(bert(), QStringLiteral("The [MASK] is big.")));
        const SentenceBar& bar = *m_window->rooms().find<ExploreRoom>()->sentenceBar();
        QCOMPARE(bar.input()->placeholderText(), QStringLiteral("Type a sentence with [MASK] in it"));
        const auto reads = [&bar](const QString& text) {
            return std::ranges::any_of(bar.findChildren<QLabel*>(),
                                       [&](const QLabel* label) { return label->text() == text; });
        };
        QVERIFY(!reads(QStringLiteral("a gap is written [MASK]")));
        apply(*m_window, of(bert(), QStringLiteral("The <mask> is big.")));
        QVERIFY(reads(QStringLiteral("a gap is written [MASK]")));
    }

    void aGapIsWhatIsLookedAt() {
        const QString text = QStringLiteral("The [MASK] is big.");
        StageState state = of(bert(), text);
        state.view = ViewName::Attention;
        apply(*m_window, state);
        QVERIFY(captions().contains("All heads on"));
        state.view = ViewName::Lens;
        apply(*m_window, state);
        QVERIFY2(captions().contains("At “[MASK]”"), qPrintable(captions().join(u'\n')));
        const Session& session = m_window->workbench().session;
        const auto gap = firstGap(session.model()->network->config(), *session.reading()->trace);
        QVERIFY(gap);
        QCOMPARE(SaidWords(session.model(), session.reading()->trace, -1).row(), *gap);
        // What stands before a gap says as little as what stands behind it; and another text keeps it.
        state.view = ViewName::Surgery;
        apply(*m_window, state);
        auto* const figures = m_window->findChild<SurgeryFigures*>();
        QVERIFY(figures && !fixture::drawn(*figures).mentions("After"));
        const auto other = oneWordOff(*session.model(), text.toStdString());
        QVERIFY(other);
        QVERIFY2(other->find("[MASK]") != std::string::npos, other->c_str());
    }

    void theSearchOfTheModelBeforeDoesNotStay() {
        apply(*m_window, of(m_marian, m_marianText));
        QCOMPARE(m_window->workbench().decoding.settings().beam, 4);
        apply(*m_window, of(QStringLiteral("vi-en-transformer"), foreignStageSentence));
        const Decoding& decoding = m_window->workbench().decoding;
        QVERIFY(!decoding.own() && !decoding.isOwn());
        QVERIFY(decoding.settings() == Decoding::Settings());
        QVERIFY(!room()->view()->own()->isVisibleTo(room()->view()));
    }

    void aTranslationWithoutALetterIsSaidInWords() {
        // A model that writes its end at once: the head's bias alone decides.
        ModelConfig config;
        config.dModel = 16;
        config.numHeads = 2;
        config.dFf = 16;
        const auto vi = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        config.sourceVocabSize = vi->source->vocabulary().size();
        config.targetVocabSize = vi->target->vocabulary().size();
        TrainedModel model{Model::make(config), vi->source, vi->target};
        model.network->initialize(3);
        ParameterSet& parameters = model.network->parameters();
        for (size_t i = 0; i < parameters.entries().size(); ++i)
            if (parameters.entries()[i].name == "generator.bias")
                parameters.value(static_cast<ParameterId>(i)).data[config.eosId] = 1000;
        Session& session = m_window->workbench().session;
        session.adoptModel(std::make_shared<const TrainedModel>(std::move(model)), QStringLiteral("silent"));
        session.setSource(foreignStageSentence);
        QTRY_VERIFY(session.reading() && session.reading()->source == foreignStageSentence);
        QVERIFY(session.reading()->translation.isEmpty());
        QCOMPARE(m_window->rooms().find<ExploreRoom>()->sentenceBar()->translation(),
                 QStringLiteral("nothing: it ends at once"));
    }

    void viewsSayWhichValuesWereLeftOut() {
        const auto model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        const auto bounded = shortOf(*model);
        QVERIFY(whyLeftOut(*bounded, Part::Scores).contains("2,048 MiB"));
        QVERIFY(whyLeftOut(*bounded).contains("scores"));
        const Trace whole = traceSentence(*model, foreignStageSentence.toStdString());
        QVERIFY(whyLeftOut(whole).isEmpty());
        const QString why = whyLeftOut(*bounded, Part::Scores);

        Selection selection;
        selection.setTrace(bounded);
        ArchitectureView architecture(&selection);
        architecture.resize(1280, 800);
        architecture.setReading(model, bounded);
        architecture.show();
        QVERIFY2(fixture::shownText(architecture).contains(whyLeftOut(*bounded)),
                 qPrintable(fixture::shownText(architecture)));
        QVERIFY(bounded->find(selection.value().toStdString())->is(ModuleKind::Attention, Part::Weights));

        ValuesView values(&selection);
        values.resize(1280, 800);
        values.setReading(model, bounded);
        values.show();
        QVERIFY2(fixture::shownText(values).contains(whyLeftOut(*bounded)), qPrintable(fixture::shownText(values)));
        selection.setNumber({0, 1, 1});
        QVERIFY2(fixture::shownText(*values.number()).contains(why), qPrintable(fixture::shownText(*values.number())));

        AttentionView attention(&selection);
        attention.setTrace(bounded, AttentionView::Missing::Sentence, model.get());
        attention.show();
        StageState state;
        state.attention.quantity = AttentionOptions::Quantity::Scores;
        attention.showOptions(state);
        QVERIFY(fixture::shownText(attention).contains(why));
        state.attention.quantity = AttentionOptions::Quantity::Rollout;  // follows from the weights, which are there
        attention.showOptions(state);
        QVERIFY(!fixture::shownText(attention).contains(why));
    }

    void theMaskLaboratoryHasNoScoresToMask() {
        const auto writer = fixture::shippedModel(QStringLiteral("stories-transformer"));
        const auto bounded = shortOf(*writer, QStringLiteral("once there was a little girl"));
        MaskView masks;
        masks.setReading(writer, bounded);
        masks.show();
        QVERIFY2(fixture::shownText(masks).contains(whyLeftOut(*bounded, Part::Scores)),
                 qPrintable(fixture::shownText(masks)));
        const auto recurrent = fixture::shippedModel(QStringLiteral("stories-lstm"));
        masks.setReading(recurrent, std::make_shared<const Trace>(traceSentence(*recurrent, "once there was")));
        QVERIFY(fixture::shownText(masks).contains("no self-attention"));
    }

    /// Thirty of them ran out of the window, and the sentence had the room of three words.
    void ofManyUnknownWordsTheFirstAreNamed() {
        apply(*m_window, of(QStringLiteral("sentiment-transformer"),
                            QStringLiteral("My grandmother often told me that people who never forget a kindness are "
                                           "never lost, wherever they go.")));
        const SentenceBar& bar = *m_window->rooms().find<ExploreRoom>()->sentenceBar();
        const auto labels = bar.findChildren<QLabel*>();
        const auto unknown = std::ranges::find_if(
            labels, [](const QLabel* label) { return label->text().startsWith(QLatin1String("unknown: ")); });
        QVERIFY(unknown != labels.end());
        QVERIFY2((*unknown)->text().endsWith(QLatin1String(" more")), qPrintable((*unknown)->text()));
        QVERIFY((*unknown)->toolTip().contains(QLatin1String("kindness")));
        QVERIFY((*unknown)->geometry().right() < bar.width());
        QVERIFY(bar.findChild<QLineEdit*>()->width() > (*unknown)->width());
    }

    void keptInputsAreGoneToByTheirKeys() {
        apply(*m_window, of(QStringLiteral("vi-en-transformer"), foreignStageSentence));
        Session& session = m_window->workbench().session;
        Selection& selection = m_window->workbench().selection;
        const SentenceBar& bar = *m_window->rooms().find<ExploreRoom>()->sentenceBar();
        QTest::mouseClick(bar.keep(), Qt::LeftButton);
        QCOMPARE(bar.keep()->text(), QStringLiteral("Let go"));
        const QString other = QStringLiteral("tôi yêu bạn");
        session.setSource(other);
        QTRY_COMPARE(session.reading()->source, other);
        QCOMPARE(bar.keep()->text(), QStringLiteral("Keep"));
        press(Qt::CTRL | Qt::Key_B);
        QCOMPARE(m_window->workbench().kept.all().size(), size_t{2});
        QVERIFY(bar.places()[0]->isVisible() && bar.places()[1]->isVisible() && !bar.places()[2]->isVisible());
        // The same head of the same block is looked at in both.
        selection.setBlock(QStringLiteral("encoder.layers.1.self_attn"));
        selection.setHead(3);
        press(Qt::ALT | Qt::Key_1);
        QCOMPARE(session.source(), foreignStageSentence);
        QTRY_COMPARE(session.reading()->source, foreignStageSentence);
        QCOMPARE(selection.block(), QStringLiteral("encoder.layers.1.self_attn"));
        QCOMPARE(selection.head(), 3);
        QTest::mouseClick(bar.places()[1], Qt::LeftButton);
        QCOMPARE(session.source(), other);
        QTRY_COMPARE(session.reading()->source, other);
        QTest::mouseClick(bar.keep(), Qt::LeftButton);  // lets it go
        QCOMPARE(m_window->workbench().kept.all().size(), size_t{1});
        QCOMPARE(session.source(), other);
    }

    void whatIsKeptStandsInALinkAndIsBounded() {
        apply(*m_window, of(QStringLiteral("vi-en-transformer"), foreignStageSentence));
        KeptInputs& kept = m_window->workbench().kept;
        Session& session = m_window->workbench().session;
        const QStringList words = foreignStageSentence.split(u' ');
        session.setInput(foreignStageSentence, QStringLiteral("i am, learning"), {});
        kept.toggle();
        for (qsizetype count = 1; count < 5; ++count) {
            session.setSource(words.mid(0, count).join(u' '));
            kept.toggle();
        }
        session.setSource(QStringLiteral("bạn"));
        kept.toggle();
        QCOMPARE(kept.all().size(), KeptInputs::most);
        session.setSource(QStringLiteral("học"));
        QVERIFY(!kept.whyNot().isEmpty());
        kept.toggle();
        QCOMPARE(kept.all().size(), KeptInputs::most);
        QTRY_VERIFY(m_window->stage().isSettled());
        const QString link = m_window->link();
        const std::vector<KeptInputs::Input> before = kept.all();
        const auto fresh = fixture::openWindow(*m_theme);
        fresh->open(link);
        QTRY_VERIFY(fresh->stage().isSettled());
        QVERIFY(fresh->workbench().kept.all() == before);
        // Where nothing is said of them they stay.
        apply(*fresh, {});
        QVERIFY(fresh->workbench().kept.all() == before);
        fresh->workbench().kept.choose(0);
        QCOMPARE(fresh->workbench().session.source(), foreignStageSentence);
        QCOMPARE(fresh->workbench().session.target(), QStringLiteral("i am, learning"));
    }

    void aTextThatNoLinkHoldsIsNotKept() {
        apply(*m_window, of(QStringLiteral("vi-en-transformer"), foreignStageSentence));
        KeptInputs& kept = m_window->workbench().kept;
        m_window->workbench().session.setSource(QStringLiteral("tôi ").repeated(9000));
        QVERIFY2(kept.whyNot().contains("too long"), qPrintable(kept.whyNot()));
        kept.toggle();
        QVERIFY(kept.all().empty());
    }

    void aKeptInputIsHeldBesideTheOpenOne() {
        StageState state = of(QStringLiteral("vi-en-transformer"), foreignStageSentence);
        state.view = ViewName::Compare;
        state.compare.with = CompareOptions::With::Sentence;
        state.kept = {"tôi yêu bạn"};
        state.block = "encoder.layers.0.self_attn";
        state.focus = "encoder.layers.0.self_attn.weights";
        apply(*m_window, state);
        auto* const view = m_window->findChild<CompareView*>();
        QVERIFY(view->kept()->isVisible());
        QCOMPARE(view->kept()->currentIndex(), -1);
        QTest::keyClick(view->kept(), Qt::Key_Down);
        QCOMPARE(view->other()->text(), QStringLiteral("tôi yêu bạn"));
        QTRY_VERIFY(m_window->stage().isSettled());
        QTRY_COMPARE(view->matrix(CompareView::Second)->data().rows, 3);
        QCOMPARE(view->matrix(CompareView::First)->data().rows, 5);
        QCOMPARE(view->matrix(CompareView::First)->data().scale.max,
                 view->matrix(CompareView::Second)->data().scale.max);
    }

private:
    QString bert() {
        const QString folder = m_folder.filePath(QStringLiteral("bert"));
        fixture::writeForeign(fixture::foreignWithWords("bert"), folder.toStdString());
        return folder;
    }
    QStringList captions() const {
        QStringList all;
        for (const auto* label : m_window->findChildren<QLabel*>())
            if (label->isVisible()) all << label->text();
        return all;
    }

    /// What the keys do, whether or not this window is the one that the system's keyboard goes to.
    void press(const QKeySequence& keys) const {
        int found = 0;
        for (QAction* action : m_window->actions())
            if (action->shortcut() == keys && ++found) action->trigger();
        for (QShortcut* shortcut : m_window->findChildren<QShortcut*>())
            if (shortcut->key() == keys && ++found) emit shortcut->activated();
        QCOMPARE(found, 1);
    }
    static StageState of(const QString& model, const QString& source) {
        StageState state;
        state.model = model.toStdString();
        state.source = source.toStdString();
        return state;
    }
    /// A reading that had no room for its scores.
    static std::shared_ptr<const Trace> shortOf(const TrainedModel& model, const QString& text = foreignStageSentence) {
        size_t bytes = 0;
        const Trace whole = traceSentence(model, text.toStdString());
        for (const TraceRecord& record : whole.records())
            bytes += record.values.size() * sizeof(float);
        TraceBound bound{.mostBytes = bytes - 1};
        return std::make_shared<const Trace>(traceSentence(model, text.toStdString(), {}, {}, &bound));
    }
    DecodeRoom* room() const { return m_window->rooms().find<DecodeRoom>(); }

    QTemporaryDir m_folder;
    QString m_marian, m_marianText;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestForeignStage)
#include "test_foreign_stage.moc"
