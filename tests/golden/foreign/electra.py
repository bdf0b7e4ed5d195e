#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ELECTRA's discriminator as ElectraForPreTraining keeps it, whose words are as wide as its layers: BERT's layers without
a pooler. What tells replaced words from others stands in the file and is not read.

    /usr/bin/python3 electra.py
"""
import bert
import common


def main():
    w = bert.make_weights(17)
    trace = bert.forward(w, bert.IDS, [0] * len(bert.IDS))
    w.linear("discriminator_predictions.dense", bert.D, bert.D)
    w.linear("discriminator_predictions.dense_prediction", 1, bert.D)
    stored = {name.replace("bert.", "electra.", 1): value for name, value in w.stored().items()
              if not name.startswith("bert.pooler.")}
    settings = bert.config(embedding_size=bert.D) | {"model_type": "electra", "architectures": ["ElectraForPreTraining"]}
    common.save("electra", settings, stored, trace)


if __name__ == "__main__":
    main()
