// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

class QAbstractButton;
class QGridLayout;

namespace headlight {

/// Groups of words by their colours: what each is called and how many words it has. Pointing at one, or coming to it
/// with the keyboard, asks for its words to be lit; a click chooses it.
class GroupLegend : public QWidget {
    Q_OBJECT
public:
    explicit GroupLegend(QWidget* parent = nullptr);

    struct Group {
        QString name;
        int words = 0;
    };
    void setGroups(const std::vector<Group>& groups);
    /// −1: none.
    void setChosen(int group);
    const std::vector<QAbstractButton*>& entries() const { return m_entries; }

signals:
    /// −1: nothing is pointed at any more.
    void pointed(int group);
    void chosen(int group);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();

    std::vector<QAbstractButton*> m_entries;
    QGridLayout* m_grid;
    int m_columns = 0;
};

}  // namespace headlight
