// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/foldable.h"

#include "moc_foldable.cpp"
