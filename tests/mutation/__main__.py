"""Mutates the clean room with Cosmic Ray, and prints for each module how many mutants the golden vectors kill.

    python -m tests.mutation [--last COMMITS] [--minutes MINUTES] [MODULE…]

The exit code is 1 if a mutant survives that `equivalents.toml` does not list, or if a listed mutant does not survive.
It is 2 if a module does not exist or fails before it is mutated, or if Cosmic Ray is not installed.
With --minutes, no mutant is run after that time, and listed mutants are not checked, so a slow machine is no failure.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from parity.operations.files.file_modes import modes_count
from tests.mutation.ask_vectors import BY_A_TEST
from tests.mutation.lists import CONFIG, equivalents, modules

_CHECKOUT = Path(__file__).parents[2]
_COSMIC_RAY = (sys.executable, "-m", "cosmic_ray.cli")


@dataclass(frozen=True)
class Mutated:
    """The results for the mutants of one module."""

    count: int
    asked: int
    """The number of mutants that were run before the deadline."""

    by_tests: int
    """The number of mutants that a test kills, but no golden vector."""

    living: list[str]
    """The changes in the mutants that survive."""


def mutate(module: str, deadline: float | None) -> Mutated | None:
    """Mutate a module in a copy of the checkout, and run each mutant until the deadline, a time in `time.monotonic()`.

    Return None if the deadline is over.
    """
    if deadline is not None and time.monotonic() > deadline:
        return None
    with TemporaryDirectory(ignore_cleanup_errors=True) as name:
        directory = Path(name)
        for part in ("parity", "golden", "tests"):
            shutil.copytree(_CHECKOUT / part, directory / part)
        shutil.copy(_CHECKOUT / "pyproject.toml", directory)
        config = re.sub(r"module-path = \[.*?\]", f'module-path = ["{module}"]', CONFIG, flags=re.DOTALL)
        config = config.replace("PYTHON", shlex.quote(sys.executable)).replace("MODULE", module)
        (directory / "config").write_text(config, encoding="utf-8")
        run = partial(subprocess.run, cwd=directory, check=True)
        if deadline is None and subprocess.run([*_COSMIC_RAY, "baseline", "config"], cwd=directory).returncode:
            see = f"python -m tests.mutation.ask_vectors {module}"
            print(f"{module} fails before it is mutated; see {see}", file=sys.stderr)
            sys.exit(2)
        run([*_COSMIC_RAY, "init", "config", "session"])
        run([sys.executable, "-m", "cosmic_ray.tools.filters.operators_filter", "session", "config"])
        with suppress(subprocess.TimeoutExpired):
            run([*_COSMIC_RAY, "exec", "config", "session"], timeout=deadline and max(0, deadline - time.monotonic()))
        dump = subprocess.check_output([*_COSMIC_RAY, "dump", "session"], cwd=directory, text=True)
    results = [result for _, result in map(json.loads, dump.splitlines())]
    results_of_tests = [each for each in results if each and each["worker_outcome"] != "skipped"]
    return Mutated(
        len(results_of_tests) + results.count(None),
        len(results_of_tests),
        sum(each["output"].endswith(f"{BY_A_TEST}\n") for each in results_of_tests if each["test_outcome"] == "killed"),
        [change(each["diff"]) for each in results_of_tests if each["test_outcome"] != "killed"],
    )


def change(diff: str) -> str:
    """Return the change in a diff with one change, as `before => after`."""
    lines = [line for line in diff.splitlines() if line[:3] not in ("---", "+++")]
    before, after = (" ".join(line[1:].strip() for line in lines if line.startswith(sign)).strip() for sign in "-+")
    return f"{before} => {after}"


def changed_modules(commits: int) -> list[str]:
    """Return the mutated modules that the last commits change, the latest first; none if there is no Git history."""
    command = ["git", "log", f"-{commits}", "--format=", "--name-only"]
    changed = subprocess.run(command, cwd=_CHECKOUT, stdout=subprocess.PIPE, text=True, check=False).stdout
    return [each for each in dict.fromkeys(changed.splitlines()) if each in modules()]


def main(arguments: list[str]) -> int:
    """Mutate the chosen modules, one for each processor at a time, and return the exit code."""
    parser = argparse.ArgumentParser("python -m tests.mutation")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="a module to mutate (default: all)")
    parser.add_argument("--last", type=int, metavar="COMMITS", help="mutate the modules that these commits change")
    parser.add_argument("--minutes", type=float, help="ask no mutant after this time")
    options = parser.parse_args(arguments)
    if missing := [each for each in options.modules if not (_CHECKOUT / each).is_file()]:
        parser.error(f"there is no module {missing[0]!r} in {_CHECKOUT}; write it as {modules()[0]}")
    if find_spec("cosmic_ray") is None:
        remedy = "run tox run -e mutation, or install cosmic-ray there"
        print(f"Cosmic Ray, which makes the mutants, is not installed in {sys.prefix}; {remedy}", file=sys.stderr)
        return 2
    if not modes_count():
        print("vectors that need file modes are left out; run as an ordinary user", file=sys.stderr)
    names = changed_modules(options.last) if options.last else options.modules or modules()
    if not names:
        print("the last commits change no module that is mutated, or there is no history", file=sys.stderr)
    deadline = None if options.minutes is None else time.monotonic() + 60 * options.minutes
    listed = equivalents()
    wrong = False
    print("| module | mutants | asked | killed by vectors | by tests | equivalent |\n|---|---|---|---|---|---|")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for module, each in zip(names, pool.map(partial(mutate, deadline=deadline), names), strict=True):
            if each is None:
                print(f"no time for {module}", file=sys.stderr)
                continue
            living, by_vectors = each.living, each.asked - each.by_tests - len(each.living)
            counts = (each.count, each.asked, by_vectors, each.by_tests, len(living))
            print(f"| `{module}` | {' | '.join(map(str, counts))} |", flush=True)
            for lives in sorted(set(living) - listed.get(module, set())):
                print(f"{module}: it lives, and is not listed as equivalent: {lives}", file=sys.stderr)
                wrong = True
            for killed in sorted(listed.get(module, set()) - set(living)) if deadline is None else []:
                print(f"{module}: it is listed as equivalent, and does not live: {killed}", file=sys.stderr)
                wrong = True
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
