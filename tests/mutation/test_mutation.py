"""Tests that the lists of equivalent mutants and of tests match the checkout, and of the command's messages."""

import sys
from pathlib import Path

import pytest

from tests.mutation.__main__ import main
from tests.mutation.ask_vectors import TESTS
from tests.mutation.lists import equivalents, modules

_CHECKOUT = Path(__file__).parents[2]


def test_every_listed_mutant_can_be_made() -> None:
    """Each mutant in `equivalents.toml` changes a line that exists, in a module that is mutated."""
    listed = equivalents()

    assert listed.keys() <= set(modules())
    for module, changes in listed.items():
        lines = {line.strip() for line in (_CHECKOUT / module).read_text(encoding="utf-8").splitlines()}
        assert {each.split(" => ")[0] for each in changes} <= lines


def test_every_listed_test_exists() -> None:
    """The tests that a mutant runs exist, because pytest's error about a missing one would count as a kill."""
    missing = [path for paths in TESTS.values() for path in paths if not (_CHECKOUT / path).exists()]

    assert missing == []


def test_missing_cosmic_ray_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without Cosmic Ray, the command ends with one line: what is missing, where, and what to do."""
    monkeypatch.setitem(sys.modules, "cosmic_ray", None)

    code = main(["parity/scorer/job.py"])

    assert code == 2
    assert capsys.readouterr().err == (
        f"Cosmic Ray, which makes the mutants, is not installed in {sys.prefix}; "
        "run tox run -e mutation, or install cosmic-ray there\n"
    )


def test_missing_module_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """A module that does not exist is a mistake in the command line, whose message names it."""
    with pytest.raises(SystemExit, match="2"):
        main(["scorer/job.py"])

    assert capsys.readouterr().err.endswith(
        f"error: there is no module 'scorer/job.py' in {_CHECKOUT}; write it as parity/scorer/summation.py\n"
    )
