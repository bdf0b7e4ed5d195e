// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QMimeData;

namespace headlight {

class Button;
class Caption;

/// A part of the sentences: what it is for, where its sentences are from and how many they are. Files that are dropped
/// on it, or chosen with its button, take the place of what is set aside.
class PartRow : public QWidget {
    Q_OBJECT
public:
    enum class Files { Fixed, Choosable };
    /// `role` says in two or three words what it is for, `tip` in a sentence.
    PartRow(const QString& name, const QString& role, const QString& tip, Files files, QWidget* parent = nullptr);

    /// `files`: those of its own, in a few words; empty: it has none.
    void setPart(const QString& count, const QString& files);
    Button* button() const { return m_button; }
    QLabel* count() const;
    QLabel* role() const;

signals:
    void filesDropped(const QStringList& paths);
    /// The reader wants to choose files himself.
    void filesWanted();
    /// Those there are, are to go.
    void filesRemoved();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QString m_roleText, m_tip;
    bool m_hasFiles = false;
    Caption *m_role, *m_count;
    Button* m_button = nullptr;
};

/// The files among what is dropped.
QStringList localFiles(const QMimeData* data);

}  // namespace headlight
