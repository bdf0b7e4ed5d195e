// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <vector>

namespace headlight {

class MainWindow;

/// The open lesson on paper: it goes through the steps, takes a figure of each stage, and writes words, formulas,
/// questions and figures to a PDF. Deletes itself when it is done.
class Handout : public QObject {
    Q_OBJECT
public:
    Handout(MainWindow& window, const QString& path);
    void start();

signals:
    void drawn(int steps);
    void finished();
    void failed(const QString& message);

private:
    void takeFigure();
    void write();

    MainWindow& m_window;
    QString m_path;
    int m_before = 0;  ///< the step to go back to
    int m_step = 0;
    std::vector<QImage> m_figures;
};

}  // namespace headlight
