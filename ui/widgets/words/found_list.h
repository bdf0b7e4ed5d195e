// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/trace/found_texts.h"

namespace headlight {

/// What a beam search finds under changes, and how likely each was before; marked what it did not find then. Nothing
/// where nothing is searched.
class FoundList : public QWidget {
    Q_OBJECT
public:
    explicit FoundList(QWidget* parent = nullptr);
    /// `now`: what the column of the changed search is called.
    void setFound(const std::vector<FoundText>& found, const QString& now);
    const std::vector<FoundText>& found() const { return m_found; }

    QSize sizeHint() const override { return {260, heightForWidth(260)}; }
    /// Long texts go on in further lines.
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<FoundText> m_found;
    QString m_now;
};

}  // namespace headlight
