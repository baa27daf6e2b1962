"""The README says what is so: its tables, its commands and its examples."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parity.reference import open_reference
from parity.reference.wheel import Wheel
from parity.scorer import OFFICIAL, Series
from tests.demonstration import demonstration, pipe_demonstration, report_demonstration
from tests.errata import ERRATA, Erratum, row_name
from tests.readme import README, TABLES, declared_block, failure_block, place_of

_TEXT = README.read_text(encoding="utf-8")
_RUNNER = re.compile(r"# Where (.+) scores otherwise than harbor 0\.13\.1\.\n")


@pytest.fixture(scope="module")
def wheel() -> Wheel:
    """The verified wheel."""
    return open_reference().wheel


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_current(name: str) -> None:
    """Renew them with `python -m tests.readme`."""
    assert TABLES[name]() == place_of(name, _TEXT)


def test_the_failure_is_real() -> None:
    """The report of the faulty runner is what the command prints; to the letter in the official series."""
    shown, printed = place_of("failure", _TEXT), failure_block()

    assert printed.startswith("```\nDIVERGENCE in aggregate (")
    assert shown == printed or Series.running() is not OFFICIAL


def test_the_reports_are_real() -> None:
    """What is shown of two runners is what their reports come to; to the letter in the official series."""
    shown, printed = place_of("report", _TEXT), report_demonstration()

    assert "summation/compensated  ✗ " in printed
    assert shown == printed or Series.running() is not OFFICIAL


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed: the README shows a runner for it")
def test_the_pipe_is_real() -> None:
    """`parity check-runner` says of two programs what is shown."""
    assert place_of("pipe", _TEXT) == pipe_demonstration()


def test_the_declaration_is_real() -> None:
    """The entry that is shown stands in a bridge's file."""
    assert place_of("declared", _TEXT) == declared_block()


def test_every_bridge_is_in_the_picture() -> None:
    """Each file of declared divergences has a tox environment, and its runner a column."""
    checkout = README.parent
    bridges = checkout / "parity" / "runners" / "bridges"
    drawn = (bridges / "matrix.svg").read_text(encoding="utf-8")

    tox = subprocess.run(
        [sys.executable, "-m", "tox", "list", "--no-desc", "-q"],
        capture_output=True,
        text=True,
        cwd=checkout,
        check=True,
    )

    files = {path.stem: path for path in (bridges / "divergences").glob("*.toml")}
    environments = {name.removeprefix("bridge-") for name in tox.stdout.split() if name.startswith("bridge-")}
    runners = [_RUNNER.match(path.read_text(encoding="utf-8")) for path in files.values()]
    assert environments == set(files)
    assert [found and found[1] for found in runners if not found or f"{found[1]} " not in drawn] == []


def test_the_demonstration_is_real() -> None:
    """The commands print what is shown."""
    assert place_of("demonstration", _TEXT) == demonstration()


@pytest.mark.parametrize("erratum", ERRATA, ids=row_name)
def test_errata_are_what_the_wheel_does(erratum: Erratum, wheel: Wheel) -> None:
    """Each row of the table is the wheel's answer of today."""
    row = f"| {erratum.document} | {erratum.claim} | {erratum.shown(wheel)} |"

    assert row in _TEXT.splitlines()


def test_the_first_two_code_blocks_are_the_two_commands() -> None:
    """A newcomer copies the first block to run the main job, and the second to pass the tests; CI does the same."""
    first, second = re.findall(r"```sh\n(.*?)```", _TEXT, re.DOTALL)[:2]

    assert "pytest parity/" in first
    assert "pytest tests/" in second


@pytest.mark.parametrize("path", re.findall(r"\]\(((?!http)[^)#]+)\)", _TEXT))
def test_links_lead_somewhere(path: str) -> None:
    """Every relative link of the README is a file or folder of the checkout."""
    assert Path(README.parent, path).exists()


@pytest.mark.parametrize("name", re.findall(r"<!-- /([\w-]+) -->", _TEXT))
def test_no_place_is_empty(name: str) -> None:
    """Every table and block is there."""
    assert place_of(name, _TEXT).strip()
