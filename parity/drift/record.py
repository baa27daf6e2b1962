"""Asks every known release again, and writes the table of releases: `python -m parity.drift.record`.

With `--check` the table is only compared. Run it in a checkout, with an interpreter of the official series. Missing
environments are made.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from parity.drift.release_answers import Recorded, record_release, table_of
from parity.drift.releases import opened_release
from parity.drift.table import TABLE_FILE, table_text
from parity.drift.vectors import chosen_vectors
from parity.operations.vector import Vector
from parity.reference import ReferenceLost, WheelError
from parity.reference.releases import HARBOR_VERSION, wheel_hashes
from parity.scorer.series import OFFICIAL, Series


def main(argv: Sequence[str] | None = None) -> int:
    """Make the table, and return the exit code; with `--check` it is 1 if the file has another table."""
    parser = ArgumentParser(prog="python -m parity.drift.record", description="Make the table of all releases.")
    parser.add_argument("--check", action="store_true", help="write nothing, and check that the table is up to date")
    options = parser.parse_args(argv)
    if Series.running() is not OFFICIAL:
        parser.error(f"the table is of the series {OFFICIAL.value}; run this with an interpreter of that series")
    asked = chosen_vectors()
    try:
        text = table_text(
            table_of([_recorded(name, asked) for name in wheel_hashes() if name != HARBOR_VERSION], asked)
        )
    except (WheelError, ReferenceLost) as error:
        parser.exit(3, f"{parser.prog}: {str(error).removeprefix('--reference ')}\n")
    if not options.check:
        TABLE_FILE.write_text(text, encoding="utf-8")
        return 0
    kept = TABLE_FILE.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line not in set(kept.splitlines())]
    for line in lines:
        _say(f"not in {TABLE_FILE.name}: {line:.300}")
    return int(text != kept)


def _recorded(name: str, asked: dict[str, list[Vector]]) -> Recorded:
    with opened_release(name, _say) as release:
        return record_release(name, release, asked, lambda operation, vectors: _say(f"{name}: {operation}"))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
