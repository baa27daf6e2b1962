"""The suite can fail: every faulty runner is caught, and the rule that it breaks is named."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import Phase

from parity import reference
from parity.judging import recording
from parity.judging.checking import Checker
from parity.operations import goldens
from parity.operations.answers import Answer, NotClaimed
from parity.operations.operation import Operation
from parity.operations.rules import RULES
from parity.operations.wire import canonical
from parity.pytest_plugin import profiles
from parity.pytest_plugin.plugin import SESSION
from parity.reference import verify_wheel
from parity.reference.released import installed_release
from tests.faulty import FAULTS
from tests.faulty.env_fault import DocumentedFault
from tests.faulty.fault import Fault


class Spy:
    """Remembers how runs of the suite went."""

    def __init__(self) -> None:
        self.failed: set[str] = set()
        self.broken: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the names of failed tests."""
        if report.failed:
            self.failed.add(report.location[2].partition("[")[0])

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Keep the slugs of the rules that the run reported as broken."""
        self.broken |= set(session.config.stash[SESSION].tally.broken())


_ask_now, _record_now, _read_entries = Checker.ask_reference, recording.record, cache(goldens.read_entries)
_answers: dict[str, Answer] = {}
_recordings: dict[str, list[goldens.Entry]] = {}


def _ask_reference(checker: Checker, operation: Operation[Any], question: Any) -> Answer:
    """The wheel's answer, asked once for all faulty runners: the same cases are drawn for each of them."""
    key = canonical([operation.name, operation.encode(question)])
    if key not in _answers:
        _answers[key] = _ask_now(checker, operation, question)
    return _answers[key]


def _ask_both(checker: Checker, operation: Operation[Any], question: Any) -> tuple[Answer, Answer]:
    expected = checker.ask_reference(operation, question)
    return expected, expected if isinstance(expected, NotClaimed) else checker.ask_runner(operation, question)


def _record(operation: Operation[Any], *arguments: Any) -> list[goldens.Entry]:
    """What recording writes today, which is the same for all faulty runners."""
    if operation.name not in _recordings:
        _recordings[operation.name] = _record_now(operation, *arguments)
    return _recordings[operation.name]


@cache
def _verify_wheel() -> None:
    """Once for all runs in this process, which has imported it."""
    verify_wheel()


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the runs of the suite share what does not depend on the runner."""
    monkeypatch.setattr(Checker, "ask_reference", _ask_reference)
    monkeypatch.setattr(Checker, "ask_both", _ask_both)
    monkeypatch.setattr("parity.judging.golden_vectors.record", _record)
    monkeypatch.setattr("parity.judging.golden_vectors.read_entries", _read_entries)
    monkeypatch.setattr(reference, "verify_wheel", _verify_wheel)


def _selections(fault: type[Fault], spy: Spy) -> Iterator[tuple[str, str, str]]:
    """Which tests of which module to run under which profile, until the fault is caught and its rule is named."""
    operation = RULES[fault.breaks].operation
    module = f"parity.operations.{operation}.test_{operation}"
    vectors = (module, "test_golden", "quick")
    more = (module, fault.seen_by, "default")
    if _seen_by(fault) == "test_golden":
        yield vectors
        return
    yield (module, fault.seen_by, "quick")
    yield from (vectors, more) if fault.seen_by in spy.failed else (more, vectors)


def _seen_by(fault: type[Fault]) -> str:
    """Which test has to see it: without the class that is documented, what it once answered."""
    needs_release = issubclass(fault, DocumentedFault) and installed_release() is None
    return "test_golden" if needs_release else fault.seen_by


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
@pytest.mark.usefixtures("shared")
def test_the_suite_catches_it(fault: type[Fault], pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn cases catch it, and the report of drawn cases, or else of vectors, names the broken rule."""
    spec = f"{fault.__module__}:{fault.__name__}"
    spy = Spy()
    monkeypatch.setattr(profiles, "PHASES", (Phase.explicit, Phase.generate))  # to shrink would cost most of the time
    for module, selected, profile in _selections(fault, spy):  # the first mostly does
        if _seen_by(fault) in spy.failed and fault.breaks in spy.broken:
            break
        pytester.inline_run("--pyargs", module, "-k", selected, "--runner", spec, "--profile", profile, plugins=[spy])

    assert _seen_by(fault) in spy.failed
    assert fault.breaks in spy.broken


def test_every_rule_has_a_faulty_runner() -> None:
    """A rule that nothing can break is no rule."""
    breakable = {fault.breaks for fault in FAULTS.values()}

    assert set(RULES) == breakable


def test_every_fault_says_what_it_does() -> None:
    """A faulty runner is documented by its docstring."""
    undocumented = [name for name, fault in FAULTS.items() if not fault.__doc__]

    assert not undocumented
