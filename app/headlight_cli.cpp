// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
int main() {
    std::cout << "headlight-cli " HEADLIGHT_VERSION "\n";
    return 0;
}
