// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTest>
#include <functional>

#include "tests/ui/heads_frames.h"
#include "ui/session/open/comparison.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/session.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/attention/attention_stage.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/attention/wall_page.h"
#include "ui/views/compare/compare_view.h"
#include "ui/views/decode/bleu_view.h"
#include "ui/views/decode/decode_view.h"
#include "ui/views/decode/forcing_view.h"
#include "ui/views/decode/next_word_view.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/views/laboratory/position_view.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/views/lens/lens_view.h"
#include "ui/views/loss/loss_columns.h"
#include "ui/views/loss/loss_view.h"
#include "ui/views/models/by_name/by_name_view.h"
#include "ui/views/models/cost/cost_view.h"
#include "ui/views/models/embedding_view.h"
#include "ui/views/recurrent/cell_columns.h"
#include "ui/views/recurrent/cell_story.h"
#include "ui/views/recurrent/cell_view.h"
#include "ui/views/recurrent/recurrent_side.h"
#include "ui/views/recurrent/recurrent_view.h"
#include "ui/views/residual/feed_forward_view.h"
#include "ui/views/residual/profile_stack.h"
#include "ui/views/residual/residual_view.h"
#include "ui/views/residual/stream_chart.h"
#include "ui/views/residual/units/unit_cards.h"
#include "ui/views/residual/units/unit_network.h"
#include "ui/views/subwords/subwords_view.h"
#include "ui/views/surgery/other_bar.h"
#include "ui/views/surgery/place_map.h"
#include "ui/views/surgery/surgery_maps.h"
#include "ui/views/surgery/surgery_side.h"
#include "ui/views/surgery/surgery_view.h"
#include "ui/views/train/training_heads_view.h"
#include "ui/views/train/training_settings.h"
#include "ui/views/values/values_view.h"
#include "ui/views/why/attribution_page.h"
#include "ui/views/why/attribution_strips.h"
#include "ui/views/why/why_column_view.h"
#include "ui/views/why/why_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/controls/range_slider.h"
#include "ui/widgets/matrix/mask_grid.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/time/unrolled_rnn.h"
#include "ui/widgets/words/batch_strip.h"
#include "ui/widgets/words/word_bars.h"
#include "ui/widgets/words/word_chips.h"

namespace headlight::fixture {

using Hand = std::function<void(QWidget&)>;

/// A view, a state in which everything of its own is otherwise, and what a reader can do to it.
struct Case {
    ViewName view;
    std::function<QWidget*()> make;
    std::function<void(StageState&)> change;
    std::vector<Hand> hands;
};

/// A click on the button that reads so.
inline Hand press(const char* text) {
    return [text](QWidget& view) {
        for (QAbstractButton* button : view.findChildren<QAbstractButton*>())
            if (button->text() == QString::fromUtf8(text) && button->isVisible())
                return QTest::mouseClick(button, Qt::LeftButton);
        QFAIL(text);
    };
}

/// A click on the one that is called so.
inline Hand named(const char* name) {
    return [name](QWidget& view) {
        for (QAbstractButton* button : view.findChildren<QAbstractButton*>())
            if (button->accessibleName() == QString::fromUtf8(name) && button->isVisible())
                return QTest::mouseClick(button, Qt::LeftButton);
        QFAIL(name);
    };
}

/// A key on the one that is called so.
inline Hand key(const char* name, Qt::Key key) {
    return [name, key](QWidget& view) {
        for (QWidget* each : view.findChildren<QWidget*>())
            if (each->accessibleName() == QString::fromUtf8(name) && each->isVisible() && each->isEnabled())
                return QTest::keyClick(each, key);
        QFAIL(name);
    };
}

template <class View>
Hand with(std::function<void(View&)> hand) {
    return [hand](QWidget& view) { hand(dynamic_cast<View&>(view)); };
}

inline void clickCell(MatrixView* matrix, int row, int column) {
    QTest::mouseClick(matrix->viewport(), Qt::LeftButton, {}, matrix->cellRect({row, column}).center().toPoint());
}

/// Every view with options, each with what it needs to be shown.
class StagedCases {
public:
    StagedCases() {
        m_model = shippedModel(QStringLiteral("vi-en-transformer"));
        m_reading = readSentence(*m_model, QStringLiteral("tôi đang học tiếng anh")).trace;
        m_recurrent = shippedModel(QStringLiteral("vi-en-long-lstm-attention"));
        m_recurrentReading = readSentence(*m_recurrent, QStringLiteral("tôi đang học tiếng anh")).trace;
        m_writer = shippedModel(QStringLiteral("stories-transformer"));
        m_writerReading = readSentence(*m_writer, exampleSentence(*m_writer)).trace;
    }
    /// Who is told while a view computes in the background.
    const Settling& settling() const { return m_settling; }
    Comparison* comparison() const { return m_comparison.get(); }

    QWidget* compare() {
        m_session = std::make_unique<Session>();
        m_comparison = std::make_unique<Comparison>(*m_session);
        auto* view = new CompareView(m_comparison.get(), &m_selection);
        QDir models(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models"));
        view->setModels(models.entryInfoList({QStringLiteral("*.safetensors")}));
        m_comparison->setWatched(true);
        m_session->adoptModel(m_model, QStringLiteral("vi-en"));
        m_session->setSource(QStringLiteral("tôi yêu bạn"));
        if (!QTest::qWaitFor([this] { return m_comparison->isReady(); }, fixture::kPatienceMs))
            qFatal("the comparison is never ready");
        return view;
    }

    std::vector<Case> all() {
        std::vector<Case> cases;
        cases.push_back(
            {ViewName::QueryKeyValue,
             [this] {
                 auto* view = new QueryKeyValueView;
                 view->setTrace(m_reading);
                 return view;
             },
             [](StageState& s) {
                 s.queryKeyValue.apart = true;
                 s.queryKeyValue.matrices = QueryKeyValueOptions::Matrices::Model;
                 s.block = "decoder.layers.1.cross_attn";
                 s.head = 5;
                 s.queryKeyValue.scaled = false;
                 s.queryKeyValue.sharpness = 2.345;
                 s.queryKeyValue.numbers = {"Q[1,2]=0.5", "Q[2,1]=-3", "V[1,1]=0.125"};
             },
             {press("not scaled"), key("Temperature", Qt::Key_Right),
              with<QueryKeyValueView>([](auto& view) { clickCell(view.matrix(QueryKeyValueView::Query), 1, 1); }),
              key("The chosen number", Qt::Key_Up), press("As it was"), press("A head"),
              key("Attention block", Qt::Key_Down), key("Head", Qt::Key_Down), press("Four kinds"), press("Angle"),
              press("Equation")}});
        cases.push_back(
            {ViewName::QueryKeyValue,
             [] { return new QueryKeyValueView; },
             [](StageState& s) {
                 s.queryKeyValue.kinds = true;
                 s.queryKeyValue.numbers = {"K[5,4]=1"};
                 s.focus = "weights";
                 s.cell = {3, 5};
             },
             {with<QueryKeyValueView>([](auto& view) { clickCell(view.matrix(QueryKeyValueView::Output), 1, 1); })}});
        cases.push_back(
            {ViewName::QueryKeyValue,
             [] { return new QueryKeyValueView; },
             [](StageState& s) {
                 s.queryKeyValue.angle = true;
                 s.focus = "scores";
                 s.cell = {3, 5};
             },
             {press("Angle"), with<QueryKeyValueView>([](auto& view) { clickCell(view.planeScores(), 1, 1); })}});
        cases.push_back({ViewName::QueryKeyValue,
                         [this] { return reads(new QueryKeyValueView); },
                         [](StageState& s) {
                             s.queryKeyValue.batch = true;
                             s.queryKeyValue.matrices = QueryKeyValueOptions::Matrices::Model;
                             s.queryKeyValue.batchSecond = "tôi yêu";
                             s.block = "encoder.layers.1.self_attn";
                             s.sentence = 2;
                             s.head = 5;
                             s.cell = {2, 7};
                         },
                         {press("Batch"), key("Queries of a batch, cut into heads", Qt::Key_Right)}});
        cases.push_back({ViewName::Masks,
                         [this] { return reads(new MaskView); },
                         [](StageState& s) {
                             s.masks.masking = MasksOptions::Masking::Multiply;
                             s.masks.stack = StageStack::Encoder;
                             s.head = 3;
                             s.masks.padding = 3;
                             s.masks.second = "tôi yêu";
                             s.sentence = 2;
                             s.masks.cells = {"1,2", "2,1"};
                         },
                         {press("Add −10⁹"), press("2"), key("Attention", Qt::Key_Down), key("Head", Qt::Key_Down),
                          key("The batch", Qt::Key_Down), with<MaskView>([](auto& view) {
                              const QPoint cell = view.combined()->cellRect(1, 2).center().toPoint();
                              QTest::mouseClick(view.combined(), Qt::LeftButton, {}, cell);
                          }),
                          press("As it should be"), with<MaskView>([](auto& view) {
                              view.second()->setText(QStringLiteral("tôi"));
                              QTest::keyClick(view.second(), Qt::Key_Return);
                          })}});
        cases.push_back({ViewName::Masks,
                         [this] { return reads(new MaskView); },
                         [](StageState& s) { s.masks.second = "none"; },
                         {with<MaskView>([](auto& view) {
                             view.second()->clear();
                             QTest::keyClick(view.second(), Qt::Key_Return);
                         })}});
        cases.push_back(
            {ViewName::Positions,
             [this] { return reads(new PositionView); },
             [](StageState& s) {
                 s.positions.table = PositionsOptions::Table::Model;
                 s.positions.length = 33;
                 s.positions.width = 16;
                 s.positions.base = 100;
                 s.cell = {5, 6};
                 s.positions.word = 4;
                 s.positions.shuffles = 2;
                 s.positions.waves = PositionsOptions::Waves::Hands;
                 s.positions.offset = 7;
             },
             {key("d model", Qt::Key_Left), key("n (base)", Qt::Key_Left), key("Length", Qt::Key_Left),
              with<PositionView>([](auto& view) { clickCell(view.heatmap(), 1, 2); }), key("Word", Qt::Key_Down),
              press("Shuffle the words"), press("Hands"), key("Offset k", Qt::Key_Right),
              key("Pairs as turning hands", Qt::Key_Right), press("The model's own")}});
        cases.push_back(
            {ViewName::Recurrent,
             [this] { return reads(new RecurrentView, true); },
             [](StageState& s) {
                 s.step = 2;
                 s.side = StageSide::Length;
             },
             {with<RecurrentView>([](auto& view) {
                  const QPoint cell = view.unrolled()->cellRect(1).center().toPoint();
                  QTest::mouseClick(view.unrolled(), Qt::LeftButton, {}, cell);
              }),
              with<RecurrentView>([](auto& view) { clickCell(view.side()->alignment(), 1, 1); }), press("Gradient")}});
        cases.push_back({ViewName::Recurrent,
                         [this] { return reads(new RecurrentView, true); },
                         [](StageState& s) { s.side = StageSide::None; },
                         {press("Length"), press("Alignment")}});
        cases.push_back({ViewName::Cell,
                         [this] { return reads(new CellView, true); },
                         [](StageState& s) {
                             s.recurrentCell.unit = 98;
                             s.recurrentCell.word = 7;
                             s.recurrentCell.units = UnitOrder::Sorted;
                             s.recurrentCell.gain = 3.5;
                             s.side = StageSide::None;
                         },
                         {with<CellView>([](auto& view) {
                              const QPoint row = view.columns()->cellRect(2, 40).center().toPoint();
                              QTest::mouseClick(view.columns(), Qt::LeftButton, {}, row);
                          }),
                          key("Units of the cell", Qt::Key_Down), with<CellView>([](auto& view) {
                              QTest::mouseClick(view.story(), Qt::LeftButton, {},
                                                view.story()->wordRect(1).center().toPoint());
                          }),
                          key("What the unit keeps, word by word", Qt::Key_Right), press("By forget gate"),
                          key("Which cell", Qt::Key_Down)}});
        cases.push_back({ViewName::Architecture,
                         [this] { return reads(new ArchitectureView(&m_selection)); },
                         [](StageState& s) {
                             s.architecture.level = ArchitectureOptions::Level::Layer;
                             s.histogram = true;
                         },
                         {press("−"), press("+"), press("Histogram")}});
        cases.push_back({ViewName::Values,
                         [this] { return reads(new ValuesView(&m_selection)); },
                         [](StageState& s) { s.histogram = true; },
                         {press("Histogram"), press("Numbers")}});
        cases.push_back(
            {ViewName::Lens,
             [this] { return reads(new LensView); },
             [](StageState& s) {
                 s.lens.rows = LensOptions::Rows::Layer;
                 s.lens.cell = {3, 2};
             },
             {with<LensView>([](auto& view) {
                  const QPoint cell = view.grid()->cellRect({1, 1}).center().toPoint();
                  QTest::mouseClick(view.grid()->viewport(), Qt::LeftButton, {}, cell);
              }),
              with<LensView>([](auto& view) { QTest::keyClick(view.grid(), Qt::Key_Down); }),
              with<LensView>([](auto& view) { QTest::keyClick(view.grid(), Qt::Key_Escape); }), press("Each layer")}});
        cases.push_back({ViewName::Why,
                         [this] { return reads(new WhyView); },
                         [](StageState& s) {
                             s.why.row = 2;
                             s.why.word = "love";
                             s.why.against = "you";
                             s.why.opened = {"6", "2", "3s"};
                         },
                         {with<WhyView>([](auto& view) { QTest::keyClick(view.written(), Qt::Key_Right); }),
                          with<WhyView>([](auto& view) {
                              QTest::keyClick(view.columns()[0], Qt::Key_Down);
                              QTest::keyClick(view.columns()[0], Qt::Key_Return);
                          }),
                          with<WhyView>([](auto& view) { QTest::keyClick(view.columns()[1], Qt::Key_Escape); }),
                          with<WhyView>([](auto& view) {
                              view.other()->setText(QStringLiteral("like"));
                              QTest::keyClick(view.other(), Qt::Key_Return);
                          })}});
        cases.push_back(
            {ViewName::Why,
             [this] {
                 auto* view = new WhyView;
                 view->setSettling(&m_settling);
                 return reads(view);
             },
             [](StageState& s) {
                 s.why.row = 2;
                 s.why.method = WhyOptions::Method::Occlusion;
             },
             {with<WhyView>([](auto& view) { view.kind()->setCurrentIndex(1); }),
              with<WhyView>([](auto& view) { QTest::keyClick(view.attribution()->strips(), Qt::Key_Down); }),
              with<WhyView>([](auto& view) { QTest::keyClick(view.written(), Qt::Key_Right); }),
              with<WhyView>([](auto& view) { view.kind()->setCurrentIndex(0); })}});
        cases.push_back({ViewName::Surgery,
                         [this] {
                             auto* view = new SurgeryView;
                             view->setSettling(&m_settling);
                             view->setReading(m_model, QStringLiteral("tôi đang học tiếng anh"));
                             return view;
                         },
                         [](StageState& s) {
                             s.surgery.other = "tôi đang học lịch sử";
                             s.surgery.pieces = SurgeryOptions::Pieces::Sublayer;
                             s.surgery.edits = {"state:2:4", "-sublayer:8:3"};
                             s.surgery.without = {"decoder.layers.1.cross_attn.0"};
                             s.surgery.reader = "vi-en-unsmoothed";
                         },
                         {with<SurgeryView>([](auto& view) {
                              QTest::keyClick(view.maps()->shares(true), Qt::Key_Down);
                              QTest::keyClick(view.maps()->shares(true), Qt::Key_Return);
                          }),
                          press("Undo"), press("Head"), with<SurgeryView>([](auto& view) {
                              view.bar()->sentence()->setText(QStringLiteral("tôi đang học toán"));
                              QTest::keyClick(view.bar()->sentence(), Qt::Key_Return);
                          })}});
        cases.push_back(
            {ViewName::Residuals,
             [this] { return reads(new ResidualView); },
             [](StageState& s) {
                 s.residuals.stack = StageStack::Encoder;
                 s.residuals.depth = 3;
                 s.residuals.word = 4;
                 s.residuals.number = 20;
             },
             {with<ResidualView>([](auto& view) { QTest::keyClick(view.words(), Qt::Key_Right); }),
              with<ResidualView>([](auto& view) { QTest::keyClick(view.profiles(), Qt::Key_Right); }),
              with<ResidualView>([](auto& view) { QTest::keyClick(view.chart(), Qt::Key_Right); }), press("Encoder")}});
        cases.push_back({ViewName::FeedForward,
                         [this] { return reads(new FeedForwardView); },
                         [](StageState& s) {
                             s.feedForward.stack = StageStack::Encoder;
                             s.feedForward.layer = 2;
                             s.feedForward.word = 3;
                             s.feedForward.unit = 83;
                             s.feedForward.order = UnitOrder::Sorted;
                             s.feedForward.activation = FeedForwardOptions::Activation::Gelu;
                             s.feedForward.muted = true;
                         },
                         {with<FeedForwardView>([](auto& view) { QTest::keyClick(view.cards(), Qt::Key_Right); }),
                          with<FeedForwardView>([](auto& view) { QTest::keyClick(view.network(), Qt::Key_Right); }),
                          press("By strength"), press("GELU"), press("Mute unit 2"), key("Layer", Qt::Key_Down)}});
        cases.push_back({ViewName::Loss,
                         [this] { return reads(new LossView); },
                         [](StageState& s) {
                             s.loss.word = 3;
                             s.loss.smoothing = 0.25;
                             s.loss.descended = 2;
                         },
                         {key("What each word costs", Qt::Key_Right), key("Label smoothing ε", Qt::Key_Right),
                          press("Take a step"), press("As it was"), press("Previous word"), press("Next word")}});
        cases.push_back({ViewName::Subwords,
                         [this] {
                             auto* view = new SubwordsView;
                             view->setSettling(&m_settling);
                             return view;
                         },
                         [](StageState& s) {
                             s.subwords.merges = 7;
                             s.subwords.mergesLearned = 9;
                             s.subwords.cut = "low lowest";
                             s.subwords.ownText = "low low lower lowest slow slower";
                         },
                         {press("This model"), press("vi-en"), key("Merges to learn", Qt::Key_Up),
                          key("Pieces of the text by merges", Qt::Key_Right), named("One merge on"),
                          with<SubwordsView>([](auto& view) { QTest::keyClick(&view, Qt::Key_Comma); }),
                          with<SubwordsView>([](auto& view) { QTest::keyClicks(view.typed(), QStringLiteral("lan")); }),
                          press("A small text"), with<SubwordsView>([](auto& view) {
                              press("Edit the text")(view);
                              view.editor()->setPlainText(QStringLiteral("low lower lowest"));
                              press("Learn from this")(view);
                          })}});
        cases.push_back({ViewName::Attention,
                         [this] {
                             auto* view = new AttentionView(&m_selection);
                             view->setTrace(m_reading);
                             return view;
                         },
                         [](StageState& s) {
                             s.attention.quantity = AttentionOptions::Quantity::Scores;
                             s.attention.picture = AttentionOptions::Picture::Text;
                         },
                         {press("Rollout"), press("All heads"), press("All as a wall")}});
        cases.push_back(
            {ViewName::Attention,
             [this] {
                 auto* view = new AttentionView(&m_selection);
                 view->setTrace(m_reading, AttentionView::Missing::Sentence, m_model.get());
                 return view;
             },
             [](StageState& s) {
                 s.attention.top = 30;
                 s.attention.withoutSpecials = s.attention.withoutFirst = true;
                 s.attention.pairs = AttentionOptions::Pairs::WithinFirst;
                 s.attention.zoom = 2.25;
             },
             {key("Strongest lines", Qt::Key_Left), press("Special tokens"), press("First word"),
              with<AttentionView>([](auto& view) { QTest::keyClick(view.stage()->matrix(), Qt::Key_Plus); })}});
        cases.push_back({ViewName::Attention,
                         [this] {
                             auto* view = new AttentionView(&m_selection);
                             view->setTrace(m_reading);
                             return view;
                         },
                         [](StageState& s) {
                             s.attention.picture = AttentionOptions::Picture::Wall;
                             s.attention.order = AttentionOptions::Order::Entropy;
                             s.attention.habit = AttentionOptions::Habit::Broad;
                             s.attention.withoutFirst = true;
                             s.attention.firstLayer = 2;
                             s.attention.lastLayer = 2;
                             s.attention.least = 0.25;
                         },
                         {press("All as a wall"), press("Distance"), press("Without the first word"),
                          key("everything a little", Qt::Key_Space), key("with a weight of at least", Qt::Key_Left),
                          with<AttentionView>([](auto& view) {
                              auto* layers = view.wall()->template findChild<RangeSlider*>();
                              QTest::keyClick(layers, Qt::Key_Left);
                          }),
                          press("One block")}});
        cases.push_back({ViewName::Decode,
                         [this] {
                             auto* view = new DecodeView;
                             view->setResult(searchNow(m_model, QStringLiteral("tôi yêu bạn"), {}));
                             return view;
                         },
                         [](StageState& s) { s.decode.deadEndsShown = true; },
                         {press("Shown")}});
        cases.push_back({ViewName::Decode,
                         [this] {
                             auto* view = new NextWordView;
                             view->setReading(m_writer, m_writerReading);
                             return view;
                         },
                         [](StageState& s) {
                             s.decode.temperature = 0.33;
                             s.decode.topK = 7;
                             s.decode.topP = 0.925;
                             s.decode.river = DecodeOptions::River::Text;
                             s.decode.nextWord = true;
                         },
                         {key("Temperature", Qt::Key_Left), key("Top k", Qt::Key_Left), key("Top p", Qt::Key_Left),
                          press("Along the text")}});
        cases.push_back(
            {ViewName::Compare,
             [this] { return compare(); },
             [](StageState& s) {
                 s.compare.with = CompareOptions::With::Heads;
                 s.compare.against = "vi-en-gru";
                 s.compare.without = {"decoder.layers.0.cross_attn.2"};
                 s.compare.beside = "tôi yêu bạn";
                 s.compare.changes = {"decoder.layers.0.cross_attn.weights[3,2,1]=0.5"};
             },
             {with<CompareView>([](auto& view) { QTest::keyClick(view.models(), Qt::Key_Up); }),
              press("Itself without heads"), key("Attention block", Qt::Key_Up), key("Heads to silence", Qt::Key_Space),
              press("Itself and another sentence"),
              with<CompareView>([](auto& view) { QTest::keyClicks(view.other(), QStringLiteral("anh")); })}});
        cases.push_back(
            {ViewName::Forcing,
             [this] {
                 auto* view = new ForcingView;
                 view->setSettling(&m_settling);
                 const QString source = QStringLiteral("tôi đang học tiếng anh");
                 view->setReading(m_model, readSentence(*m_model, source, {}, QStringLiteral("we are")));
                 return view;
             },
             [](StageState& s) {
                 s.forcing.word = 3;
                 s.forcing.truth = {"1"};
             },
             {key("The decoder fed the truth and fed its own words", Qt::Key_Right), press("Hand in the truth here"),
              press("Let it read its own word"), key("Right word, place by place", Qt::Key_Left)}});
        cases.push_back({ViewName::Bleu,
                         [this] {
                             auto* view = new BleuView;
                             view->setSettling(&m_settling);
                             view->setReading(m_model,
                                              readSentence(*m_model, QStringLiteral("tôi đang học tiếng anh")));
                             return view;
                         },
                         [](StageState& s) {
                             s.bleu.sentence = 9;
                             s.bleu.ngram = 2;
                             s.bleu.references = {"i study english", "i am studying english"};
                         },
                         {press("3"), with<BleuView>([](auto& view) {
                              view.referenceInput()->setText(QStringLiteral("i study english"));
                              QTest::keyClick(view.referenceInput(), Qt::Key_Return);
                          }),
                          press("Remove it"),
                          key("Test sentences by the length of their translation and their own BLEU", Qt::Key_Right)}});
        cases.push_back({ViewName::Embeddings,
                         [this] {
                             auto* view = new EmbeddingView;
                             view->setSettling(&m_settling);
                             view->setModel(m_model);
                             return view;
                         },
                         [](StageState& s) {
                             s.embeddings.side = EmbeddingsOptions::Side::Target;
                             s.embeddings.nearest = "love";
                         },
                         {key("Table", Qt::Key_Down), with<EmbeddingView>([](auto& view) {
                              QTest::keyClicks(view.search(), QStringLiteral("love"));
                          }),
                          with<EmbeddingView>([](auto& view) { emit view.neighbours()->chosen(0); })}});
        cases.push_back(
            {ViewName::ByName,
             [] { return new ByNameView; },
             [](StageState& s) { s.byName.words = "pythia"; },
             {with<ByNameView>([](auto& view) { QTest::keyClicks(view.input(), QStringLiteral("pythia")); })}});
        cases.push_back({ViewName::Cost,
                         [] { return new CostView; },
                         [](StageState& s) {
                             s.cost.words = 77;
                             s.cost.width = 333;
                             s.cost.kernel = 5;
                             s.cost.dilated = false;
                             s.cost.model = CostOptions::Model::Lstm;
                             s.cost.source = 120;
                             s.cost.target = 90;
                             s.cost.embedding = 12;
                             s.cost.hidden = 20;
                             s.cost.biases = 2;
                         },
                         {key("n, words", Qt::Key_Right), key("d, numbers a word", Qt::Key_Right),
                          key("k, width of a convolution", Qt::Key_Right), press("plain"), press("An LSTM translator"),
                          key("Operations as the words grow", Qt::Key_Right)}});
        cases.push_back({ViewName::TrainingSettings,
                         [] { return new TrainingSettings; },
                         [](StageState& s) {
                             s.training.settings = {
                                 "arch=rnn",           "attention=none",  "cell=gru",
                                 "dropout=0.25",       "hidden_size=128", "label_smoothing=0",
                                 "learning_rate=x2.5", "num_heads=2",     "num_layers=3",
                                 "schedule=noam",      "steps=300",       "teacher_forcing=0.75:0.2"};
                         },
                         {key("Heads", Qt::Key_Left), key("Steps", Qt::Key_Right), key("Schedule", Qt::Key_Up),
                          key("Dropout", Qt::Key_Right), key("Model", Qt::Key_Down)}});
        cases.push_back({ViewName::TrainingSettings,
                         [] { return new TrainingSettings; },
                         [](StageState& s) {
                             s.training.settings = {
                                 "tokens_per_batch=1500", "accumulate=4",       "clip_norm=0.5",    "beta1=0.95",
                                 "beta2=0.999",           "weight_decay=0.03",  "warmup_steps=123", "patience=3",
                                 "validate_every=40",     "tie_embeddings=true"};
                         },
                         {[](QWidget& view) {
                              press("More")(view);
                              press("Tokens")(view);
                          },
                          key("Batch, in tokens", Qt::Key_Right), key("Weight decay", Qt::Key_Right),
                          key("Longest gradient (clipping)", Qt::Key_Right), key("Warm-up steps", Qt::Key_Right),
                          key("Patience, in validations (early stopping)", Qt::Key_Right)}});
        cases.push_back(
            {ViewName::TrainingHeads,
             [] {
                 auto* view = new TrainingHeadsView;
                 view->story()->append(headsFrames());
                 return view;
             },
             [](StageState& s) {
                 s.training.film = "encoder.layers.1.self_attn.2";
                 s.training.frame = 100;
                 s.training.learnt = "2";
             },
             {key("Heads being born", Qt::Key_Left), key("Heads being born", Qt::Key_Right),
              key("Loss, and the step that is looked at", Qt::Key_Left), key("Film of one head", Qt::Key_Left)}});
        cases.push_back({ViewName::TrainingSettings,
                         [] { return new TrainingSettings; },
                         [](StageState& s) {
                             s.training.settings = {"d_model=32", "num_decoder_layers=1", "num_encoder_layers=1"};
                         },
                         {key("Learning rate, times the usual", Qt::Key_Right)}});
        return cases;
    }

private:
    template <class View>
    View* reads(View* view, bool recurrent = false) {
        if constexpr (requires { view->setSettling(&m_settling); }) view->setSettling(&m_settling);
        view->setReading(recurrent ? m_recurrent : m_model, recurrent ? m_recurrentReading : m_reading);
        return view;
    }

    std::shared_ptr<const TrainedModel> m_model, m_recurrent, m_writer;
    std::shared_ptr<const Trace> m_reading, m_recurrentReading, m_writerReading;
    Settling m_settling;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<Comparison> m_comparison;
    Selection m_selection;
};

}  // namespace headlight::fixture
