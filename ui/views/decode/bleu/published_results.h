// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace headlight {

/// BLEU of translators as their authors published it: Vaswani et al. 2017, "Attention Is All You Need", table 2
/// (arXiv:1706.03762, version 5), newstest2014. The only numbers in the view that no engine of ours computes.
struct PublishedResult {
    const char* model;
    const char* enDe;   ///< BLEU, English to German; empty: not given
    const char* enFr;   ///< BLEU, English to French
    const char* flops;  ///< of training, English to French; of the Transformers of either
    bool isTransformer = false;
};
const std::vector<PublishedResult>& publishedResults();

/// They as a table, the Transformers marked.
class PublishedTable : public QWidget {
    Q_OBJECT
public:
    explicit PublishedTable(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {240, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace headlight
