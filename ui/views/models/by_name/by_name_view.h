// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "ui/fetch/hub_finder.h"
#include "ui/session/open/background.h"
#include "ui/views/view.h"

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace headlight {

class Button;
class FirstModels;
class ModelRow;

/// Models of Hugging Face's by their names: those that other programs keep on this computer, at once; those on the hub
/// when the reader asks, with what they are before anything of them is fetched.
class ByNameView : public ViewWidget {
    Q_OBJECT
public:
    explicit ByNameView(QWidget* parent = nullptr);
    ~ByNameView() override;

    void setSettling(Settling* settling) override { m_reads.setSettling(settling); }
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;

    /// Another hub than the one that this computer's variables name.
    void setPlace(const HubPlace& place);
    HubFinder& finder() const { return *m_finder; }
    QLineEdit* input() const { return m_input; }
    /// Asks the hub.
    Button* askButton() const { return m_ask; }
    FirstModels* firstModels() const { return m_first; }
    /// Of models that are here, and of those that were found.
    std::vector<ModelRow*> localRows() const;
    const std::vector<ModelRow*>& hubRows() const { return m_hubRows; }
    /// What is said above those that were found.
    QString found() const;
    /// A name to be asked for; the reader still says so.
    void suggest(const QString& name);

signals:
    void openWanted(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// A model in the cache, and what its files say.
    struct LocalModel {
        QString name, path;
        ModelOutline outline = {};
        qint64 bytes = 0;
        QString trouble = {};  ///< why it cannot be opened; empty: it can
    };
    static std::vector<LocalModel> readLocal(const Background::Wanted& wanted);

    QWidget* makeBar();
    QVBoxLayout* addSection(const QString& title, QLabel*& caption, QWidget*& section);
    void ask();
    void get(const QString& name);
    void readCache();
    void showLocal();
    void showFound();
    QString whatWasFound() const;
    void show(const HubFetch& fetch, ModelRow& row) const;
    void act(HubFetch& fetch);
    void follow(const std::shared_ptr<HubFetch>& fetch);

    std::unique_ptr<HubFinder> m_finder;
    QLineEdit* m_input;
    Button* m_ask;
    QVBoxLayout* m_column;
    QWidget *m_localSection = nullptr, *m_hubSection = nullptr;
    QLabel *m_localCaption = nullptr, *m_hubCaption = nullptr;
    QVBoxLayout *m_localList, *m_hubList;
    FirstModels* m_first;
    std::vector<LocalModel> m_local;
    std::vector<std::pair<const LocalModel*, ModelRow*>> m_localRows;
    std::vector<ModelRow*> m_hubRows;
    std::weak_ptr<HubFetch> m_last;  ///< asked for last: it is opened when it comes
    Background m_reads{this};        ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight
