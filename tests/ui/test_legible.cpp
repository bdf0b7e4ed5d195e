// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what is written can be read, in every view and at every size of window.
#include <QDir>
#include <QFontMetricsF>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>
#include <algorithm>

#include "core/lessons/stage_state.h"
#include "tests/ui/drawn.h"
#include "tests/ui/stage_pictures.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/shell/figure_export.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/rooms.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/decode/decode_view.h"
#include "ui/views/laboratory/position_view.h"
#include "ui/views/residual/profile_stack.h"
#include "ui/views/surgery/surgery_maps.h"
#include "ui/views/train/training_chart.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/heads/head_strip.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/value_strips.h"
#include "ui/widgets/time/plain_chart.h"
#include "ui/widgets/time/unrolled_rnn.h"

using namespace headlight;

namespace {

const QString models = QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/");

/// What a button or a field reads that leads on to something, or what stands between two numbers.
const QStringList deliberate = {"…",
                                "Open a folder…",
                                "Export progress…",
                                "Open a course…",
                                "Open a model…",
                                "Save …",
                                "Drop your text here, or choose …",
                                "Find: scores, layers.1, …"};

/// Lists of sentences: what a model writes before it has learnt anything, and what people have written, may be of any
/// length; from the third word on it may go on in a tip. All else in these views has to be whole.
constexpr ViewName listsSentences[] = {ViewName::Training, ViewName::TrainingHeads, ViewName::Sentences,
                                       ViewName::Models};
const QRegularExpression legibleSentence(QStringLiteral("^[“\\w<].*\\S+ \\S+ .*…$"),
                                         QRegularExpression::UseUnicodePropertiesOption);

/// Lists of tensors by their names, which differ in their ends: a name that is too long loses its beginning.
constexpr ViewName listsTensors[] = {ViewName::Models, ViewName::Cost};
const QRegularExpression endOfName(QStringLiteral("^…[\\w.]+$"));

bool mayBeCut(ViewName view, const QString& text) {
    return deliberate.contains(text) ||
           (std::ranges::count(listsSentences, view) > 0 && legibleSentence.match(text).hasMatch()) ||
           (std::ranges::count(listsTensors, view) > 0 && endOfName.match(text).hasMatch());
}

/// Of a text without its beginning, its middle or its end; before a number a word gives way: "alig… 100 %".
const QRegularExpression shortened(QStringLiteral("(\\S…(?! \\d))|(^…)|(…$)"));
const QRegularExpression hyphenated(QStringLiteral("(^|[\\s(\\[=×·])-\\d"));

constexpr QSize sizes[] = {{1024, 700}, {1280, 800}, {1440, 900}, {1920, 1080}, {2560, 1440}};

}  // namespace

class TestLegible : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { motion::setReduced(true); }
    void everyViewFitsASmallScreen_data() { rows(); }
    void everyViewFitsASmallScreen();
    void nothingIsCutShort_data() { rows(); }
    void nothingIsCutShort();

    /// It ran below the two numbers, and ended in “…”.
    void aCaptionGivesWayToNumbersBesideIt();

    /// At 1024×700 half of these pictures lay below the edge, or over one another.
    void aLowWindowShowsTheWholePicture();

    /// A card without a caption had an empty line for it where its title had little room.
    void aCardWithoutACaptionHasNoLineForIt();

    /// At 1024×700 the ends of Surgery's scales were cut off, and strips of colours stood there without theirs.
    void coloursHaveTheirScales();

    /// Beside a lesson the second line of what is found of a head was cut through.
    void headsOfANarrowStageAreNamedWhole();

    /// Beside a lesson the choices above the tree stood over one another.
    void theBarOfASearchGivesWayToItsControls();

private:
    QWidget* open(const char* model, ViewName view);
    static void rows();
    void show(const QString& model, ViewName view);

    ThemeManager m_theme{qApp};
    std::unique_ptr<MainWindow> m_window;
    QTemporaryDir m_folder;
};

void TestLegible::rows() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("view");
    for (const char* model : {"vi-en-transformer", "vi-en-long-lstm-attention", "stories-transformer"})
        for (size_t view = 0; view < viewWords().size(); ++view) {
            QTest::newRow(
                qPrintable(QStringLiteral("%1, %2").arg(QLatin1String(model), QLatin1String(viewWords()[view]))))
                << QString::fromLatin1(model) << static_cast<int>(view);
        }
}

void TestLegible::show(const QString& model, ViewName view) {
    if (!m_window) m_window = fixture::openWindow(m_theme);
    StageState state;
    state.model = (models + model + QStringLiteral(".safetensors")).toStdString();
    state.view = view;
    fixture::apply(*m_window, state);
}

void TestLegible::everyViewFitsASmallScreen() {
    QFETCH(QString, model);
    QFETCH(int, view);
    show(model, static_cast<ViewName>(view));
    const QSize least = m_window->minimumSizeHint();
    QVERIFY2(least.width() <= 1024 && least.height() <= 700,
             qPrintable(QStringLiteral("%1 x %2").arg(least.width()).arg(least.height())));
}

void TestLegible::nothingIsCutShort() {
    QFETCH(QString, model);
    QFETCH(int, view);
    show(model, static_cast<ViewName>(view));
    QStringList cut;
    for (const QSize size : sizes) {
        m_window->resize(size);
        for (int round = 0; round < 4; ++round)
            QApplication::processEvents();
        const QString path = m_folder.filePath(QStringLiteral("window.svg"));
        exportFigure(*m_window, path);
        const fixture::Drawn drawn(path);
        for (const QString& text : drawn.texts())
            if (hyphenated.match(text).hasMatch())
                cut << QStringLiteral("%1: %2 has a hyphen for its minus").arg(size.width()).arg(text);
            else if (shortened.match(text).hasMatch() && !mayBeCut(static_cast<ViewName>(view), text))
                cut << QStringLiteral("%1: %2").arg(size.width()).arg(text);
    }
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
}

void TestLegible::aCaptionGivesWayToNumbersBesideIt() {
    for (const char* caption : {"next word", "training: dropout 0.10, smoothing 0.10"}) {
        TrainingChart chart(QStringLiteral("Word accuracy"), QString::fromLatin1(caption),
                            {.format = {}, .readoutLines = 2});
        chart.resize(266, 222);
        chart.show();
        chart.setReadout(QStringLiteral("test 50.1 %"), QStringLiteral("train 61.9 %"));
        for (int round = 0; round < 4; ++round)
            QApplication::processEvents();
        QList<QLabel*> said = chart.findChildren<QLabel*>();
        said.removeIf([](const QLabel* label) { return label->text().isEmpty() || !label->isVisible(); });
        QCOMPARE(said.size(), 4);
        for (const QLabel* label : said) {
            const QRect whole =
                label->fontMetrics().boundingRect(QRect(0, 0, label->width(), 1000), Qt::TextWordWrap, label->text());
            QVERIFY2(whole.width() <= label->width() && whole.height() <= label->height(), qPrintable(label->text()));
        }
    }
}

void TestLegible::aCardWithoutACaptionHasNoLineForIt() {
    Card card(QStringLiteral("The text, in pieces"));
    auto* beside = new QWidget;
    beside->setMinimumWidth(200);
    card.header()->addWidget(beside);
    auto* held = new QWidget;
    card.body()->addWidget(held, 1);
    double heights[2] = {};
    for (const int wide : {240, 600}) {
        card.resize(wide, 300);
        card.show();
        for (int round = 0; round < 4; ++round)
            QApplication::processEvents();
        heights[wide == 600] = held->height();
    }
    QCOMPARE(heights[0], heights[1]);
}

/// At 1024×700.
QWidget* TestLegible::open(const char* model, ViewName view) {
    show(QString::fromLatin1(model), view);
    m_window->resize(1024, 700);
    for (int round = 0; round < 6; ++round)
        QApplication::processEvents();
    return m_window->rooms().current().viewWidget();
}

void TestLegible::coloursHaveTheirScales() {
    const auto* positions = open("vi-en-transformer", ViewName::Positions);
    auto* strips = positions->findChild<ValueStrips*>();
    const QString range =
        QStringLiteral("%1 … %2").arg(formatNumber(-strips->most(), 1), formatSigned(strips->most(), 1));
    QCOMPARE(fixture::drawn(*strips).texts().count(range), strips->strips().size());

    auto* maps = open("vi-en-transformer", ViewName::Surgery)->findChild<SurgeryMaps*>();
    const QStringList ends = fixture::drawn(*maps).texts();
    for (const char* end : {"−1", "1", "0", "1.5"})
        QVERIFY2(ends.contains(QString::fromUtf8(end)), qPrintable(ends.join(u'|')));
    // All depths of both stacks without scrolling.
    QVERIFY(maps->visibleRegion().boundingRect().height() >= maps->height() - 1);

    auto* profiles = open("stories-transformer", ViewName::Residuals)->findChild<ProfileStack*>();
    QVERIFY(fixture::drawn(*profiles).texts().count(QStringLiteral("+2")) > 2);
}

void TestLegible::headsOfANarrowStageAreNamedWhole() {
    QWidget page;
    auto* column = new QVBoxLayout(&page);
    auto* strip = new HeadStrip;
    auto* below = new QWidget;
    column->addWidget(strip);
    column->addWidget(below, 1);
    const std::vector<float> weights(4, 0.5F);
    HeadImage head;
    head.values = weights;
    head.rows = head.columns = 2;
    strip->setHeads(std::vector<HeadImage>(8, head), std::vector<double>(8, 0.5), 1,
                    QStringList(8, QStringLiteral("1.4 words off")));
    strip->setPictured(false);
    for (const int wide : {1200, 520, 900, 480}) {
        page.resize(wide, 400);
        page.show();
        for (int round = 0; round < 4; ++round)
            QApplication::processEvents();
        QCOMPARE(strip->height(), strip->heightForWidth(strip->width()));
    }
}

void TestLegible::theBarOfASearchGivesWayToItsControls() {
    open("vi-en-transformer", ViewName::Decode);
    const auto* view = m_window->findChild<DecodeView*>();
    const QSize before = m_window->size();
    const int least = m_window->minimumWidth();
    for (const int wide : {1600, least, 1600}) {
        m_window->resize(wide, before.height());
        for (int round = 0; round < 4; ++round)
            QApplication::processEvents();
        int captions = 0;
        for (const QWidget* control :
             view->beam()->parentWidget()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
            if (!control->isVisible()) continue;
            const auto* label = qobject_cast<const QLabel*>(control);
            captions += label && !label->text().isEmpty() ? 1 : 0;
            QVERIFY2(control->width() >= control->sizeHint().width(), qPrintable(QString::number(wide)));
        }
        QCOMPARE(captions == 3, wide > least);
    }
    m_window->resize(before);
}

void TestLegible::aLowWindowShowsTheWholePicture() {
    const auto* recurrent = open("vi-en-long-lstm-attention", ViewName::Recurrent);
    const auto* unrolled = recurrent->findChild<UnrolledRnn*>();
    QVERIFY(unrolled->visibleRegion().boundingRect().height() >= unrolled->height() - 1);
    QVERIFY(unrolled->writtenRect(unrolled->chosen()).top() > 0);
    const auto* strips = recurrent->findChild<ValueStrips*>();
    QVERIFY(strips->cellRect(int(strips->strips().size()) - 1, 0).bottom() <= strips->height());

    const auto* masks = open("vi-en-transformer", ViewName::Masks);
    double wide = 0;  // of their cells: all three are as wide, so that their heads stand alike
    for (const auto* matrix : masks->findChildren<MatrixView*>()) {
        if (!matrix->isVisible()) continue;
        if (wide > 0) QCOMPARE(matrix->cellRect({0, 0}).width(), wide);
        wide = matrix->cellRect({0, 0}).width();
        QVERIFY2(matrix->verticalScrollBar()->maximum() == 0,
                 qPrintable(QStringLiteral("%1: %2 px too low")
                                .arg(matrix->accessibleName())
                                .arg(matrix->verticalScrollBar()->maximum())));
    }

    // Of a chart that is too low all numbers are written as “…”.
    const auto* similarity = dynamic_cast<PositionView*>(open("vi-en-transformer", ViewName::Positions))->similarity();
    const QStringList written = fixture::drawn(*similarity->viewport()).texts();
    for (const QString& label : similarity->labelsBeside() + similarity->labelsBelow())
        QVERIFY2(written.contains(label), qPrintable(written.join(u'|')));

    StageState state;
    state.model = (models + QStringLiteral("vi-en-transformer.safetensors")).toStdString();
    state.view = ViewName::Architecture;
    state.architecture.level = ArchitectureOptions::Level::Block;
    state.focus = "decoder.layers.0.cross_attn.weights";
    fixture::apply(*m_window, state);
    const auto* stage = m_window->rooms().current().viewWidget()->findChild<ArchitectureStage*>();
    for (const OperationGraph::Node& node : stage->graph().nodes) {
        const double title = node.matrix.top() - node.title;
        const QRectF name(node.matrix.left(), title - 8, node.matrix.width(), 16);
        for (const OperationGraph::Node& other : stage->graph().nodes)
            QVERIFY2(&node == &other || !other.matrix.intersects(name), "a name stands on a matrix");
        QVERIFY(node.matrix.height() > 40);
    }
}

QTEST_MAIN(TestLegible)
#include "test_legible.moc"
