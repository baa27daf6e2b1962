"""The README says what is so: its tables, its commands and its examples."""

import re
from pathlib import Path

import pytest

from parity.reference import open_reference
from parity.reference.wheel import Wheel
from parity.scorer import OFFICIAL, Series
from tests.demonstration import demonstration, report_demonstration
from tests.errata import ERRATA, Erratum, row_name
from tests.readme import README, TABLES, failure_block, place_of

_TEXT = README.read_text(encoding="utf-8")


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

    assert printed.startswith("```\nDIVERGENCE in aggregate: ")
    assert shown == printed or Series.running() is not OFFICIAL


def test_the_reports_are_real() -> None:
    """What is shown of two runners is what their reports come to; to the letter in the official series."""
    shown, printed = place_of("report", _TEXT), report_demonstration()

    assert "summation/compensated  ✗ diverges" in printed
    assert shown == printed or Series.running() is not OFFICIAL


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
