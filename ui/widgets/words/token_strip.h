// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace headlight {

/// A sentence as chips, each with its probability below; goes on in the next line when it is long. Words that the
/// reference sentence does not have are marked.
class TokenStrip : public QWidget {
    Q_OBJECT
public:
    explicit TokenStrip(QWidget* parent = nullptr);

    /// `probabilities` may be empty. `reference` empty: nothing is marked.
    void setTokens(const QStringList& words, const std::vector<float>& probabilities,
                   const QStringList& reference = {});

    QSize sizeHint() const override { return {260, heightFor(std::max(width(), 260))}; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    int heightFor(int width) const;
    bool marked(int index) const;
    std::vector<QRectF> chips(int width) const;

    QStringList m_words;
    std::vector<float> m_probabilities;
    QStringList m_reference;
};

}  // namespace headlight
