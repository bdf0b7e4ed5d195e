// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "ui/session/open/translation_row.h"
#include "ui/widgets/words/piece_box.h"

namespace headlight {

/// A sentence as chips, each with its probability below; goes on in the next line when it is long. Words that the
/// reference sentence does not have are marked.
class TokenStrip : public QWidget {
    Q_OBJECT
public:
    explicit TokenStrip(QWidget* parent = nullptr);

    /// `reference` empty: nothing is marked.
    void setTokens(const TranslationRow& row, const QStringList& reference = {});
    /// Where a word is drawn.
    QRectF chipRect(int word) const { return chips(width())[static_cast<size_t>(word)].rect; }

    QSize sizeHint() const override { return {260, heightFor(std::max(width(), 260))}; }

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    int heightFor(int width) const;
    bool marked(int index) const;
    std::vector<PieceBox> chips(int width) const;

    TranslationRow m_row;
    QStringList m_reference;
};

}  // namespace headlight
