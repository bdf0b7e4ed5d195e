// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace headlight {

class Button;

/// A few models to begin with, small and of different kinds.
class FirstModels : public QWidget {
    Q_OBJECT
public:
    explicit FirstModels(QWidget* parent = nullptr);
    const std::vector<Button*>& buttons() const { return m_buttons; }

signals:
    void wanted(const QString& name);

private:
    std::vector<Button*> m_buttons;
};

}  // namespace headlight
