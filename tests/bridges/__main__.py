"""Asks readers of rewards what they score, and holds them to their declared divergences.

    python -m tests.bridges NAME… [--revise] [--records DIRECTORY] [OPTION…]
    python -m tests.bridges --newer

Names are those of `bridges.toml`; `all` stands for all of them. Each reader answers over the pipe, from an environment
of its own, which is made if it is missing. Further options go to the suite. The exit code is 1 if a reader scores
otherwise than it is declared to, and 2 if one could not be asked.
"""

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from tests.bridges.environments import CHECKOUT, BridgeError, newest_release, python_of
from tests.bridges.table import Bridge, bridges, declarations

_AS_DECLARED = 0
_OTHERWISE = 1
_NOT_ASKED = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the named bridges, or list the readers that have a newer release, and return the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    names = list(takewhile(lambda word: not word.startswith("-"), words))
    parser = argparse.ArgumentParser("python -m tests.bridges", usage=__doc__, allow_abbrev=False)
    parser.add_argument("--newer", action="store_true", help="name each reader that has a newer release")
    parser.add_argument("--revise", action="store_true", help="revise the declared divergences")
    parser.add_argument("--records", type=Path, metavar="DIRECTORY", help="write the record of each reader there")
    options, of_suite = parser.parse_known_args(words[len(names) :])
    known = bridges()
    if unknown := [name for name in names if name not in known and name != "all"]:
        parser.error(f"unknown bridge {unknown[0]!r}; known are all, {', '.join(known)}")
    if options.newer == bool(names):
        parser.error(f"name bridges, or give --newer; known are all, {', '.join(known)}")
    if options.newer:
        return _name_newer()
    codes = []
    for name in known if "all" in names else names:
        added = ["--write-divergences", str(declarations(name))] if options.revise else []
        if options.records:
            options.records.mkdir(parents=True, exist_ok=True)
            added += ["--report", str(options.records.absolute() / f"{name}.json")]
        codes.append(_ask(name, known[name], [*added, *of_suite]))
    return max(codes)


def _ask(name: str, bridge: Bridge, options: Sequence[str]) -> int:
    """Run the suite with a bridge, and return its exit code."""
    try:
        python = python_of(bridge)
    except BridgeError as error:
        print(f"{name} cannot be asked: {error}", file=sys.stderr, flush=True)
        return _NOT_ASKED
    variables = {**os.environ, "PYTHONPATH": str(CHECKOUT), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    runner = shlex.join([str(python), "-m", "parity", "serve", bridge.runner])
    declared = ["--divergences", str(declarations(name))] if declarations(name).exists() else []
    command = [sys.executable, "-m", "pytest", "parity/", "--runner-cmd", runner, *declared, *options]
    code = subprocess.run(command, cwd=CHECKOUT, env=variables, check=False).returncode
    return code if code in (_AS_DECLARED, _OTHERWISE) else _NOT_ASKED


def _name_newer() -> int:
    """Print each reader that has a newer release."""
    for name, bridge in bridges().items():
        if not bridge.is_last and (newest := newest_release(bridge)) != bridge.release:
            print(f"{name}: {newest} is released")
    return 0


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except BridgeError as error:
        raise SystemExit(f"{error}") from None
