// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight::ops {

enum class Activation { Relu, Gelu, GeluTanh, Silu, QuickGelu };

}  // namespace headlight::ops
