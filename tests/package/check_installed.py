#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs a build into a folder of its own and looks at what is there: check_installed.py CMAKE BUILD"""

import gzip
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def output(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: status {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout


def options_of(program, path=()):
    """What --help lists of a command and of all below it."""
    text = output(program, *path, "--help")
    names = set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.M))
    below = text.partition("\nSubcommands:\n")[2]
    for name in re.findall(r"^  ([a-z][\w-]*)", below, re.M):
        names |= options_of(program, (*path, name))
    return names


def check_pages(prefix, name):
    options = options_of(prefix / "bin" / name)
    assert "--help" in options
    man = gzip.open(prefix / f"share/man/man1/{name}.1.gz", "rt").read().replace("\\-", "-")
    bash = (prefix / "share/bash-completion/completions" / name).read_text()
    zsh = (prefix / f"share/zsh/vendor-completions/_{name}").read_text()
    fish = (prefix / f"share/fish/vendor_completions.d/{name}.fish").read_text()
    for option in options:
        for kind, text in ("man", man), ("bash", bash), ("zsh", zsh):
            assert re.search(re.escape(option) + r"(?![\w-])", text), f"{kind} page of {name} lacks {option}"
        assert f" -l {option[2:]} " in fish, f"fish completion of {name} lacks {option}"
    subprocess.run(["bash", "-n"], input=bash, text=True, check=True)


def main():
    cmake, build = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder) / "a prefix"
        output(cmake, "--install", build, "--prefix", prefix)
        for name in "headlight", "headlight-cli":
            check_pages(prefix, name)
        cli = prefix / "bin/headlight-cli"
        # The lessons are checked against models and formulas that the program finds beside itself.
        values = output(cli, "lessons", "values", "en-fr-transformer", "--source", "I am here.")
        assert "decoder" in values, values
        model = prefix / "share/headlight/models/en-fr-transformer.safetensors"
        assert output(cli, "translate", model, "I am here.").strip()
        metainfo = prefix / "share/metainfo/org.headlight.headlight.metainfo.xml"
        if shutil.which("desktop-file-validate"):
            said = output("desktop-file-validate", prefix / "share/applications/headlight.desktop")
            assert not said, said
        if shutil.which("appstreamcli"):
            said = output("appstreamcli", "validate", "--no-net", "--no-color", metainfo)
            assert not re.search(r"^[EWI]:", said, re.M), said


main()
