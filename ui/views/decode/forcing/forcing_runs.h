// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/experiment/free_running.h"
#include "ui/session/open/background.h"

namespace headlight {

/// A shipped model that differs from its neighbours in one thing alone: how often its decoder was fed the truth in
/// training (`--teacher-forcing`).
struct ForcingRun {
    const char* model;  ///< its name
    double forcing;     ///< the share, 0 to 1
};
const std::vector<ForcingRun>& forcingRuns();

/// The three runs over their test set, measured here and now: words right when each is fed the truth and when it is
/// not, the gap between the two, and its BLEU.
class ForcingRuns : public QWidget {
    Q_OBJECT
public:
    explicit ForcingRuns(QWidget* parent = nullptr);

    void setSettling(Settling* settling) { m_measuring.setSettling(settling); }
    /// Measures those that nobody has measured yet, once the widget is seen.
    void measure();
    bool isBusy() const { return m_measuring.isBusy(); }
    /// By place in forcingRuns(); −1: the open model is none of them.
    void setOpen(int run);
    /// Nothing before it is measured.
    const std::vector<std::optional<ForcingReport>>& reports() const { return m_reports; }
    /// A gap as it is printed.
    static QString points(double gap);

    QSize sizeHint() const override { return {430, 250}; }
    QSize minimumSizeHint() const override { return {280, 176}; }

signals:
    void measured();
    void failed(const QString& why);

protected:
    void paintEvent(QPaintEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void measureNext();
    double least() const;
    void paintRun(QPainter& p, size_t run, double top, double high) const;

    std::vector<std::optional<ForcingReport>> m_reports;
    int m_open = -1;
    bool m_isWanted = false;
    Background m_measuring{this};
};

}  // namespace headlight
