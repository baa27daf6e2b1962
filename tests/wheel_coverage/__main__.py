"""Compares the coverage of Harbor's scoring functions with the list of unreached places, and prints a table by module.

    python -m tests.wheel_coverage COVERAGE_JSON

`tox run -e coverage` does the run before. The file is made by `coverage json`.

Exit code 1: an unreached place is not listed, or a listed place is reached or does not exist.
"""

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

type Modules = dict[str, dict[str, Any]]

LISTED = Path(__file__).with_name("unreached.toml")


def rows(files: Modules, listed: Modules) -> Iterator[str]:
    """Yield a row for each module: lines and branches, reached and in total."""
    for module, entry in listed.items():
        found = [each["summary"] for each in _functions(files, module, entry).values()]
        lines, reached, branches, taken = (
            sum(each[name] for each in found)
            for name in ("num_statements", "covered_lines", "num_branches", "covered_branches")
        )
        yield f"| `{module}` | {entry['decides']} | {reached} of {lines} | {taken} of {branches} |"


def complaints(files: Modules, listed: Modules) -> Iterator[str]:
    """Yield a line for each unlisted place that is unreached, and for each listed one that is reached or missing."""
    for module, entry in listed.items():
        functions = _functions(files, module, entry)
        missing = {place for each in functions.values() for place in _missing(each)}
        reached = {str(line) for each in functions.values() for line in each["executed_lines"]}
        explained = set[str]()
        for place in (each for group in entry.get("unreached", ()) for each in group["places"]):
            meant = _meant(place, functions)
            if not meant & missing or meant & reached:
                yield f"{module}: {place} is listed, and is reached or does not exist"
            explained |= meant
        for place in sorted(missing - explained):
            yield f"{module}: {place} is unreached, and not listed"


def _functions(files: Modules, module: str, entry: dict[str, Any]) -> dict[str, Any]:
    """Return the scoring functions of a module, with those inside them, by qualified name."""
    (path,) = (path for path in files if path.endswith(f"/{module.replace('.', '/')}.py"))
    names = entry.get("functions")
    found = {name: each for name, each in files[path]["functions"].items() if name}
    return {name: each for name, each in found.items() if names is None or name.startswith(tuple(names))}


def _missing(function: dict[str, Any]) -> set[str]:
    """Return the unreached lines, and the unreached branches between reached lines."""
    lines = set(function["missing_lines"])
    branches = (branch for branch in function["missing_branches"] if not lines.intersection(branch))
    return {str(line) for line in lines} | {f"{start}->{end}" for start, end in branches}


def _meant(place: str, functions: dict[str, Any]) -> set[str]:
    """Return all lines of a function, the lines of `12` or `12-15`, or the branch `12->15`."""
    if place in functions:
        return {str(line) for part in ("executed_lines", "missing_lines") for line in functions[place][part]}
    if ">" in place:
        return {place}
    first, _, last = place.partition("-")
    return {str(line) for line in range(int(first), int(last or first) + 1)}


def main(path: Path) -> int:
    """Read what `coverage json` wrote, print the table and the complaints, and return the exit code."""
    files = json.loads(path.read_text(encoding="utf-8"))["files"]
    listed = tomllib.loads(LISTED.read_text(encoding="utf-8"))
    print("| module | decides | lines | branches |\n|---|---|---|---|", *rows(files, listed), sep="\n")
    found = list(complaints(files, listed))
    print(*found, sep="\n", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
