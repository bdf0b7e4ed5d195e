// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QStringList>

namespace headlight {

class Trace;

/// "2 heads muted · all on again": stands wherever a reader sees what a model does without some of its heads, and turns
/// them on again by a click. Hidden while every head is on.
class MutedMark : public QAbstractButton {
    Q_OBJECT
public:
    enum class Size {
        Full,
        Small  ///< the sign and the number, beside a sentence
    };
    explicit MutedMark(Size size, QWidget* parent = nullptr);

    /// Names such as `decoder.layers.1.cross_attn.3`.
    void setHeads(const QStringList& names, const Trace* trace = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString way() const;

    Size m_size;
};

}  // namespace headlight
