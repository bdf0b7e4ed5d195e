// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

#include "ui/widgets/theme/icon.h"

namespace headlight {

/// A card that leads somewhere: an icon, a name and a sentence on what is there.
class DoorCard : public QAbstractButton {
    Q_OBJECT
public:
    DoorCard(Icon icon, const QString& name, QWidget* parent = nullptr);

    void setSentence(const QString& sentence);
    const QString& sentence() const { return m_sentence; }
    /// How wide its lines are at most, of a card of that width.
    int sentenceWidth(int width) const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {240, heightForWidth(240)}; }
    QSize minimumSizeHint() const override { return {180, heightForWidth(180)}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    Icon m_icon;
    QString m_sentence;
};

}  // namespace headlight
