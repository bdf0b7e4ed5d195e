// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/view.h"

#include "moc_view.cpp"
