"""A rule is named only for the kind of difference that its faulty runners make."""

import asyncio
import json
import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

from parity.driver import job as running
from parity.operations.aggregate import AGGREGATE
from parity.operations.aggregate.case import AggregateCase
from parity.operations.aggregate.equivalents import added_up
from parity.operations.goldens import read_vectors
from parity.operations.job_stats import JOB_STATS
from parity.operations.operation import Operation
from parity.operations.run_job import RUN_JOB
from parity.operations.scenarios.plain import PLAIN_TASK
from parity.operations.scenarios.recording import Effect, Script
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings
from parity.operations.scenarios.settings import AgentSettings
from parity.operations.trial_reward import TRIAL_REWARD
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer import summation
from parity.scorer.job import Usage
from parity.suite.checker import Checker
from tests.faulty.aggregate.metrics import KeepsTheOnlyKey


def _named(runner: CleanRoom, operation: Operation[Any], start: str = "") -> set[str]:
    """Return the rules to which the runner's wrong answers to the cases of golden vectors are attributed."""
    checker = Checker(CleanRoom(), runner, Clock(Clock.DEFAULT))
    named = set()
    for vector in read_vectors(operation.name):
        expected = vector.answer(runner.series)
        if expected is None or not vector.id.startswith(start):
            continue
        operation.remember(vector.case, expected)
        actual = checker.ask_runner(operation, vector.case)
        divergence = checker.compare(operation, vector.case, expected, actual)
        if divergence:
            named.add(divergence.rule.slug)
    return named


class _MeanOfStepsWithTheKey(CleanRoom):
    """A runner that divides the sum of a key by the number of steps that have it."""

    def trial_reward(self, task: Any) -> Any:
        record = super().trial_reward(task)
        steps = [step["rewards"] or {} for step in record["steps"] or () if step["verified"]]
        if task.strategy != "final" and record["rewards"]:
            having = {key: sum(key in rewards for rewards in steps) for key in record["rewards"]}
            record["rewards"] = {key: mean * len(steps) / having[key] for key, mean in record["rewards"].items()}
        return record


def test_a_mean_breaks_no_threshold() -> None:
    """A wrong mean is not attributed to a rule on thresholds."""
    named = _named(_MeanOfStepsWithTheKey(), TRIAL_REWARD)

    assert "trial-reward/missing-key" in named
    assert not [slug for slug in named if "threshold" in slug]


class _SumWithoutAbsolutes(CleanRoom):
    """A runner that compares a sum with the next number by value instead of by size."""

    def aggregate(self, metric: Any, rewards: Any) -> Any:
        with mock.patch.object(summation, "_add_compensated", self._add):
            return super().aggregate(metric, rewards)

    @staticmethod
    def _add(total: float, lost: float, value: float) -> tuple[float, float]:
        after = total + value
        return after, lost + ((total - after) + value if total >= value else (value - after) + total)


def test_a_last_bit_is_one_of_adding() -> None:
    """A difference in the last bit of a sum is attributed to compensation, in any case."""
    case = AggregateCase("sum", ({"reward": -0.43}, {"reward": -0.6}))
    checker = Checker(CleanRoom(), _SumWithoutAbsolutes(), Clock(Clock.DEFAULT))

    divergence = checker.diverges(AGGREGATE, case)

    assert divergence
    assert divergence.rule.slug == "summation/compensated"


class _ExtremesAreOff(CleanRoom):
    """A runner whose extremes are one ULP off."""

    def aggregate(self, metric: Any, rewards: Any) -> Any:
        answer = super().aggregate(metric, rewards)
        return {key: math.nextafter(value, 9.0) for key, value in answer.items()} if metric == "max" else answer


def test_a_last_bit_of_an_extreme_is_none_of_adding() -> None:
    """A difference in the last bit of an extreme is not attributed to summation."""
    checker = Checker(CleanRoom(), _ExtremesAreOff(), Clock(Clock.DEFAULT))

    divergence = checker.diverges(AGGREGATE, AggregateCase("max", ({"reward": 0.5}, {"reward": 0.25})))

    assert divergence
    assert divergence.rule.slug == "aggregate/value"


def test_another_key_is_no_sum() -> None:
    """A wrong key of a metric is not attributed to summation."""
    assert _named(KeepsTheOnlyKey(), AGGREGATE) == {"aggregate/single-key"}


class _SpellsNan(CleanRoom):
    """A runner that writes nan as JavaScript does."""

    def job_stats(self, job: Any) -> str:
        return super().job_stats(job).replace('"nan": [', '"NaN": [')


def test_the_spelling_of_a_key_is_named() -> None:
    """A wrong spelling of a key is attributed to the rule on float keys, not to a rule on nan."""
    named = _named(_SpellsNan(), JOB_STATS)

    assert "job-stats/float-keys" in named
    assert not named & {"job-stats/nan-keys", "job-stats/literal-nan"}


class _Batch:
    """A semaphore whose places become free only when all of them have been released."""

    def __init__(self, seats: int) -> None:
        self._seats = self._free = seats
        self._taken, self._changed = 0, asyncio.Condition()

    async def __aenter__(self) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._free)
            self._free -= 1
            self._taken += 1

    async def __aexit__(self, *_: object) -> None:
        async with self._changed:
            self._taken -= 1
            if not self._taken:
                self._free = self._seats
                self._changed.notify_all()


class _RunsInBatches(CleanRoom):
    """A runner that starts no trial before all trials of the last batch have ended."""

    def run_job(self, scenario: Any) -> Any:
        like_asyncio = SimpleNamespace(**{**vars(asyncio), "Semaphore": _Batch})
        with mock.patch.object(running, "asyncio", like_asyncio):
            return super().run_job(scenario)


def test_a_late_trial_is_not_one_of_another_agent() -> None:
    """A trial that starts late is attributed to concurrency, not to the choice of agents."""
    nop = AgentSettings("nop")
    scripts = tuple((Script({0: Effect("wait", "", seconds)}),) for seconds in (5, 1, 1, 1))
    case = JobScenario(
        (PLAIN_TASK,), ScenarioSettings(nop), 2, 2, scripts=scripts, further_agents=(AgentSettings("nop", model="m"),)
    )
    checker = Checker(CleanRoom(), _RunsInBatches(), Clock(Clock.DEFAULT))

    divergence = checker.diverges(RUN_JOB, case)

    assert divergence
    assert (divergence.difference.path[-1], divergence.rule.slug) == ("at", "run-job/concurrency")


class _IndentsByTwo(CleanRoom):
    """A runner that indents config.json of a job by two blanks."""

    def run_job(self, scenario: Any) -> Any:
        record = super().run_job(scenario)
        record["texts"]["config.json"] = json.dumps(record["files"]["config.json"], indent=2, ensure_ascii=False)
        return record


def test_a_layout_is_not_what_a_job_went_on_with() -> None:
    """A wrong layout is attributed to the rule on layout, even in vectors of resumed jobs."""
    named = _named(_IndentsByTwo(), RUN_JOB, "run-job/resume-")

    assert named == {"run-job/document-layout"}


def test_an_int_that_equals_a_float_is_no_float() -> None:
    """A column with an int other than 0 has no equivalent case for compensation."""
    case = AggregateCase("sum", ({"reward": 1.0}, {"reward": 1}))

    assert added_up(case) == case


class _AddsCostsWithFsum(CleanRoom):
    """A runner that adds costs with `fsum`, and writes a sum that is nan as Python does."""

    def job_stats(self, job: Any) -> str:
        costs = [used.cost for event in job.events for used in event.trial.usage if used.cost is not None]
        head, name, rest = super().job_stats(job).rpartition('"cost_usd": ')
        return f"{head}{name}{math.fsum(costs)!r}{rest[rest.index(chr(10)) :]}"


def test_a_cost_in_a_text_that_is_not_json() -> None:
    """A wrong cost is attributed to a rule on costs, even if it makes the text invalid JSON."""
    case = next(vector.case for vector in read_vectors("job_stats") if vector.id == "job-stats/cost/three-tenths/ended")
    costs = iter((0.1, math.nan, 0.2))
    events = [
        replace(event, trial=replace(event.trial, agent='a"', usage=(Usage(None, None, None, next(costs)),)))
        for event in case.events
    ]
    checker = Checker(CleanRoom(), _AddsCostsWithFsum(), Clock(Clock.DEFAULT))

    finite = checker.diverges(JOB_STATS, case)
    not_a_number = checker.diverges(JOB_STATS, replace(case, events=tuple(events)))

    assert finite
    assert not_a_number
    assert finite.rule.slug == "job-stats/cost"
    assert not_a_number.rule.slug == "result-text/non-finite-values"
    assert not_a_number.difference.path == ("cost_usd",)
