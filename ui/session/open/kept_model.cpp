// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/kept_model.h"

namespace headlight {

KeptModelDrag::KeptModelDrag(KeptModel model) : m_model(std::move(model)) {
    setText(m_model.name);
}

}  // namespace headlight

#include "moc_kept_model.cpp"
