// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QStringList>
#include <QTransform>
#include <QWidget>
#include <span>
#include <vector>

namespace headlight {

class Glide;
struct Theme;

/// A recurrent encoder-decoder unrolled in time: words below, a cell above each, its state above that; between the two
/// stacks the thought vector; above the encoder what attention puts on each of its outputs while a word is written, and
/// above the thought vector the context that these weights mix, which goes around it to the word. On a low screen
/// states and bars are lower; words and numbers keep their size.
/// A click or the arrow keys choose a step.
class UnrolledRnn : public QWidget {
    Q_OBJECT
public:
    struct Step {
        QString word;                         ///< that is read
        std::span<const float> state;         ///< h, each between −1 and 1
        QString written;                      ///< decoder: the word that comes out
        double probability = 0;               ///< of it
        std::span<const float> weights;       ///< decoder: over the source; empty without attention
        std::span<const float> context = {};  ///< decoder: the encoder's states, mixed by these weights
    };
    struct Content {
        QString cell;  ///< "LSTM"
        std::vector<Step> encoder, decoder;
        bool toEveryInput = false;   ///< the thought vector goes to every step of the decoder, not to its first state
        bool readsBackward = false;  ///< the encoder goes from the last word to the first
        std::span<const float> thought;  ///< what the decoder is handed; empty: there is no encoder
    };

    explicit UnrolledRnn(QWidget* parent = nullptr);

    /// What `content` points to must live until the next call.
    void setContent(Content content);
    /// Steps are counted through: the encoder's first. -1: none.
    void setChosen(int step);
    int chosen() const { return m_chosen; }
    QRectF cellRect(int step) const { return enlarged(cellBox(step)); }
    /// Where the weight of a source word stands.
    QRectF weightRect(int source) const { return enlarged(weightBox(source)); }
    QRectF thoughtRect() const { return enlarged(thoughtBox()); }
    /// Of the chosen step's context.
    QRectF contextRect() const { return enlarged(contextBox()); }
    /// From a weight into the context.
    QPainterPath weightPath(int source) const { return QTransform::fromScale(zoom(), zoom()).map(weightWay(source)); }
    /// From the context to the word that the chosen step writes.
    QPainterPath contextPath() const { return QTransform::fromScale(zoom(), zoom()).map(contextWay()); }
    /// Where a step's written word stands.
    QRectF writtenRect(int step) const { return enlarged(writtenBox(step)); }
    /// How much larger all is drawn than it has to be.
    double zoom() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void stepChosen(int step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int count() const { return static_cast<int>(m_content.encoder.size() + m_content.decoder.size()); }
    bool isDecoder(int step) const { return step >= static_cast<int>(m_content.encoder.size()); }
    const Step& at(int step) const;
    QRectF enlarged(const QRectF& box) const { return QTransform::fromScale(zoom(), zoom()).mapRect(box); }
    /// From top to bottom, as if nothing were drawn larger.
    struct Heights {
        double weight, state;                        ///< of a bar of attention, of a state
        double lane;                                 ///< where the context goes to the word
        double states, cells, under, words, bottom;  ///< where each begins; lines pass below the cells at `under`
    };
    Heights heights() const;
    // As if nothing were drawn larger.
    QRectF cellBox(int step) const;
    QRectF weightBox(int source) const;
    QRectF thoughtBox() const;
    QRectF contextBox() const;
    QPainterPath weightWay(int source) const;
    QPainterPath contextWay() const;
    QRectF writtenBox(int step) const;
    double pitch() const;
    double columnX(int step) const;
    double thoughtX() const;
    void paintStack(QPainter& painter, bool decoder, const Theme& theme) const;
    void paintWord(QPainter& p, const QRectF& chip, const QString& word, const QColor& color) const;
    void paintStep(QPainter& painter, int step, const Theme& theme) const;
    void paintState(QPainter& painter, const QRectF& box, std::span<const float> state, const Theme& theme) const;
    void paintThought(QPainter& painter, const Theme& theme) const;
    void paintWeights(QPainter& painter, const Theme& theme) const;
    void paintContext(QPainter& painter, const Theme& theme) const;

    Content m_content;
    int m_chosen = -1;
    double m_narrowest = 0;  ///< a column of these words can be
    Glide* m_glide;          ///< of the chosen cell's outline
};

}  // namespace headlight
