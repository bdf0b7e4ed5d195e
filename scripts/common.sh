# SPDX-License-Identifier: GPL-3.0-or-later
# What run, test and .ci/run share. Source it from the project's root.

# Installs what is missing of a list of packages (scripts/packages), and says what and why. Asks for root only then.
install_missing() {
    local name why missing=()
    while read -r name why; do
        [[ -z $name || $name == \#* ]] && continue
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' && continue
        echo "missing: $name ($why)"
        missing+=("$name")
    done <"$1"
    ((${#missing[@]})) || return 0
    local root=()
    if ((EUID)); then root=(sudo); fi
    echo "installing with apt: ${missing[*]}"
    "${root[@]}" apt-get update -q </dev/null
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" </dev/null
}

# Configures a preset where that was not done, and builds the targets given (all where none is).
build() {
    local preset=$1
    shift
    [[ -f build/$preset/build.ninja ]] || cmake --preset "$preset"
    cmake --build --preset "$preset" ${1:+--target "$@"}
}
