"""Tests that no drawn case is lost: it is asked as it was drawn, and reported even if it cannot be written."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.goldens import read_vectors
from parity.operations.job_stats import JOB_STATS
from parity.operations.operation import Operation
from parity.operations.rules import RULES
from parity.operations.run_trial import RUN_TRIAL
from parity.operations.scenarios.plain import PLAIN_TASK
from parity.operations.scenarios.scenario import ScenarioSettings, TrialScenario
from parity.operations.scenarios.scripted_sandbox import Script
from parity.operations.scenarios.settings import AgentSettings
from parity.operations.wire import WireError
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer import Job
from parity.suite import similar_vectors
from parity.suite.checker import Checker
from parity.suite.divergence import DivergenceFound, Look
from parity.suite.findings import Recorder
from parity.suite.records import DivergenceRecord
from parity.suite.replay import read_replay, remove_replays
from parity.suite.run import comparisons
from tests.outcomes import outcomes

_CASE = AggregateCase("mean", ({"reward": 0.5},))


class _Wrong(CleanRoom):
    """A runner whose answers to three operations are wrong."""

    name = "wrong"

    def aggregate(self, metric: str, rewards: Any) -> Any:
        return {"mean": 1.0}

    def job_stats(self, job: Job) -> str:
        return super().job_stats(job).replace('"n_retries": 0', '"n_retries": 1')

    def run_trial(self, scenario: TrialScenario) -> Any:
        return {**super().run_trial(scenario), "calls": []}


class _HangsOnVectors(_Wrong):
    """A runner that exits when it is asked again, as for a hint."""

    asked = 0

    def job_stats(self, job: Job) -> str:
        self.asked += 1
        if self.asked > 2:
            raise SystemExit
        return super().job_stats(job)


def _finding(checker: Checker, operation: Operation[Any], case: Any) -> DivergenceFound:
    with pytest.raises(DivergenceFound) as caught:
        checker.check(operation, [case])
    return caught.value


def _recorded(checker: Checker, finding: DivergenceFound, directory: Path) -> DivergenceRecord:
    """Return the record of a finding."""
    Recorder(checker, directory, str).record(finding)
    (record,) = checker.run.worst.values()
    return record


def _checker(runner: CleanRoom) -> Checker:
    shown: dict[str, dict[Look, str]] = {each.name: {} for each in (AGGREGATE, JOB_STATS, RUN_TRIAL)}
    return Checker(CleanRoom(), runner, Clock(Clock.DEFAULT), shown=shown)


def _raise(*arguments: Any) -> Any:
    raise WireError("the case has no form in JSON")


def test_drawn_case_is_never_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A case whose decoding fails is asked, judged, recorded and written."""
    monkeypatch.setattr(type(AGGREGATE), "decode", _raise)
    checker = _checker(_Wrong())

    record = _recorded(checker, _finding(checker, AGGREGATE, _CASE), tmp_path)

    assert record.case_text == AGGREGATE.describe(_CASE)
    assert json.loads((tmp_path / str(record.replay_file)).read_text())["input"] == AGGREGATE.encode(_CASE)


def test_case_that_cannot_be_encoded_is_reported_by_its_repr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A case without a wire form is asked twice alike, and its repr is in the report and in a file."""
    monkeypatch.setattr(type(AGGREGATE), "encode", _raise)
    checker = _checker(_Wrong())

    finding = _finding(checker, AGGREGATE, _CASE)
    again = _finding(checker, AGGREGATE, _CASE)
    record = _recorded(checker, finding, tmp_path)

    assert again.divergence is finding.divergence
    assert record.case is None
    assert record.case_text == repr(_CASE)
    assert record.replay.startswith("none: the case cannot be written as JSON (WireError: the case has no ")
    (path,) = tmp_path.iterdir()
    assert record.replay.endswith(f"; its repr is in {path}")
    assert path.read_text() == f"{_CASE!r}\n"
    remove_replays(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("method", ["describe", "with_stable_order", "question", "arguments"])
def test_failure_while_a_case_is_reported_loses_no_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """Whatever fails while a finding is reported, the entry has the case, and the case is in a file."""
    checker = _checker(_Wrong())
    finding = _finding(checker, AGGREGATE, _CASE)
    monkeypatch.setattr(type(AGGREGATE), method, _raise)

    record = _recorded(checker, finding, tmp_path)

    (path,) = tmp_path.iterdir()
    assert record.case_text in (repr(_CASE), "mean of [{'reward': 0.5}]")
    assert path.read_text() == f"{_CASE!r}\n" or read_replay(path).case == _CASE


class _Unprintable(AggregateCase):
    def __repr__(self) -> str:
        raise RuntimeError("not printable")


def test_case_without_a_repr_equals_no_other_case() -> None:
    """A case without a repr is asked again, because it may be another one."""
    checker = _checker(_Wrong())

    one, other = (_finding(checker, AGGREGATE, _Unprintable(_CASE.metric, _CASE.rewards)) for _ in range(2))

    assert one.divergence is not other.divergence


def test_condition_that_raises_hides_no_divergence(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a rule's condition raises an exception, the divergence breaks the last rule that every case can break."""
    monkeypatch.setattr(AGGREGATE, "rules", [replace(RULES["aggregate/null-is-zero"], when=_raise), *AGGREGATE.rules])

    finding = _finding(_checker(_Wrong()), AGGREGATE, _CASE)

    assert finding.divergence.rule.slug == "aggregate/value"


def test_task_that_cannot_be_run_is_asked(tmp_path: Path) -> None:
    """A trial of a task that no runner can run is asked, and the runner's answer is judged."""
    task = TrialScenario(
        type(PLAIN_TASK)("a = ", PLAIN_TASK.files), ScenarioSettings(AgentSettings("nop")), Script({}, (), ())
    )
    checker = _checker(_Wrong())

    checker.check(RUN_TRIAL, [task])  # both sides refuse it

    assert comparisons(checker.run.counts) == 1


def test_most_similar_failing_vector_is_a_row(tmp_path: Path) -> None:
    """A drawn case under a general rule has a row with the most similar vector that the runner fails."""
    vector = next(each for each in read_vectors("job_stats") if each.id == "job-stats/stats/two/ended")
    checker = _checker(_Wrong())

    record = _recorded(checker, _finding(checker, JOB_STATS, vector.case), tmp_path)

    assert record.like == vector.id
    assert record.vector is None
    assert {source for source, _ in outcomes(checker.run, "job_stats")} == {"drawn"}


def test_vectors_are_asked_once_for_all_hints(tmp_path: Path) -> None:
    """A vector that was asked for one hint is not asked again for the next one."""
    case = next(each.case for each in read_vectors("job_stats") if each.id == "job-stats/stats/two/ended")
    checker = _checker(_Wrong())
    finding = _finding(checker, JOB_STATS, case)
    first = similar_vectors.similar_vector(checker, finding.divergence)
    checker.runner = _HangsOnVectors()
    checker.runner.asked = 2

    assert similar_vectors.similar_vector(checker, finding.divergence) == first
    assert checker.runner.asked == 2


def test_crash_at_a_vector_ends_the_search(tmp_path: Path) -> None:
    """A runner that dies when it is asked for a hint is asked no further vector, and the finding stays."""
    case = next(each.case for each in read_vectors("job_stats") if each.id == "job-stats/stats/two/ended")
    runner = _HangsOnVectors()
    checker = _checker(runner)

    record = _recorded(checker, _finding(checker, JOB_STATS, case), tmp_path)

    assert record.rule == "job-stats/stats"
    assert runner.asked == 3


def test_vectors_that_were_judged_are_not_asked_for_a_hint(tmp_path: Path) -> None:
    """If the vectors of an operation were asked by their own test, the hint comes from these answers alone."""
    runner = _HangsOnVectors()
    case = next(each.case for each in read_vectors("job_stats") if each.id == "job-stats/stats/two/ended")
    checker = _checker(runner)
    finding = _finding(checker, JOB_STATS, case)
    checker.judged_vectors.add("job_stats")
    checker.failed_vectors["job_stats"] = {"job-stats/stats/one/ended": True, "job-stats/stats/two/ended": False}

    assert similar_vectors.similar_vector(checker, finding.divergence) == "job-stats/stats/one/ended"
    assert runner.asked == 1


def test_other_operations_name_no_similar_vector(tmp_path: Path) -> None:
    """A case of an operation that tells its rules apart names no similar vector, but says that none shows it."""
    checker = _checker(_Wrong())

    record = _recorded(checker, _finding(checker, AGGREGATE, _CASE), tmp_path)

    assert record.like == "no golden vector shows this"
    assert OPERATIONS["aggregate"].general == {}
