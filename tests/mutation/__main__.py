"""Mutates the clean room with Cosmic Ray, and prints for each module how many mutants the golden vectors kill.

    python -m tests.mutation [MODULE…]

Exit code 1: a mutant survives that `equivalents.toml` does not list, or a listed one does not survive.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from parity.operations.files.file_modes import modes_count
from tests.mutation.ask_vectors import BY_A_TEST
from tests.mutation.lists import CONFIG, equivalents, modules

_CHECKOUT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Mutated:
    """The results of a module's mutants."""

    count: int
    by_tests: int
    """The number of mutants that a test kills, but no vector."""

    living: list[str]
    """The change of each mutant that nothing kills."""


def mutate(module: str) -> Mutated:
    """Mutate a module in a copy of the checkout, and ask each mutant."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("parity", "golden", "tests"):
            shutil.copytree(_CHECKOUT / part, folder / part)
        shutil.copy(_CHECKOUT / "pyproject.toml", folder)
        config = re.sub(r"module-path = \[.*?\]", f'module-path = ["{module}"]', CONFIG, flags=re.DOTALL)
        (folder / "config").write_text(config.replace("MODULE", module), encoding="utf-8")
        for command in (
            "cosmic-ray baseline config",
            "cosmic-ray init config session",
            "cr-filter-operators session config",
            "cosmic-ray exec config session",
        ):
            subprocess.run(command.split(), cwd=folder, check=True)
        dump = subprocess.check_output(["cosmic-ray", "dump", "session"], cwd=folder, text=True)
    results = [result for _, result in map(json.loads, dump.splitlines()) if result["worker_outcome"] != "skipped"]
    return Mutated(
        len(results),
        sum(each["output"].endswith(f"{BY_A_TEST}\n") for each in results if each["test_outcome"] == "killed"),
        [change(each["diff"]) for each in results if each["test_outcome"] != "killed"],
    )


def change(diff: str) -> str:
    """Return the change in a diff of one place, as `before => after`."""
    lines = [line for line in diff.splitlines() if line[:3] not in ("---", "+++")]
    before, after = (" ".join(line[1:].strip() for line in lines if line.startswith(sign)).strip() for sign in "-+")
    return f"{before} => {after}"


def main(chosen: list[str]) -> int:
    """Mutate these modules, or all, as many at the same time as there are processors; return the exit code."""
    if not modes_count():
        print("vectors that need file modes are left out; run as an ordinary user", file=sys.stderr)
    listed, names = equivalents(), chosen or modules()
    wrong = False
    print("| module | mutants | killed by vectors | by tests | equivalent |\n|---|---|---|---|---|")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for module, each in zip(names, pool.map(mutate, names), strict=True):
            living, by_vectors = each.living, each.count - each.by_tests - len(each.living)
            print(f"| `{module}` | {each.count} | {by_vectors} | {each.by_tests} | {len(living)} |", flush=True)
            for lives in sorted(set(living) - listed.get(module, set())):
                print(f"{module}: it lives, and is not listed as equivalent: {lives}", file=sys.stderr)
            for killed in sorted(listed.get(module, set()) - set(living)):
                print(f"{module}: it is listed as equivalent, and does not live: {killed}", file=sys.stderr)
            wrong |= set(living) != listed.get(module, set())
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
