// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of words as the window draws them: their text, joined where they touch, and no mark of a vocabulary.
#include <QHelpEvent>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>

#include <nlohmann/json.hpp>

#include "core/data/new_model.h"
#include "core/io/model_file.h"
#include "tests/foreign_folder.h"
#include "tests/ui/calm_theme.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "tests/ui/stage_pictures.h"
#include "ui/session/format/piece_text.h"
#include "ui/session/open/session.h"
#include "ui/session/trace/lens_picture.h"
#include "ui/session/trace/loss_picture.h"
#include "ui/session/trace/said_words.h"
#include "ui/session/trace/word_behind.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/workbench.h"
#include "ui/widgets/words/batch_strip.h"
#include "ui/widgets/words/shaded_text.h"
#include "ui/widgets/words/token_strip.h"
#include "ui/widgets/words/word_chips.h"

using namespace headlight;
using fixture::apply;

namespace {

const QStringList drawnPieces = {QStringLiteral("J'‿"), QStringLiteral("‿ignore"), QStringLiteral("où")};

/// Marks of the schemes before, behind or between letters.
const QRegularExpression& schemeMarks() {
    static const QRegularExpression found(QStringLiteral("@@|</w>|##\\p{L}|[▁Ġ]\\p{L}"));
    return found;
}

}  // namespace

class TestPiecesDrawn : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = fixture::calmTheme(m_folder);
        const QStringList verbs = {QStringLiteral("ignore"), QStringLiteral("adore"), QStringLiteral("admire")};
        Corpus corpus;
        for (const QString& one : verbs)
            for (const QString& other : verbs)
                corpus.push_back({(one + QStringLiteral(" nulle part et ") + other).toStdString(),
                                  (other + QStringLiteral(" nowhere and ") + one).toStdString()});
        ModelConfig config;
        config.dModel = 16;
        config.numHeads = 2;
        config.numEncoderLayers = config.numDecoderLayers = 1;
        config.dFf = 16;
        config.maxLength = 40;
        TrainedModel model = newModel(config.toJson(), {.kind = TokenizerOptions::Kind::Bpe, .merges = 12}, corpus, 1);
        m_own = m_folder.filePath(QStringLiteral("own.safetensors"));
        saveModel(model, m_own.toStdString());
    }
    void cleanupTestCase() { m_theme.reset(); }

    void touchingChipsHaveNoGapAndNoMark() {
        TokenStrip strip;
        strip.resize(400, 60);
        strip.setTokens({drawnPieces, {}, 0, {QStringLiteral("J'@@"), QStringLiteral("ignore"), QStringLiteral("où")}});
        QVERIFY(strip.chipRect(1).left() < strip.chipRect(0).right());
        QVERIFY(strip.chipRect(2).left() > strip.chipRect(1).right());
        QVERIFY(fixture::drawn(strip).writes({QStringLiteral("J'"), QStringLiteral("ignore"), QStringLiteral("où")}));
        QCOMPARE(strip.accessibleName(), QStringLiteral("J'ignore où"));
        // The tip says what the vocabulary has.
        QHelpEvent help(QEvent::ToolTip, strip.chipRect(0).center().toPoint(), QPoint(10, 10));
        QCoreApplication::sendEvent(&strip, &help);
        QVERIFY(QToolTip::text().contains(QStringLiteral("J'@@")));
        QToolTip::hideText();
        // Where a line ends between them each says again that it goes on.
        strip.resize(90, 100);
        strip.setTokens({drawnPieces});
        QVERIFY(strip.chipRect(1).top() > strip.chipRect(0).top());
        QVERIFY(fixture::drawn(strip).writes(drawnPieces));
    }

    void everyRowOfChipsJoins() {
        WordChips chips;
        chips.resize(400, 40);
        chips.setWords(drawnPieces, WordChips::Of::Decoder);
        QVERIFY(chips.chipRect(1).left() < chips.chipRect(0).right());
        QVERIFY(chips.chipRect(2).left() > chips.chipRect(1).right());
        QVERIFY(fixture::drawn(chips).mentions(QStringLiteral("ignore")));
        chips.setChosen(1);
        QCOMPARE(chips.accessibleDescription(), QStringLiteral("ignore, part of a word"));
        ShadedText text;
        text.resize(500, 300);
        text.setText({drawnPieces, drawnPieces, std::vector<float>(9, 0.3f), QStringLiteral("a"), QStringLiteral("b")});
        QVERIFY(text.keyRect(1).left() - text.keyRect(0).right() <= 1);
        QVERIFY(text.keyRect(2).left() > text.keyRect(1).right());
        BatchStrip batch;
        batch.resize(500, 60);
        batch.setRows({{drawnPieces, 3}});
        for (QWidget* each :
             {static_cast<QWidget*>(&chips), static_cast<QWidget*>(&text), static_cast<QWidget*>(&batch)})
            QVERIFY(!fixture::drawn(*each).mentions(QStringLiteral("‿")));
    }

    void piecesAreReadAsText() {
        QCOMPARE(textOf(drawnPieces), QStringLiteral("J'ignore où"));
        QVERIFY(touchesBefore(drawnPieces, 1) && !touchesBefore(drawnPieces, 2) && !touchesBefore(drawnPieces, 0));
        QCOMPARE(chipText({QStringLiteral("‿lle")}, 0), QStringLiteral("‿lle"));
        QCOMPARE(spokenPiece(QStringLiteral("le")), QStringLiteral("le"));
    }

    /// “ent” behind “jou‿” was drawn like a word of its own.
    void whatIsSaidBehindAPieceJoinsIt_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("behind");
        QTest::newRow("a translator") << "en-fr-transformer"
                                      << "jou‿"
                                      << "‿ent";
        QTest::newRow("a language model") << "tales-transformer"
                                          << "pla‿"
                                          << "‿ying";
    }
    void whatIsSaidBehindAPieceJoinsIt() {
        QFETCH(QString, name);
        QFETCH(QString, before);
        QFETCH(QString, behind);
        const auto model = fixture::shippedModel(name);
        const auto trace = readSentence(*model, QStringLiteral("The children are playing in the garden.")).trace;
        LossPicture loss(model, trace, {});
        int at = 0;
        while (at < loss.words() && loss.target(at) != before)
            ++at;
        QVERIFY(at + 1 < loss.words());
        QCOMPARE(loss.target(at + 1), behind);
        const WordCost& cost = loss.costs()[static_cast<size_t>(at + 1)];
        QCOMPARE(LensPicture(model, trace).word(cost.position, cost.target), behind);
        const SaidWords said(model, trace, cost.position);
        QCOMPARE(said.name(cost.target), behind);
        QCOMPARE(said.written()[cost.position], behind);
        // Behind a whole word the same token stands alone.
        QVERIFY(!wordBehind(*model->target, model->target->encode("in").front(), cost.target).startsWith(u'‿') ||
                model->target->marks().kind == PieceMarks::Kind::Starts ||
                model->target->marks().kind == PieceMarks::Kind::Continues);
    }

    void noViewWritesTheMarksOfAVocabulary_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("text");
        QTest::newRow("own") << m_own << QStringLiteral("nulle part et adore ignorer");
        for (const fixture::ForeignWithWords& each : fixture::foreignWithWords()) {
            const QString folder = m_folder.filePath(QLatin1String(each.model) + u'-' + QLatin1String(each.tokenizer));
            fixture::writeForeign(each, folder.toStdString());
            QTest::addRow("%s, %s", each.model, each.tokenizer) << folder << QString::fromUtf8(each.text);
        }
    }
    /// In pictures, in words, in tips of every part and in what is read out; but where the marks are what it is about.
    void noViewWritesTheMarksOfAVocabulary() {
        QFETCH(QString, model);
        QFETCH(QString, text);
        const auto window = fixture::openWindow(*m_theme);
        // An id behind the vocabulary is written so; it is no piece.
        const QRegularExpression idAlone(QStringLiteral("<no▁token▁\\d+>"));
        StageState state;
        state.model = model.toStdString();
        state.source = text.toStdString();
        for (const Room* room : window->rooms().all())
            for (const Room::View& view : room->views()) {
                if (view.name == ViewName::Subwords || view.name == ViewName::Lessons) continue;
                state.view = view.name;
                apply(*window, state);
                const char* const name = viewWords()[static_cast<size_t>(view.name)];
                for (const QString& drawn : fixture::drawn(*window).texts())
                    QVERIFY2(!schemeMarks().match(drawn).hasMatch(), qPrintable(QLatin1String(name) + u' ' + drawn));
                for (const QWidget* each : window->findChildren<QWidget*>())
                    for (const QString& said : {each->accessibleName(), each->accessibleDescription()})
                        QVERIFY2(!schemeMarks().match(QString(said).remove(idAlone)).hasMatch(),
                                 qPrintable(QLatin1String(name) + u' ' + said));
            }
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<ThemeManager> m_theme;
    QString m_own;
};

QTEST_MAIN(TestPiecesDrawn)
#include "test_pieces_drawn.moc"
