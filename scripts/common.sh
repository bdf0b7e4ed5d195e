# SPDX-License-Identifier: GPL-3.0-or-later
# What run, test and .ci/run share. Source it from the project's root.

logs=build/logs

# What happened and what to do, in one line.
fail() {
    echo "error: $*" >&2
    exit 1
}

free_megabytes() { df -Pm "$1" | awk 'NR == 2 { print $4 }'; }

# Runs a command whose output only matters if it fails: it goes to a file, whose name is left in $log.
quietly() { # NAME COMMAND…
    mkdir -p "$logs"
    log=$logs/$1.log
    shift
    "$@" >"$log" 2>&1 </dev/null
}

# Debian's release, where this is Debian and older than what the packages need.
refuse_an_older_debian() {
    local ID='' VERSION_ID='' PRETTY_NAME=''
    # shellcheck disable=SC1091
    [[ -r /etc/os-release ]] && source /etc/os-release
    [[ $ID == debian && -n $VERSION_ID && ${VERSION_ID%%.*} -lt 12 ]] || return 0
    fail "Headlight needs Debian 12 or later for Qt 6.4; this is $PRETTY_NAME. Upgrade the system, or build in a container of Debian 12."
}

# Says why apt failed, from what it wrote.
explain_apt() { # LOG
    local unknown
    if unknown=$(grep -oP 'Unable to locate package \K\S+' "$1" | head -n 1) && [[ -n $unknown ]]; then
        fail "this system has no package $unknown: Headlight needs the packages of Debian 12 or later (see $1)."
    elif grep -qE "Temporary failure resolving|Could not resolve|Could not connect|Connection timed out|Network is unreachable|Failed to fetch" "$1"; then
        fail "the packages could not be downloaded. Check the network connection, then start this again (see $1)."
    elif grep -qE "don't have enough free space|No space left on device" "$1"; then
        fail "there is not enough disk space for the packages. Make room, then start this again (see $1)."
    elif grep -qE "Could not get lock|is another process using it" "$1"; then
        fail "another program is installing packages. Wait until it is done, then start this again."
    fi
    fail "installing the packages failed: $(grep -E '^(E:|sudo:)' "$1" | head -n 1) (see $1)"
}

# Installs the packages of a list (scripts/packages) that are missing, and says which. Asks for root only then.
install_missing() {
    local name why missing=() root=()
    if ! command -v dpkg-query >/dev/null; then
        echo "This system has no apt. Install what $1 lists by its own means; building goes on." >&2
        return 0
    fi
    while read -r name why; do
        [[ -z $name || $name == \#* ]] && continue
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' && continue
        missing+=("$name")
    done <"$1"
    ((${#missing[@]})) || return 0
    refuse_an_older_debian
    local noun=packages
    ((${#missing[@]} == 1)) && noun=package
    echo "Installing ${#missing[@]} $noun with apt: ${missing[*]}"
    if ((EUID)); then
        command -v sudo >/dev/null ||
            fail "installing needs root, and there is no sudo. As root, run: apt-get install ${missing[*]}"
        root=(sudo)
        sudo -v || fail "installing needs root, which sudo refused. As root, run: apt-get install ${missing[*]}"
    fi
    local get=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y)
    # A list of packages that cannot be renewed may still serve: what matters is whether the packages come.
    quietly apt-update "${get[@]}" update || true
    quietly apt-install "${get[@]}" install --no-install-recommends "${missing[@]}" || explain_apt "$log"
}

# Draws what ninja says (NINJA_STATUS "@finished/total/seconds@ ") as one line that is written over itself, or, where
# nobody watches, as a line for every tenth. What the compiler says is passed on.
show_progress() { # VERB
    local line finished total seconds left shown='' tenth=-1 drawn=''
    while IFS= read -r line; do
        if [[ ! $line =~ ^@([0-9]+)/([0-9]+)/([0-9]+)[0-9.]*@ ]]; then
            [[ $line == "ninja: no work to do." ]] && continue
            [[ -n $drawn ]] && printf '\r\033[K' && drawn=''
            printf '%s\n' "$line"
            continue
        fi
        finished=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]} seconds=${BASH_REMATCH[3]}
        left=''
        if ((seconds >= 20 && finished < total)); then
            local rest=$((seconds * (total - finished) / finished))
            ((rest >= 90)) && left=", about $(((rest + 30) / 60)) minutes left"
            ((rest < 90)) && left=", about a minute left"
        fi
        shown="$1 $finished of $total$left"
        if [[ -t 1 ]]; then
            printf '\r\033[K%s' "$shown"
            drawn=yes
        elif ((finished * 10 / total > tenth)); then
            tenth=$((finished * 10 / total))
            echo "$shown"
        fi
    done
    [[ -n $drawn ]] && printf '\r\033[K'
    return 0
}

# Configures a preset where that was not done, and builds the targets given (all where none is).
build() {
    local preset=$1 needed=${HEADLIGHT_BUILD_MEGABYTES:-2000}
    shift
    if [[ ! -f build/$preset/build.ninja ]]; then
        (($(free_megabytes .) >= needed)) ||
            fail "building takes $needed MB, and $(free_megabytes .) MB are free on this disk. Make room, then start this again."
        echo "Configuring ($preset)"
        quietly "configure-$preset" cmake --preset "$preset" || {
            rm -f "build/$preset/build.ninja"
            grep -A 12 '^CMake Error' "$log" >&2
            fail "the build could not be configured: see $log"
        }
    fi
    NINJA_STATUS='@%f/%t/%e@ ' cmake --build --preset "$preset" ${1:+--target "$@"} 2>&1 | show_progress Compiling
    return "${PIPESTATUS[0]}"
}
