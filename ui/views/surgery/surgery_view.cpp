// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/surgery/surgery_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/interventions.h"
#include "core/experiment/one_word_off.h"
#include "core/import/import_model.h"
#include "core/io/model_file.h"
#include "core/json_text.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/shipped.h"
#include "ui/views/surgery/surgery_maps.h"
#include "ui/views/surgery/surgery_side.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/controls/progress_line.h"

namespace headlight {

using Kind = PatchDepth::Kind;

namespace {

constexpr int kSurgeryMargin = 20;

/// Those that ship with the program and have the same network as `model`.
QFileInfoList modelsLike(const TrainedModel& model) {
    QFileInfoList found;
    for (const QFileInfo& file : shippedModels())
        if (readModelCard(file.filePath().toStdString()).config == model.network->config()) found << file;
    return found;
}

/// Null for none. Throws Error where it is not there; `missed`: why a step of a run is not.
std::shared_ptr<const TrainedModel> readerCalled(const QString& key, const QString& missed) {
    if (key.isEmpty()) return nullptr;
    if (isModelOfRun(key))
        throw Error(missed.isEmpty() ? "the model of that step is not held yet: its run goes to that step now"
                                     : "the model of that step is not held: " + missed.toStdString());
    return std::make_shared<const TrainedModel>(openModel(key.toStdString()));
}

/// One that stands there is taken out, one that is switched off comes on again.
std::vector<SurgeryEdit> toggled(std::vector<SurgeryEdit> edits, const SurgeryEdit& edit) {
    const auto there = std::ranges::find_if(edits, [&](const SurgeryEdit& each) { return each.isWhere(edit); });
    if (there == edits.end())
        edits.push_back(edit);
    else if (there->isOn)
        edits.erase(there);
    else
        there->isOn = true;
    return edits;
}

}  // namespace

SurgeryView::SurgeryView(QWidget* parent)
    : ViewWidget(parent),
      m_pages(new QStackedLayout(this)),
      m_answer(new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary)),
      m_story(new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary)),
      m_pieces(new SegmentedControl({tr("State"), tr("Sublayer"), tr("Head")})),
      m_bar(new OtherBar(m_pieces)),
      m_progress(new ProgressLine),
      m_failure(new FailureBox),
      m_missing(new Caption({}, 13, QFont::Normal, Caption::Tone::Main)),
      m_maps(new SurgeryMaps),
      m_side(new SurgerySide) {
    connect(m_maps, &SurgeryMaps::chosen, this, [this](const SurgeryEdit& edit) { setEdits(toggled(m_edits, edit)); });
    connect(m_maps, &SurgeryMaps::pointed, this, &SurgeryView::point);
    auto* none = new EmptyPage(tr("No model is open. Open one and type a sentence to operate on its reading."),
                               tr("Open a model"));
    m_pages->addWidget(none);
    m_pages->addWidget(new EmptyPage(tr("Type a sentence above: pieces of another reading are put into it."), {}));
    m_pages->addWidget(
        new EmptyPage(tr("This model has no head that says words or labels, so nothing tells whether its "
                         "answer moved. Open one that writes."),
                      {}));
    m_pages->addWidget(makeRoom());
    connect(none, &EmptyPage::activated, this, &SurgeryView::openModelRequested);
    connect(m_bar, &OtherBar::changed, this, [this] {
        m_edits.clear();
        read();
        emit optionsChanged();
    });
    connect(m_pieces, &SegmentedControl::currentChanged, this, [this](int index) {
        m_kind = static_cast<SurgeryOptions::Pieces>(index);
        read();
        emit optionsChanged();
    });
    connect(m_side, &SurgerySide::undoWanted, this, [this] {
        std::vector<SurgeryEdit> edits = m_edits;
        edits.pop_back();
        setEdits(std::move(edits));
    });
    connect(m_side, &SurgerySide::clearWanted, this, [this] { setEdits({}); });
    connect(m_side, &SurgerySide::copyWanted, this, [this] {
        QGuiApplication::clipboard()->setText(QString::fromStdString(jsonText(toJson(m_picture->changes(m_edits)), 2)));
    });
    connect(m_side, &SurgerySide::switched, this, [this](int edit, bool on) {
        std::vector<SurgeryEdit> edits = m_edits;
        edits[static_cast<size_t>(edit)].isOn = on;
        setEdits(std::move(edits));
    });
}

void SurgeryView::setSettling(Settling* settling) {
    m_settling = settling;
    m_reading.setSettling(settling);
    m_operating.setSettling(settling);
}

QWidget* SurgeryView::makeRoom() {
    auto* room = new QWidget;
    auto* across = new QHBoxLayout(room);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(0);
    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    left->addWidget(m_bar);
    m_bar->setPanelName("controls");
    m_side->setPanelName("side");
    auto* stage = new QVBoxLayout;
    stage->setContentsMargins(kSurgeryMargin, 12, kSurgeryMargin, 12);
    stage->setSpacing(8);
    stage->addWidget(new Caption(tr("Put a piece of B into A"), 18, QFont::DemiBold, Caption::Tone::Main));
    m_answer->setWordWrap(true);
    stage->addWidget(m_answer);
    stage->addWidget(m_progress);
    stage->addWidget(m_failure);
    m_failure->hide();
    m_missing->setWordWrap(true);
    m_missing->hide();
    stage->addWidget(m_missing);
    auto* const maps = scrolling(m_maps);
    maps->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);  // a map of a hundred pieces is too wide by itself
    stage->addWidget(maps, 1);
    m_story->setWordWrap(true);
    stage->addWidget(m_story);
    left->addLayout(stage, 1);
    across->addLayout(left, 1);
    across->addWidget(m_side);
    return room;
}

void SurgeryView::setReading(const std::shared_ptr<const TrainedModel>& model, const QString& a) {
    m_model = model;
    m_a = a;
    const ModelConfig* const config = model ? &model->network->config() : nullptr;
    const Page page = !config ? NoModel : config->headless() ? Headless : a.isEmpty() ? NoSentence : Room;
    m_pages->setCurrentIndex(page);
    m_picture.reset();
    m_operating.drop();  // what it makes is of the picture that is gone
    if (page == Room) return read();
    m_reading.drop();
}

/// The readings, where they are not those that are there; and the map of the kind that is wanted.
void SurgeryView::read() {
    if (m_pages->currentIndex() != Room) return;
    const OtherBar::Wanted wanted = m_bar->wanted();
    const std::shared_ptr<const SurgeryPicture> known =
        m_picture && m_picture->a() == m_a && wanted == m_readFor ? m_picture : nullptr;
    m_readFor = wanted;
    m_pointed.reset();
    m_progress->setShare(0);
    std::shared_ptr<const TrainedModel> reader = m_bar->held(wanted.reader);
    if (!reader && m_reader.first == wanted.reader) reader = m_reader.second;
    const bool lists = m_readersOf.lock() != m_model;
    m_reading.ask<Read>(
        [this, known, wanted, reader, lists, model = m_model, a = m_a, kind = kind(),
         missed = m_missed](const Background::Wanted& isWanted) {
            Read read{known, {}, {}, {}, {}, reader};
            if (lists) read.readers = modelsLike(*model);
            try {
                if (!known) {
                    QString other = wanted.sentence.isEmpty() && wanted.isReadOtherwise() ? a : wanted.sentence;
                    if (other.isEmpty())
                        other = QString::fromStdString(oneWordOff(*model, a.toStdString(), isWanted).value_or(""));
                    if (other.isEmpty()) {
                        read.missing =
                            tr("No change of a single word was found that changes the answer to “%1”. Type a "
                               "sentence into B whose answer is another one.")
                                .arg(a);
                        return read;
                    }
                    if (!read.reader) read.reader = readerCalled(wanted.reader, missed);
                    SurgeryOther how{{}, read.reader};
                    for (const QString& head : wanted.without)
                        how.muted.push_back(parseMutedHead(head.toStdString(), *model->network));
                    read.picture = std::make_shared<const SurgeryPicture>(model, a, other, how);
                }
            } catch (const AnsweredAlike& alike) {
                read.missing = tr("A and B are both answered with “%1”, so nothing can be moved from one to the other. "
                                  "Change B so that its answer is another one.")
                                   .arg(QString::fromStdString(alike.answer()));
                return read;
            } catch (const Error& error) {  // readings that cannot be compared are no failure of the stage
                read.failure = tr("The two readings were not compared: %1").arg(QString::fromUtf8(error.what()));
                return read;
            }
            read.map = read.picture->read(kind, [this, &isWanted](double share) {
                QMetaObject::invokeMethod(this, [this, share] {
                    if (isBusy()) m_progress->setShare(share);
                });
                return isWanted();
            });
            return read;
        },
        [this](Read read) { take(std::move(read)); },
        [this](const QString& why) { take({.failure = tr("The pieces were not read: %1").arg(why)}); });
}

void SurgeryView::take(Read read) {
    m_progress->setShare(-1);
    if (read.readers) {
        m_readersOf = m_model;
        m_bar->setReaders(*read.readers);
    }
    m_reader = {m_readFor.reader, read.reader};
    m_failure->setVisible(!read.failure.isEmpty());
    m_failure->setText(read.failure);
    m_missing->setVisible(!read.missing.isEmpty());
    m_missing->setText(read.missing);
    m_picture = std::move(read.picture);
    m_map = std::move(read.map);
    showMaps();
    operate();
}

/// What the edits make of A, and with them the piece under the pointer.
void SurgeryView::operate() {
    if (!m_picture) return m_operating.drop();
    const auto edits = m_pointed ? toggled(m_edits, *m_pointed) : m_edits;
    m_operating.ask<SurgeryPicture::Outcome>([picture = m_picture, edits] { return picture->outcome(edits); },
                                             [this, tried = m_pointed](SurgeryPicture::Outcome outcome) {
                                                 m_outcome = std::move(outcome);
                                                 m_tried = tried;
                                                 showOutcome();
                                             },
                                             [this](const QString& why) {
                                                 m_failure->setText(tr("The edits were not carried out: %1").arg(why));
                                                 m_failure->show();
                                             });
}

void SurgeryView::showMaps() {
    const QSignalBlocker quiet(m_pieces);
    m_pieces->setCurrentIndex(static_cast<int>(m_kind));
    m_maps->setShares(m_picture, kind(), m_map);
    m_bar->setPicture(m_picture.get());
    if (m_picture) return m_answer->setText(answerOf());
    m_side->setOutcome(nullptr, {}, {}, {});
    m_answer->clear();
    m_story->clear();
}

void SurgeryView::showOutcome() {
    m_maps->setOutcome(m_outcome, m_edits, m_tried);
    m_side->setOutcome(m_picture, m_outcome, m_edits, m_tried);
    m_story->setText(storyOf());
}

QString SurgeryView::answerOf() const {
    const Patching& patching = m_picture->patching();
    const QString a = m_picture->name(patching.wordOfA()), b = m_picture->name(patching.wordOfB());
    if (patching.answerAlike()) {
        const double nearer = patching.differenceOfB() - patching.differenceOfA();
        return (nearer < 0 ? tr("Both say “%1”, in B “%2” lies further behind by %3: a square's number is how much of "
                                "that way the answer goes")
                           : tr("Both say “%1”, in B “%2” comes nearer by %3: a square's number is how much of that "
                                "way the answer goes"))
            .arg(a, b, formatNumber(std::abs(nearer), 3));
    }
    return tr("A says “%1”, B “%2”: a square's number is how much of that way the answer goes").arg(a, b);
}

/// The strongest place of each side.
QString SurgeryView::storyOf() const {
    const auto depths = m_picture->depths(kind());
    QStringList told;
    for (const bool ofSource : {true, false}) {
        double most = 0;
        QString best;
        for (size_t i = 0; i < depths.size(); ++i)
            for (size_t position = 0; depths[i]->ofSource == ofSource && position < m_map[i].size(); ++position) {
                if (m_map[i][position].value_or(0) <= most) continue;
                most = *m_map[i][position];
                best = tr("“%1” (%2): %3")
                           .arg(m_picture->wordsOfB(*depths[i]).value(static_cast<int>(position)),
                                SurgeryPicture::placeOf(*depths[i]), formatNumber(most));
            }
        if (!best.isEmpty()) told << best;
    }
    return told.isEmpty() ? tr("No single piece of this kind moves the answer towards B.")
                          : tr("Most of the answer moves with %1.").arg(told.join(tr(", and with ")));
}

/// What a piece would do is seen before it is done; nothing is told to others.
void SurgeryView::point(const std::optional<SurgeryEdit>& edit) {
    if (std::exchange(m_pointed, edit) != edit) operate();
}

/// What was just done is not undone under a pointer that rests there.
void SurgeryView::setEdits(std::vector<SurgeryEdit> edits) {
    m_pointed.reset();
    m_edits = std::move(edits);
    operate();
    emit optionsChanged();
}

/// A link may name a step of a run that nobody has kept here: whoever has the run is asked for it, once.
void SurgeryView::awaitReader(const StageState& state) {
    const QString& key = m_bar->wanted().reader;
    const bool isThere = !isModelOfRun(key) || m_bar->held(key);
    if (isThere || m_awaited != key) {
        m_awaited.clear();
        m_missed.clear();
        m_awaits.done();
    }
    if (isThere || m_awaited == key) return;
    m_awaited = key;
    if (m_settling) m_awaits = m_settling->start();
    emit readerWanted(state);
}

void SurgeryView::hold(const KeptModel& model) {
    m_bar->hold(model);
    if (model.key != m_awaited) return;
    m_awaited.clear();
    m_missed.clear();
    read();
    m_awaits.done();
}

void SurgeryView::missReader(const QString& key, const QString& why) {
    if (key != m_awaited) return;
    m_missed = why;
    m_awaited.clear();  // asked for again it may be there
    read();
    m_awaits.fail(why);
}

void SurgeryView::showOptions(const StageState& state) {
    const QString key = QString::fromStdString(state.surgery.reader), file = findModel(key, {});
    OtherBar::Wanted wanted{QString::fromStdString(state.surgery.other), file.isEmpty() ? key : file, {}};
    for (const std::string& head : state.surgery.without)
        wanted.without << QString::fromStdString(head);
    const bool same = wanted == m_bar->wanted() && state.surgery.pieces == m_kind;
    m_bar->setWanted(wanted);
    m_kind = state.surgery.pieces;
    m_edits.clear();
    for (const std::string& text : state.surgery.edits)
        if (const std::optional<SurgeryEdit> edit = SurgeryEdit::parse(text)) m_edits.push_back(*edit);
    awaitReader(state);
    if (same && m_picture)
        operate();
    else
        read();
}

void SurgeryView::tellOptions(StageState& state) const {
    const OtherBar::Wanted& wanted = m_bar->wanted();
    state.surgery.other = wanted.sentence.toStdString();
    state.surgery.reader = modelKeyOf(wanted.reader).toStdString();
    state.surgery.without.clear();
    for (const QString& head : wanted.without)
        state.surgery.without.push_back(head.toStdString());
    state.surgery.pieces = m_kind;
    state.surgery.edits.clear();
    for (const SurgeryEdit& edit : m_edits)
        state.surgery.edits.push_back(edit.text());
}

}  // namespace headlight

#include "moc_surgery_view.cpp"
