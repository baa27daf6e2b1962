"""The suite can fail: every faulty runner is caught, and the rule that it breaks is named."""

from typing import Any

import pytest
from hypothesis import Phase

from parity import profiles
from parity.answers import Answer
from parity.asking import ask
from parity.checking import Checker
from parity.operations import Operation
from parity.plugin import SESSION
from parity.reference.released import installed_release
from parity.rules import RULES
from parity.wire import canonical
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
        operations = session.config.stash[SESSION].tally.operations.values()
        self.broken |= {slug for counts in operations for slug in counts.rules_broken}


_answers: dict[str, Answer] = {}


def _remembered(checker: Checker, operation: Operation[Any], question: Any) -> Answer:
    """The wheel's answer to a golden vector, asked once for all faulty runners."""
    key = canonical([operation.name, operation.encode(question)])
    if key not in _answers:
        with operation.arguments(question) as arguments:
            _answers[key] = ask(checker.reference, operation.name, arguments)
    return _answers[key]


def _selections(fault: type[Fault]) -> list[tuple[str, str]]:
    """Which tests to run under which profile, until the fault is caught and its rule is named."""
    vectors = f"test_golden and {RULES[fault.breaks].operation}"
    if _seen_by(fault) == "test_golden":
        return [(vectors, "quick")]
    return [(fault.seen_by, "quick"), (vectors, "quick"), (fault.seen_by, "default")]


def _seen_by(fault: type[Fault]) -> str:
    """Which test has to see it: without the class that is documented, what it once answered."""
    needs_release = issubclass(fault, DocumentedFault) and installed_release() is None
    return "test_golden" if needs_release else fault.seen_by


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_the_suite_catches_it(fault: type[Fault], pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn cases catch it, and the report of drawn cases, or else of vectors, names the broken rule."""
    spec = f"{fault.__module__}:{fault.__name__}"
    spy = Spy()
    monkeypatch.setattr(profiles, "PHASES", (Phase.explicit, Phase.generate))  # to shrink would cost most of the time
    monkeypatch.setattr(Checker, "ask_reference", _remembered)
    for selected, profile in _selections(fault):  # the first mostly does
        if _seen_by(fault) in spy.failed and fault.breaks in spy.broken:
            break
        pytester.inline_run(
            "--pyargs", "parity.suite", "-k", selected, "--runner", spec, "--profile", profile, plugins=[spy]
        )

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
