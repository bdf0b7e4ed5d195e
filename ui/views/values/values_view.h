// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/views/view.h"

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace headlight {

class ComboBox;
class NumberPanel;
class Selection;
class ValuePanel;

/// Every value that the model computed, to be looked up by its name, read number by number, and taken along.
class ValuesView : public ViewWidget {
    Q_OBJECT
public:
    explicit ValuesView(Selection* selection, QWidget* parent = nullptr);

    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    void setVeil(const std::vector<NumberName>& veiled) override;
    void setRevealed(int recordIndex);

    QTreeWidget* list() const { return m_list; }
    QLineEdit* filter() const { return m_filter; }
    ValuePanel* value() const { return m_value; }
    NumberPanel* number() const { return m_number; }
    QLabel* leftOut() const { return m_leftOut; }

private:
    void fill();
    void applyFilter();
    void showSelection();

    Selection* m_selection;
    std::shared_ptr<const Trace> m_trace;
    QLineEdit* m_filter;
    QTreeWidget* m_list;
    QLabel* m_leftOut;  ///< what is not in the list, and why
    ComboBox* m_head;
    ValuePanel* m_value;
    NumberPanel* m_number;
};

}  // namespace headlight
