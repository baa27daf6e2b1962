"""What is measured of the wheel: which places there are, and that those that are reached are seen."""

import subprocess
import sys
from collections.abc import Iterator
from types import CodeType

import pytest

from parity.judging.tally import Tally
from parity.reference import open_reference
from parity.reference.coverage import SCORING, CannotMeasure, Monitor, open_monitor, places_of
from parity.reference.coverage.places import functions_in, lines_of, ways_of
from parity.report.coverage import UNEXPLAINED, coverage_of

_SOURCE = """\
def decide(rows, flag):
    for row in rows:
        if row:
            continue
        with flag:
            row.clear()
    try:
        kept = [row for row in rows if row]
    except ValueError:
        kept = None
    return kept or rows
"""


def _function(source: str) -> CodeType:
    (code,) = functions_in(compile(source, "made-up", "exec"))
    return code


@pytest.fixture
def monitor() -> Iterator[Monitor]:
    """A monitor that is closed again."""
    monitor = open_monitor()
    yield monitor
    monitor.close()


def test_lines() -> None:
    """All that can run, but for the line that begins the function."""
    assert lines_of(_function(_SOURCE)) == set(range(2, 12))


def test_branches() -> None:
    """Both ways out of what is written as a decision, and nothing of exceptions and comprehensions."""
    ways = {way for each in ways_of(_function(_SOURCE)).values() for way in (each.onward, each.jumped)}

    assert ways == {"2->3", "2->8", "3->next", "3->5", "11:12->11:5", "11:12->11:20"}


def test_only_functions_that_score_count() -> None:
    """Of a large module the rest is left out."""
    (job,) = (module for module in SCORING if module.name == "harbor.job")

    owners = set(places_of(job).owners.values())

    assert "Job.run" in owners
    assert "Job._init_logger" not in owners


def test_what_is_reached_is_seen(monitor: Monitor) -> None:
    """In modules that were imported before; each way out of a decision by itself."""
    wheel = open_reference().wheel
    monitor.arm()

    wheel.aggregate("mean", [{"reward": 1}])
    one_key = set(monitor.reached["harbor.metrics.base"])
    wheel.aggregate("mean", [{"speed": 1, "reward": 2}])

    assert {"25", "27", "30", "25->28"} <= one_key
    assert not {"32", "25->36"} & one_key
    assert {"32", "25->36"} <= monitor.reached["harbor.metrics.base"]
    assert monitor.reached["harbor.utils.pass_at_k"] == set()


def test_functions_of_one_line_are_seen(monitor: Monitor) -> None:
    """Their only line is the one that begins them."""
    from harbor.models.job.result import AgentDatasetStats, JobStats

    monitor.arm()

    AgentDatasetStats()
    JobStats()

    assert {"24", "36"} <= monitor.reached["harbor.models.job.result"]


def test_modules_that_are_imported_later_are_seen() -> None:
    """Once the next test begins."""
    program = """
import sys
from parity.reference.coverage import open_monitor
monitor = open_monitor()
monitor.arm()
assert "harbor.utils.pass_at_k" not in sys.modules
from harbor.utils.pass_at_k import compute_pass_at_k_by_evals
monitor.arm()
compute_pass_at_k_by_evals([])
print(*monitor.reached["harbor.utils.pass_at_k"])
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "13" in run.stdout.split()


def test_another_tool_is_left_alone() -> None:
    """Where something else monitors the process, coverage is left out and says why."""
    sys.monitoring.use_tool_id(sys.monitoring.COVERAGE_ID, "another")
    try:
        with pytest.raises(CannotMeasure, match="another watches this process"):
            open_monitor()
    finally:
        sys.monitoring.free_tool_id(sys.monitoring.COVERAGE_ID)


def test_a_closed_monitor_can_be_opened_again() -> None:
    """It leaves nothing behind."""
    open_monitor().close()

    open_monitor().close()


def test_what_was_not_measured_is_left_out() -> None:
    """A report without coverage holds null."""
    assert coverage_of(Tally(unmeasured="no sys.monitoring"), explained=True) is None
    assert coverage_of(Tally(), explained=True) is None


def test_unreached_lines_are_reported_as_ranges() -> None:
    """Those that follow one another together; a branch alone, where both of its ends were reached."""
    (base,) = (module for module in SCORING if module.name == "harbor.metrics.base")
    places = places_of(base)
    tally = Tally()
    tally.reached[base.name] = {*places.lines, *places.branches} - {"26", "27", "28", "25->36"}

    (covered,) = (each for each in coverage_of(tally, explained=False) or () if each.module == base.name)

    assert [(each.lines, each.reason) for each in covered.unreached] == [
        ("25->36", UNEXPLAINED),
        ("26-28", UNEXPLAINED),
    ]
    assert (covered.lines - covered.reached, covered.branches - covered.branches_reached) == (3, 1)
