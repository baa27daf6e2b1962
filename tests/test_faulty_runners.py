"""The suite can fail: every faulty runner is caught, and the rule that it breaks is named."""

import pytest

from parity.plugin import SESSION
from parity.rules import RULES
from tests.faulty import FAULTS
from tests.faulty.fault import Fault


class Spy:
    """Remembers how a run of the suite went."""

    def __init__(self) -> None:
        self.failed: set[str] = set()

    def pytest_configure(self, config: pytest.Config) -> None:
        """Keep the run's configuration, which holds its session."""
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the names of failed tests."""
        if report.failed:
            self.failed.add(report.location[2])

    def broken_rules(self) -> set[str]:
        """Slugs of the rules that the run reported as broken."""
        operations = self.config.stash[SESSION].tally.operations.values()
        return {slug for counts in operations for slug in counts.rules_broken}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_the_suite_catches_it(fault: type[Fault], pytester: pytest.Pytester) -> None:
    """Drawn cases catch it, and the report of drawn cases and vectors names the broken rule."""
    spec = f"{fault.__module__}:{fault.__name__}"
    for profile in ("quick", "default"):  # the quick profile mostly does
        spy = Spy()
        operation = RULES[fault.breaks].operation
        selected = f"test_golden and {operation} or {fault.seen_by}"
        pytester.inline_run(
            "--pyargs", "parity.suite", "-k", selected, "--runner", spec, "--profile", profile, plugins=[spy]
        )
        if fault.seen_by in spy.failed:
            break

    assert fault.seen_by in spy.failed
    assert fault.breaks in spy.broken_rules()


def test_every_rule_has_a_faulty_runner() -> None:
    """A rule that nothing can break is no rule."""
    breakable = {fault.breaks for fault in FAULTS.values()}

    assert set(RULES) == breakable


def test_every_fault_says_what_it_does() -> None:
    """A faulty runner is documented by its docstring."""
    undocumented = [name for name, fault in FAULTS.items() if not fault.__doc__]

    assert not undocumented
