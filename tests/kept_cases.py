"""A plugin for the main job that stores the drawn cases, each with the reference's answer.

`-p tests.kept_cases` writes them into the directory that PARITY_KEPT_CASES names, one file a test.
"""

import os
import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from parity.operations.answers import Answer
from parity.operations.operation import Operation
from parity.plugin.golden_fixture import takes_goldens
from parity.suite.checker import Checker


class DrawnCase(NamedTuple):
    """A question that a test has asked."""

    operation: str
    question: Any
    expected: Answer
    """The reference's answer."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Function) -> Iterator[None]:
    """Store the cases that a test draws."""
    if takes_goldens(item):
        return (yield)
    ask_both = Checker.ask_both
    with (
        _file(Path(os.environ["PARITY_KEPT_CASES"]), item.path.parent.name, item.originalname).open("wb") as file,
        pytest.MonkeyPatch.context() as patch,
    ):

        def ask_and_keep(checker: Checker, operation: Operation[Any], question: Any) -> tuple[Answer, Answer]:
            expected, actual = ask_both(checker, operation, question)
            pickle.dump(DrawnCase(operation.name, question, expected), file)
            return expected, actual

        patch.setattr(Checker, "ask_both", ask_and_keep)
        return (yield)


def drawing_tests(directory: Path, operation: str, name: str) -> list[str]:
    """Return the tests of an operation that have drawn cases, and that `-k` with this name selects."""
    return [test for path in sorted(directory.glob(f"{operation}.*")) if name in (test := path.suffix[1:])]


@cache
def cases_of(directory: Path, operation: str, test: str) -> list[DrawnCase]:
    """Return the questions that a test has asked, in order."""
    cases: list[DrawnCase] = []
    with _file(directory, operation, test).open("rb") as file:
        while file.peek(1):
            cases.append(pickle.load(file))
    return cases


def _file(directory: Path, operation: str, test: str) -> Path:
    return directory / f"{operation}.{test}"
