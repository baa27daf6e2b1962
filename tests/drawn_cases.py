"""The cases that a test of the suite draws, and the reference's answers to them: both the same for every runner."""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec, module_from_spec
from inspect import signature
from typing import Any

from parity.judging.checking import Checker
from parity.operations import OPERATIONS
from parity.operations.answer_wire import decode_answer
from parity.operations.answers import Answer
from parity.operations.goldens import read_entries, recorded_answer
from parity.operations.operation import Operation
from parity.operations.wire import canonical
from parity.pytest_plugin.profiles import PROFILES, Profile, prepare, seed_test, steady_hypothesis
from parity.reference import open_reference
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer.series import Series

type Case = tuple[Operation[Any], Any, Answer | None]
"""An operation, a question, and the reference's answer where it was given in another way than by asking."""


class _Listener(Checker):
    """Keeps what it is to check, and asks nobody."""

    def __init__(self) -> None:
        super().__init__(None, CleanRoom(), Clock(1.0))  # type: ignore[arg-type]
        self.drawn: list[Case] = []

    def check(self, operation: Operation[Any], questions: Sequence[Any], flagged: Sequence[Any] | None = None) -> None:
        self.drawn += [(operation, question, None) for question in questions]

    def check_known(self, operation: Operation[Any], question: Any, expected: Answer) -> None:
        self.drawn.append((operation, question, expected))


def names_of_tests(operation: str, name: str) -> list[str]:
    """The tests of an operation that `-k` with this name selects."""
    return [each for each in vars(_module(operation, "quick")) if each.startswith("test_") and name in each]


@cache
def _module(operation: str, profile: str) -> Any:
    """The tests of an operation, loaded anew for each profile: Hypothesis takes settings for a test only once."""
    name = f"parity.operations.{operation}.test_{operation}"
    spec = find_spec(name)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def drawn_cases(operation: str, test: str, profile: str) -> list[Case]:
    """What a test of the suite asks, in its order, with the seed of the profile `default`."""
    return list(_drawn(_module(operation, profile), test, PROFILES[profile]))


def likeliest_first(operation: str, test: str, profile: str, flags: frozenset[str]) -> list[Case]:
    """The same cases, those before all others that carry one of the flags: which a fault is likeliest to show in."""
    cases, carried = drawn_cases(operation, test, profile), _carried(operation, test, profile)
    return [cases[number] for number in sorted(range(len(cases)), key=lambda number: flags.isdisjoint(carried[number]))]


@cache
def _carried(operation: str, test: str, profile: str) -> list[frozenset[str]]:
    """The flags of each case of a test."""
    return [asked.flags(question) for asked, question, _ in drawn_cases(operation, test, profile)]


def _drawn(module: Any, name: str, profile: Profile) -> Iterator[Case]:
    steady_hypothesis()
    test, listener = getattr(module, name), _Listener()
    if hasattr(test, "default_cases"):
        prepare(test, profile)
        seed_test(test, PROFILES["default"].seed())
    given = {"checker": listener, "profile": profile}
    test(**{name: given[name] for name in signature(test).parameters})
    yield from listener.drawn


@cache
def reference() -> Any:
    """The wheel, verified once."""
    return open_reference()


_answers: dict[str, Answer] = {}


def expected_answer(operation: Operation[Any], question: Any) -> Answer:
    """What the reference answers, asked once for all runners."""
    key = canonical([operation.name, operation.encode(question)])
    if key not in _answers:
        _answers[key] = Checker(reference().authorities, CleanRoom(), Clock(60.0)).ask_reference(operation, question)
    return _answers[key]


def forget() -> None:
    """Free what was drawn and answered: hundreds of megabytes."""
    for cached in (drawn_cases, vectors, _carried, _module):
        cached.cache_clear()
    _answers.clear()


@cache
def vectors(operation: str, series: Series) -> list[tuple[str, Any, Answer]]:
    """The golden vectors of an operation: rule, case, and the answer that was recorded from the wheel."""
    asked = OPERATIONS[operation]
    recorded = ((entry, recorded_answer(entry, series)) for entry in read_entries(operation).values())
    return [
        (entry["rule"], asked.decode(entry["input"]), decode_answer(asked, answer))
        for entry, answer in recorded
        if answer is not None
    ]
