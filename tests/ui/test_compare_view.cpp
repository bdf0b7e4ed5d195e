// SPDX-License-Identifier: GPL-3.0-or-later
// Two readings side by side: the difference is B − A, cell by cell, and it begins where the two models part.
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "core/data/translate.h"
#include "tests/session/jobs.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/session/open/comparison.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/shipped.h"
#include "ui/session/trace/value_region.h"
#include "ui/views/compare/change_list.h"
#include "ui/views/compare/compare_view.h"
#include "ui/views/compare/divergence_map.h"
#include "ui/views/compare/fed_table.h"
#include "ui/views/compare/head_chips.h"
#include "ui/widgets/controls/choice_row.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/words/found_list.h"

using namespace headlight;

class TestCompareView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = std::make_unique<fixture::LightTheme>(); }
    void cleanupTestCase() { m_theme.reset(); }

    void init() {
        m_session = std::make_unique<Session>();
        m_selection = std::make_unique<Selection>();
        m_comparison = std::make_unique<Comparison>(*m_session);
        m_view = std::make_unique<CompareView>(m_comparison.get(), m_selection.get());
        m_view->resize(1376, 800);
        m_view->show();
        m_comparison->setWatched(true);
        m_session->adoptModel(fixture::shippedModel(QStringLiteral("vi-en-transformer")), QStringLiteral("vi-en"));
    }
    void cleanup() {
        m_view.reset();
        m_comparison.reset();
        m_selection.reset();
        m_session.reset();
    }

    void theDifferenceIsSecondMinusFirst() {
        m_view->chooseKind(Comparison::Kind::Heads);
        QTRY_VERIFY(m_comparison->isReady());
        m_selection->setValue(QStringLiteral("decoder.layers.1.norm3"));
        const TraceRecord &a = m_session->reading()->trace->at("decoder.layers.1.norm3"),
                          &b = m_comparison->second().reading()->trace->at("decoder.layers.1.norm3");
        QCOMPARE(m_view->matrix(CompareView::First)->data().values, a.values);
        QCOMPARE(m_view->matrix(CompareView::Second)->data().values, b.values);
        bool differs = false;
        for (size_t i = 0; i < a.values.size(); ++i) {
            QCOMPARE(m_view->matrix(CompareView::Difference)->data().values[i], b.values[i] - a.values[i]);
            differs = differs || a.values[i] != b.values[i];
        }
        QVERIFY(differs);
        // One scale for all three, so that as far is as dark.
        for (const auto side : {CompareView::Second, CompareView::Difference})
            QCOMPARE(m_view->matrix(side)->data().scale.max, m_view->matrix(CompareView::First)->data().scale.max);
        QTest::keyClick(m_view->matrix(CompareView::First), Qt::Key_Right);
        QVERIFY(m_view->sentence().contains(QLatin1String("difference")));
        QCOMPARE(m_view->matrix(CompareView::Difference)->locked(), (MatrixView::Cell{0, 0}));
    }

    void anotherKindOfModelIsMetWithWhatBothCompute() {
        m_selection->setValue(QStringLiteral("encoder.layers.1.self_attn.weights"));
        m_comparison->setModelPath(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-gru.safetensors"));
        m_view->chooseKind(Comparison::Kind::Model);
        QTRY_VERIFY(m_comparison->isReady() && !m_view->matrix(CompareView::Second)->isHidden());
        QVERIFY(!m_view->matrix(CompareView::Second)->data().empty());
        // What is chosen after that stays, though the other has nothing like it.
        m_selection->setValue(QStringLiteral("encoder.layers.1.self_attn.weights"));
        QVERIFY(m_view->matrix(CompareView::Second)->isHidden());
        QCOMPARE(m_selection->value(), QStringLiteral("encoder.layers.1.self_attn.weights"));
    }

    /// What is looked at may stand before what is silenced: then nothing differed, and nobody was told where it does.
    void whoSilencesAHeadIsShownWhatDiffers() {
        m_view->chooseKind(Comparison::Kind::Heads);
        QTRY_VERIFY(m_comparison->isReady());
        m_selection->setValue(QStringLiteral("encoder.input"));
        m_view->block()->setCurrentIndex(m_view->block()->findData(QStringLiteral("decoder.layers.0.cross_attn")));
        QCOMPARE(m_view->block()->currentText(), QStringLiteral("Decoder layer 1, cross-attention"));
        emit m_view->block()->activated(m_view->block()->currentIndex());
        QTRY_VERIFY(m_comparison->isReady());
        QTRY_COMPARE(m_selection->value(), QStringLiteral("decoder.layers.0.cross_attn.output"));
        const std::vector<float> apart = m_view->matrix(CompareView::Difference)->data().values;
        QVERIFY(std::ranges::any_of(apart, [](float each) { return each != 0; }));
        // What is chosen after that stays, though nothing differs there.
        m_selection->setValue(QStringLiteral("encoder.input"));
        QCOMPARE(m_selection->value(), QStringLiteral("encoder.input"));
    }

    /// A link or a lesson that says what is silent, and nothing of what is to be looked at.
    void aStateThatLooksAtNothingIsShownWhatDiffers() {
        m_selection->setValue(QStringLiteral("encoder.input"));
        StageState state;
        state.compare.with = CompareOptions::With::Heads;
        state.compare.without = {"decoder.layers.0.cross_attn.1"};
        m_view->showOptions(state);
        QTRY_VERIFY(m_comparison->isReady());
        QTRY_COMPARE(m_selection->value(), QStringLiteral("decoder.layers.0.cross_attn.output"));
        m_selection->setValue(QStringLiteral("encoder.input"));
        state.focus = "encoder.input";
        state.compare.without = {"decoder.layers.0.cross_attn.2"};
        m_view->showOptions(state);
        QTRY_VERIFY(m_comparison->isReady());
        QCOMPARE(m_selection->value(), QStringLiteral("encoder.input"));
    }

    void whatMayNotBeLookedAtIsHatchedOnAllSides() {
        m_view->chooseKind(Comparison::Kind::Heads);
        QTRY_VERIFY(m_comparison->isReady());
        m_selection->setValue(QStringLiteral("decoder.layers.0.self_attn.scores"));
        for (const auto side : {CompareView::First, CompareView::Second, CompareView::Difference}) {
            const MatrixData& shown = m_view->matrix(side)->data();
            QVERIFY(shown.isMasked(0, 1) && !shown.isMasked(1, 0));
        }
        const TraceRecord& all = m_session->reading()->trace->at("decoder.layers.0.self_attn.scores");
        QCOMPARE(m_view->matrix(CompareView::First)->data().scale.max, ColorScale::scores(all.values).max);
    }

    void nothingPartsBeforeTheHeadThatIsSilent() {
        m_view->chooseKind(Comparison::Kind::Heads);
        QTRY_VERIFY(m_comparison->isReady());
        m_view->block()->setCurrentIndex(m_view->block()->findData(QStringLiteral("decoder.layers.0.cross_attn")));
        emit m_view->block()->activated(m_view->block()->currentIndex());
        QTRY_VERIFY(m_comparison->isReady());
        // Where all are off, a click on one mutes it alone.
        QTest::mouseClick(m_view->heads(), Qt::LeftButton, {}, m_view->heads()->chip(0).center().toPoint());
        QTRY_VERIFY(m_comparison->isReady());
        QCOMPARE(m_comparison->mutedHeads(), QStringList{"decoder.layers.0.cross_attn.0"});
        const Trace &a = *m_session->reading()->trace, &b = *m_comparison->second().reading()->trace;
        bool after = false;
        for (const DivergenceMap::Band& band : m_view->map()->bands())
            for (const DivergenceMap::Column& column : band.columns) {
                const TraceRecord& value = *column.of.value;
                after = after || value.name.starts_with("decoder.layers.0.cross_attn");
                QVERIFY2(after ? column.of.whole > 0 : column.of.whole == 0,
                         qPrintable(QStringLiteral("%1 %2").arg(value.name.c_str()).arg(column.of.whole)));
                QCOMPARE(column.silent, value.name == "decoder.layers.0.cross_attn.output" ? "1" : "");
                // The number and each stripe, computed here once more.
                const size_t width = size_t(value.shape[1]);
                const auto apart = [&](size_t from, size_t to) {
                    double difference = 0, whole = 0;
                    for (size_t i = from; i < to; ++i) {
                        const double x = double(value.values[i]), y = double(b.at(value.name).values[i]);
                        difference += (y - x) * (y - x);
                        whole += x * x;
                    }
                    return std::sqrt(difference / whole);
                };
                QVERIFY(std::abs(column.of.whole - apart(0, value.values.size())) < 1e-12);
                for (size_t row = 0; row < column.of.rows.size(); ++row)
                    QVERIFY(std::abs(column.of.rows[row] - apart(row * width, (row + 1) * width)) < 1e-12);
            }
        QVERIFY(after);
        QVERIFY2(m_view->where().startsWith("First apart, and furthest: Decoder, layer 1, cross-attention,"),
                 qPrintable(m_view->where()));
        QCOMPARE(a.targetTokens, b.targetTokens);
    }

    void aNumberIsPutInByHandAndTheRestAnswers() {
        const QString weights = QStringLiteral("decoder.layers.1.cross_attn.weights");
        m_view->chooseKind(Comparison::Kind::Changes);
        QTRY_VERIFY(m_comparison->isReady());
        QCOMPARE(m_view->where(), QStringLiteral("A and B agree in every number."));
        QVERIFY(!m_view->changes()->put()->isEnabled());
        m_selection->setValue(weights);
        m_selection->setHead(3);
        m_selection->setNumber({3, 1, 2});
        QVERIFY(m_view->changes()->put()->isEnabled());
        const Trace& a = *m_session->reading()->trace;
        const auto cell = [&](const Trace& trace) { return matrixRow(trace.at(weights.toStdString()), 3, 1)[2]; };
        QVERIFY(std::abs(m_view->changes()->number()->value() - static_cast<double>(cell(a))) < 0.001);
        m_view->changes()->number()->setValue(0.75);
        m_view->changes()->put()->click();
        QTRY_VERIFY(m_comparison->isReady());
        const Trace& b = *m_comparison->second().reading()->trace;
        QCOMPARE(cell(b), 0.75F);
        QCOMPARE(b.targetTokens, a.targetTokens);
        QCOMPARE(m_comparison->changes(), QStringList{weights + "[4,2,3]=0.75"});
        // What was put in has a dot, and the module says so; nothing before it is apart.
        const MatrixData& shown = m_view->matrix(CompareView::Second)->data();
        for (int row = 0; row < shown.rows; ++row)
            for (int column = 0; column < shown.columns; ++column)
                QCOMPARE(shown.marked[static_cast<size_t>(row * shown.columns + column)] != 0, row == 1 && column == 2);
        bool after = false;
        for (const DivergenceMap::Band& band : m_view->map()->bands())
            for (const DivergenceMap::Column& column : band.columns) {
                QCOMPARE(column.isChanged, column.scope == "decoder.layers.1.cross_attn");
                after = after || column.isChanged;
                if (!after) QCOMPARE(column.of.whole, 0.0);
            }
        QVERIFY(after);
        // A second number at the same place takes the place of the first; taken back, nothing is apart.
        m_view->changes()->number()->setValue(0.5);
        m_view->changes()->put()->click();
        QTRY_VERIFY(m_comparison->isReady());
        QCOMPARE(cell(*m_comparison->second().reading()->trace), 0.5F);
        QCOMPARE(m_view->changes()->takers().size(), size_t{1});
        m_view->changes()->takers().front()->click();
        QTRY_VERIFY(m_comparison->isReady());
        QCOMPARE(m_view->where(), QStringLiteral("A and B agree in every number."));
    }

    /// All of a word's scores: no word can look at it any more, whatever B goes on to write.
    void aWordIsHiddenByItsScoresAndTheTranslationAnswers() {
        m_view->chooseKind(Comparison::Kind::Changes);
        QTRY_VERIFY(m_comparison->isReady());
        m_comparison->setChanges({"decoder.layers.0.cross_attn.scores[:,:,3]=-1000000000",
                                  "decoder.layers.1.cross_attn.scores[:,:,3]=-1000000000"});
        QTRY_VERIFY(m_comparison->isReady());
        const Session::Reading& b = *m_comparison->second().reading();
        for (const char* name : {"decoder.layers.0.cross_attn.weights", "decoder.layers.1.cross_attn.weights"}) {
            const TraceRecord& weights = b.trace->at(name);
            for (size_t i = 2; i < weights.values.size(); i += static_cast<size_t>(weights.shape.back()))
                QCOMPARE(weights.values[i], 0.0F);
        }
        QVERIFY(b.muted.has_value());
        QVERIFY(b.muted->logProb != b.baseline.logProb);
        QCOMPARE(m_comparison->title(), QStringLiteral("with 2 changes"));
    }

    /// As in Surgery: the same search under the changes, beside what it found without them.
    void theBeamSearchAnswersWhatIsPutIn() {
        m_view->chooseKind(Comparison::Kind::Changes);
        m_comparison->setChanges({});
        QTRY_VERIFY(m_comparison->isReady());
        QVERIFY(m_comparison->found().empty() && m_view->found()->isHidden());
        m_comparison->setChanges({"source.mask[3]=-inf"});
        QTRY_VERIFY(!m_comparison->found().empty());
        const auto expected = [&](std::span<const Intervention> changes) {
            const BeamOptions options{.beam = 4, .nBest = 4, .interventions = changes};
            return translate(*m_session->model(), {m_session->source().toStdString()}, options).front().hypotheses;
        };
        const auto before = expected({}), now = expected(m_comparison->second().changes());
        QCOMPARE(m_comparison->found().size(), now.size());
        for (size_t i = 0; i < now.size(); ++i) {
            const FoundText& found = m_comparison->found()[i];
            QCOMPARE(found.text.toStdString(), now[i].text);
            QCOMPARE(found.now, now[i].logProb);
            const auto there = std::ranges::find(before, now[i].text, &Written::text);
            QCOMPARE(found.before.has_value(), there != before.end());
            if (found.before) QCOMPARE(*found.before, there->logProb);
        }
        QCOMPARE(m_view->found()->found(), m_comparison->found());
        QVERIFY(fixture::drawn(*m_view->found()).mentions("Beam search of 4"));
        m_comparison->setChanges({});
        QVERIFY(m_comparison->found().empty() && m_view->found()->isHidden());
    }

    void aWeightIsMaskedThroughItsScores() {
        m_view->chooseKind(Comparison::Kind::Changes);
        m_comparison->setChanges({});
        QTRY_VERIFY(m_comparison->isReady());
        m_selection->setValue(QStringLiteral("encoder.output"));
        m_selection->setNumber({0, 1, 2});
        QVERIFY(!m_view->changes()->mask()->isEnabled());
        m_selection->setValue(QStringLiteral("decoder.layers.1.cross_attn.weights"));
        m_selection->setHead(3);
        m_selection->setNumber({3, 1, 2});
        m_view->changes()->mask()->click();
        QCOMPARE(m_comparison->changes(), QStringList{"decoder.layers.1.cross_attn.scores[4,2,3]=-inf"});
        QTRY_VERIFY(m_comparison->isReady());
        const Trace& b = *m_comparison->second().reading()->trace;
        const auto row = matrixRow(b.at("decoder.layers.1.cross_attn.weights"), 3, 1);
        QCOMPARE(row[2], 0.0F);
        QVERIFY(std::abs(std::accumulate(row.begin(), row.end(), 0.0F) - 1) < 1e-5F);
    }

    void whatCannotBePutInIsSaid() {
        m_view->chooseKind(Comparison::Kind::Changes);
        QTRY_VERIFY(m_comparison->isReady());
        m_selection->setValue(QStringLiteral("decoder.layers.1.cross_attn.weights"));
        m_comparison->setChanges({"decoder.layers.1.cross_attn.weights[1,1]=0.5"});
        QVERIFY(!m_comparison->isReady());
        QVERIFY(m_view->changes()->problem().contains("sum to more than one"));
        // What is none of it is still there to be taken back.
        QCOMPARE(m_view->changes()->takers().size(), size_t{1});
        m_view->changes()->takers().front()->click();
        QTRY_VERIFY(m_comparison->isReady());
        QVERIFY(m_view->changes()->problem().isEmpty());
    }

    void aModuleIsOpenedByAClickOrTheArrowKeys() {
        m_view->chooseKind(Comparison::Kind::Heads);
        QTRY_VERIFY(m_comparison->isReady());
        const auto& decoder = m_view->map()->bands().back();
        QTest::mouseClick(m_view->map(), Qt::LeftButton, {}, decoder.columns[5].area.center().toPoint());
        QCOMPARE(m_selection->value().toStdString(), decoder.columns[5].of.value->name);
        QTest::keyClick(m_view->map(), Qt::Key_Right);
        QCOMPARE(m_selection->value().toStdString(), decoder.columns[6].of.value->name);
        QCOMPARE(m_view->matrix(CompareView::First)->data().values, decoder.columns[6].of.value->values);
    }

    /// It had a row for each word, and of the other stack, where everything differs, half of the words had no name.
    void aStackInWhichNothingDiffersIsOneLowLine() {
        m_view->chooseKind(Comparison::Kind::Heads);  // of cross-attention: the encoder is as it was
        QTRY_VERIFY(m_comparison->isReady());
        DivergenceMap& map = *m_view->map();
        const auto &encoder = map.bands().front(), &decoder = map.bands().back();
        QVERIFY(encoder.isLow && !decoder.isLow);
        QVERIFY(decoder.columns.front().area.top() < 120);
        const fixture::Drawn drawn = fixture::drawn(map);
        QVERIFY(drawn.writes({QStringLiteral("Encoder"), QStringLiteral("nothing differs")}));
        for (const QString& word : decoder.words)
            QVERIFY2(drawn.writes({word}), qPrintable(word));
        QTest::mouseClick(m_view->map(), Qt::LeftButton, {}, encoder.columns[2].area.center().toPoint());
        QCOMPARE(m_selection->value().toStdString(), encoder.columns[2].of.value->name);
    }

    void whereThereIsNoRoomALayerStandsForItsModules() {
        m_view->chooseKind(Comparison::Kind::Heads);
        QTRY_VERIFY(m_comparison->isReady());
        DivergenceMap map;
        map.resize(1000, 320);
        const Trace &a = *m_session->reading()->trace, &b = *m_comparison->second().reading()->trace;
        map.setReadings(*m_session->model(), a, divergences(a, b), {});
        QVERIFY(!map.isInLayers());
        QCOMPARE(map.bands()[1].columns.size(), size_t{14});
        map.resize(340, 320);
        map.setReadings(*m_session->model(), a, divergences(a, b), {});
        QVERIFY(map.isInLayers());
        QCOMPARE(map.bands()[1].columns.size(), size_t{4});  // input, two layers, logits
        QCOMPARE(map.bands()[1].columns[2].of.value->name, std::string("decoder.layers.1.norm3"));
    }

    void besideAModelStandsOneLikeIt_data() {
        QTest::addColumn<QString>("open");
        QTest::addColumn<QString>("beside");
        for (const auto& [open, beside] : {std::pair{"vi-en-transformer", "vi-en-unsmoothed"},
                                           {"vi-en-pre-norm", "vi-en-transformer"},
                                           {"vi-en-gru", "vi-en-gru-initial"},
                                           {"vi-en-long-lstm", "vi-en-long-lstm-attention"},
                                           {"stories-transformer", "stories-lstm"},
                                           {"tales-transformer", "stories-transformer"},
                                           {"fr-en-transformer", "en-fr-transformer"},
                                           {"sentiment-transformer", ""},
                                           {"/of/my-own.safetensors", "vi-en-transformer"}})
            QTest::newRow(open) << QString::fromLatin1(open) << QString::fromLatin1(beside);
    }
    void besideAModelStandsOneLikeIt() {
        QFETCH(QString, open);
        QFETCH(QString, beside);
        const QString file = headlight::shippedModel(open);
        QCOMPARE(QFileInfo(shippedBeside(file.isEmpty() ? open : file)).completeBaseName(), beside);
    }

    void whoChoosesNoOtherModelMeetsOneThatGoesWithTheOpenOne() {
        for (const auto& [open, beside] :
             {std::pair{"stories-transformer", "stories-lstm"}, {"vi-en-transformer", "vi-en-unsmoothed"}}) {
            m_session->openModel(headlight::shippedModel(QLatin1String(open)));
            QTRY_VERIFY(m_session->modelName() == QLatin1String(open) && m_comparison->isReady());
            QCOMPARE(m_comparison->second().modelName(), QLatin1String(beside));
            StageState told;
            m_view->tellOptions(told);
            QCOMPARE(told.compare.against, std::string());
        }
        // One that was chosen stays.
        m_comparison->setModelPath(headlight::shippedModel(QStringLiteral("vi-en-gru")));
        m_session->openModel(headlight::shippedModel(QStringLiteral("vi-en-pre-norm")));
        QTRY_VERIFY(m_session->modelName() == QLatin1String("vi-en-pre-norm"));
        QCOMPARE(m_comparison->nameOf(m_comparison->modelPath()), QStringLiteral("vi-en-gru"));
    }

    /// Of the model that the program begins with nothing that ships has a value of its shapes: the map was hatched, and
    /// two of three cards empty.
    void whereNothingCanBeHeldBesideItItStandsBesideItselfWithoutHeads() {
        m_session->openModel(headlight::shippedModel(QStringLiteral("en-fr-transformer")));
        QTRY_VERIFY(m_session->modelName() == QLatin1String("en-fr-transformer") && m_comparison->isReady());
        QVERIFY(m_comparison->kind() == Comparison::Kind::Heads);
        QVERIFY(!m_comparison->mutedHeads().isEmpty());
        QVERIFY(m_view->lines()->isVisibleTo(m_view.get()) && !m_view->matrix(CompareView::Difference)->data().empty());
        // Nobody chose that, so nobody is told so: another model that has its like is met as before.
        StageState told;
        m_view->tellOptions(told);
        QVERIFY(told.compare == CompareOptions());
        // Whoever asks for another model gets one.
        for (ChoiceRow* row : m_view->findChildren<ChoiceRow*>())
            if (row->accessibleName().contains(QLatin1String("Another model")))
                QTest::mouseClick(row, Qt::LeftButton, {}, row->rect().center());
        QTRY_VERIFY(m_comparison->isReady() && m_comparison->second().modelName() == QLatin1String("en-fr-lstm"));
        QVERIFY(m_comparison->kind() == Comparison::Kind::Model);
        m_view->tellOptions(told);
        QCOMPARE(told.compare.against, std::string("en-fr-lstm"));
        // That was said of this model: the next one has its own neighbour.
        QVERIFY(!m_comparison->isByDefault());
        m_session->openModel(headlight::shippedModel(QStringLiteral("vi-en-pre-norm")));
        QTRY_VERIFY(m_session->modelName() == QLatin1String("vi-en-pre-norm"));
        QVERIFY(m_comparison->isByDefault());
    }

    /// Of matrices that a step puts away the title stayed, over an empty half.
    void whatIsPutAwayTakesItsTitleAlong() {
        m_view->chooseKind(Comparison::Kind::Heads);
        QTRY_VERIFY(m_comparison->isReady());
        const auto shownBelow = [&] {
            return std::ranges::any_of(m_view->findChildren<SegmentedControl*>(),
                                       [](const SegmentedControl* each) { return each->isVisible(); });
        };
        QVERIFY(m_view->matrix(CompareView::First)->isVisible() && shownBelow());
        for (Foldable* part : m_view->findChildren<Foldable*>())
            if (part->panelName() && std::string_view(part->panelName()) == "matrices")
                part->stow(Foldable::By::Step, true);
        QVERIFY(!m_view->matrix(CompareView::First)->isVisible() && !shownBelow());
        QVERIFY(m_view->map()->isVisible());
    }

    void modelsOfTheSameWordsAreComparable() {
        const auto config = [](const char* name) {
            return fixture::shippedModel(QLatin1String(name))->network->config();
        };
        const auto file = [](const char* name) { return headlight::shippedModel(QLatin1String(name)); };
        QVERIFY(isComparable(config("vi-en-transformer"), file("vi-en-gru")));
        QVERIFY(isComparable(config("stories-transformer"), file("stories-lstm")));
        QVERIFY(!isComparable(config("en-fr-transformer"), file("en-fr-lstm")));
        QVERIFY(!isComparable(config("sentiment-transformer"), file("vi-en-gru")));
        QVERIFY(!isComparable(config("en-fr-transformer"), QString()));
    }

    void anotherModelReadsTheSameSentence() {
        m_comparison->setModelPath(
            QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-long-lstm-attention.safetensors"));
        QTRY_VERIFY(m_comparison->isReady());
        QCOMPARE(m_comparison->second().reading()->source, m_session->source());
        // Attention of another kind of model is found by what it does.
        const Trace &a = *m_session->reading()->trace, &b = *m_comparison->second().reading()->trace;
        const TraceRecord* found = counterpart(a, a.at("decoder.layers.1.cross_attn.weights"), b);
        QVERIFY(found);
        QCOMPARE(found->name, std::string("decoder.attention.weights"));
        QVERIFY(!counterpart(a, a.at("decoder.layers.1.norm1"), b));
        m_session->setSource(QStringLiteral("tôi yêu bạn"));
        QTRY_VERIFY(m_comparison->isReady());
        QCOMPARE(m_comparison->second().reading()->source, QStringLiteral("tôi yêu bạn"));
    }

    /// The thought vector stands behind the states, and it is these that are attended to.
    void theMemoryOfARecurrentModelIsItsStates() {
        m_view->resize(1700, 900);
        m_session->openModel(headlight::shippedModel(QStringLiteral("vi-en-long-lstm-attention")));
        QTRY_VERIFY(m_session->modelName() == QLatin1String("vi-en-long-lstm-attention") && m_comparison->isReady());
        const fixture::Drawn map = fixture::drawn(*m_view->findChild<DivergenceMap*>());
        QVERIFY(map.mentions(QStringLiteral("vector")));
        QVERIFY(map.mentions(QStringLiteral("every state, to attend to")));
        QVERIFY(!map.mentions(QStringLiteral("K and V")));
        // Where the words leave room, a name is on one line.
        QVERIFY(fixture::drawn(*m_view->fed()).mentions(QStringLiteral("vi-en-long-lstm-attention")));
    }

    void anotherModelThatKnowsTheWordsIsFedTheSame() {
        m_comparison->setModelPath(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-gru.safetensors"));
        QTRY_VERIFY(m_comparison->isReady());
        const Trace &a = *m_session->reading()->trace, &b = *m_comparison->second().reading()->trace;
        QCOMPARE(b.targetTokens, a.targetTokens);
    }

    void aSentenceOfItsOwnIsReadOnTheOtherSide() {
        m_view->chooseKind(Comparison::Kind::Sentence);
        QTest::keyClicks(m_view->other(), QStringLiteral("bye"));
        emit m_view->other()->textEdited(QStringLiteral("tôi yêu bạn"));
        QTRY_VERIFY(m_comparison->isReady());
        QCOMPARE(m_comparison->second().reading()->translation, QStringLiteral("i love you"));
        m_selection->setValue(QStringLiteral("encoder.output"));
        // 5 and 3 words: no difference cell by cell, and no crash.
        QVERIFY(m_view->matrix(CompareView::Difference)->isHidden());
        QVERIFY(m_view->matrix(CompareView::Second)->isVisible());
    }

    void withoutPositionsTheEmbeddingIsTheInput() {
        m_view->chooseKind(Comparison::Kind::Positions);
        QTRY_VERIFY(m_comparison->isReady());
        const Trace& b = *m_comparison->second().reading()->trace;
        QVERIFY(!b.find("encoder.positional_encoding"));
        QVERIFY(b.find("encoder.layers.0.self_attn.weights"));
    }

    /// The row of *buying* was subtracted from that of *learning*: the other side was fed what it wrote itself.
    void bothSidesAreFedTheSameWords() {
        m_view->chooseKind(Comparison::Kind::Heads);
        QStringList heads;
        for (int i = 0; i < 16; ++i)
            heads << QStringLiteral("decoder.layers.%1.cross_attn.%2").arg(i / 8).arg(i % 8);
        m_comparison->setMutedHeads(heads);
        QTRY_VERIFY(m_comparison->isReady());
        const Trace &a = *m_session->reading()->trace, &b = *m_comparison->second().reading()->trace;
        QCOMPARE(b.targetTokens, a.targetTokens);
        QVERIFY(incomparable(a, a.at("decoder.output"), b).empty());
        // What it writes by itself is another thing, and stands beside.
        QVERIFY(m_comparison->second().reading()->translation != m_session->reading()->translation);
    }

    void rowsOfOtherWordsAreHatchedAndNotCounted() {
        m_view->chooseKind(Comparison::Kind::Sentence);
        m_session->setSource(QStringLiteral("tôi yêu bạn"));
        emit m_view->other()->textEdited(QStringLiteral("tôi yêu mẹ"));
        QTRY_VERIFY(m_comparison->isReady());
        const Trace &a = *m_session->reading()->trace, &b = *m_comparison->second().reading()->trace;
        QCOMPARE(a.sourceTokens.size(), b.sourceTokens.size());
        m_selection->setValue(QStringLiteral("encoder.output"));
        const MatrixData& apart = m_view->matrix(CompareView::Difference)->data();
        QVERIFY(apart.isLeftOut(2, 0) && apart.isLeftOut(2, 5));
        QVERIFY(!apart.isLeftOut(0, 0) && !apart.isLeftOut(1, 5));
        const TraceRecord& words = a.at("encoder.embedding");
        const Divergence divergence = divergenceOf(a, words, b);
        QCOMPARE(divergence.whole, 0.0);  // the first two words are the same
        QVERIFY(divergence.rows[1] == 0 && std::isnan(divergence.rows[2]));
    }

    /// A model that was asked for and is still loading does not take the place of a later choice.
    void theLastChoiceWins() {
        m_comparison->setModelPath(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-rnn.safetensors"));
        m_view->chooseKind(Comparison::Kind::Heads);
        QTRY_VERIFY(m_comparison->isReady());
        QVERIFY(fixture::allJobsAreDone());  // the other model is loaded too
        QCOMPARE(m_comparison->second().model(), m_session->model());
    }

private:
    std::unique_ptr<fixture::LightTheme> m_theme;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<Comparison> m_comparison;
    std::unique_ptr<CompareView> m_view;
};

QTEST_MAIN(TestCompareView)
#include "test_compare_view.moc"
