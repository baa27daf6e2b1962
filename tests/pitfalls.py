"""Cases in which Harbor and its consumer, each by its own rules, give a surprising result; shown by running both.

A job of the wheel gets a few trials and writes its result.json; the consumer maps that to a line.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from parity.operations.answers import Fault
from parity.reference.consumer import DescribedConsumer
from parity.reference.wheel import Wheel
from parity.runners.asking import ask
from parity.scorer import Event, Job, JobTrial, MultiStepTrial, Number, Rewards, Step


@dataclass(frozen=True)
class Pitfall:
    """A case, its result, and the reason for the surprise."""

    case: str
    shown: Callable[[Wheel], str]
    why: str


def _group(
    *rewards: Rewards | Number | None, source: str = "set", agent: str = "agent", errors: int = 0
) -> list[JobTrial]:
    """Return trials of one group; a number is a reward, and the first few trials have an error."""
    return [
        JobTrial(
            agent,
            None,
            source,
            f"task-{number}",
            {"reward": given} if isinstance(given, int | float) else given,
            f"{agent}-{number}",
            "AgentTimeoutError" if number < errors else None,
        )
        for number, given in enumerate(rewards)
    ]


def _job(*trials: JobTrial, earlier: tuple[JobTrial, ...] = ()) -> Job:
    datasets = dict.fromkeys(trial.source or "" for trial in trials)
    events = tuple(Event("end", trial.name, trial) for trial in trials)
    return Job(len(trials), events, (), tuple(datasets), earlier)


def _line_of(*trials: JobTrial) -> Callable[[Wheel], str]:
    """Return a function that returns the consumer's line for a job of the wheel with these trials."""

    def shown(wheel: Wheel) -> str:
        stats = wheel.job_stats(_job(*trials))
        return _line(f'{{"n_total_trials": {len(trials)}, "stats": {stats}}}')

    return shown


def _line_for(document: dict[str, Any]) -> Callable[[Wheel], str]:
    return lambda wheel: _line(json.dumps(document))


def _line(document: str) -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "result.json"
        path.write_text(document, encoding="utf-8")
        line = DescribedConsumer().outcome(path)["line"].removeprefix("BASE_BENCHMARK_RESULT=")
    outcome = json.loads(line)
    code = f", `{outcome['reason_code']}`" if outcome["reason_code"] else ""
    return f"{outcome['status']}, score {outcome['score']}, {outcome['resolved']} of {outcome['total']}{code}"


def _fault_of(job: Job) -> Callable[[Wheel], str]:
    def shown(wheel: Wheel) -> str:
        answer = ask(wheel, "job_stats", (job,))
        assert isinstance(answer, Fault)
        return f"the job ends with `{answer.kind}`"

    return shown


def _failed_steps(wheel: Wheel) -> str:
    steps = (Step({"reward": 1.0}), Step(verifier="RewardFileNotFoundError"))
    answer = wheel.trial_reward(MultiStepTrial(steps))
    return f"rewards `{answer['rewards']}`, error `{answer['exception']}`"


def _scored(total: int) -> dict[str, Any]:
    return {"n_total_trials": total, "stats": {"evals": {"a": {"metrics": [{"mean": 0.5}]}}}}


_NAN = float("nan")

PITFALLS = [
    Pitfall(
        "three trials got 1.0, 1.0 and nan",
        _line_of(*_group(1.0, 1.0, _NAN)),
        "Harbor writes the mean as null, which is no number: one reward takes the whole job's score away",
    ),
    Pitfall(
        "a job with a nan is resumed",
        _fault_of(_job(*_group(1.0), earlier=tuple(_group(_NAN, agent="before")))),
        "the trial's own result says null where a number has to be",
    ),
    Pitfall(
        "a reward is an int of 400 digits",
        _fault_of(_job(*_group(10**400))),
        "JSON allows it and so does the trial; the mean does not, and result.json stays unfinished",
    ),
    Pitfall(
        "the dataset is called `org__set`, and all trials got 1.0",
        _line_of(*_group(1.0, 1.0, source="org__set")),
        "metrics are looked up by what follows the last `__`; without any, a job looks like one that solved nothing",
    ),
    Pitfall(
        'all trials got `{"mean": 0.0, "correctness": 1.0}`',
        _line_of(*_group(*[{"mean": 0.0, "correctness": 1.0}] * 2)),
        "a reward key called `mean` is taken for the metric, and hides the others",
    ),
    Pitfall(
        'all trials got `{"correctness": 1.0, "speed": 0.0, "style": 0.0}`',
        _line_of(*_group(*[{"correctness": 1.0, "speed": 0.0, "style": 0.0}] * 2)),
        "every reward key weighs as much as a whole metric",
    ),
    Pitfall(
        "one agent solved all of 3 trials, another none of 1",
        _line_of(*_group(1.0, 1.0, 1.0), *_group(0.0, agent="other")),
        "groups weigh the same, however many trials they have",
    ),
    Pitfall(
        "a mean of 0.5 over 5 trials, over 7",
        lambda wheel: "; ".join(_line_for(_scored(total))(wheel) for total in (5, 7)),
        "halves are rounded to even: 2.5 to 2, and 3.5 to 4",
    ),
    Pitfall(
        "no trial was solved, none failed",
        _line_of(*_group(0.0, 0.0)),
        "the status does not depend on the score",
    ),
    Pitfall(
        "all trials were solved, one of them after a timeout",
        _line_of(*_group(1.0, 1.0, errors=1)),
        "nor does the score depend on the status: a trial can have a reward and an error",
    ),
    Pitfall(
        "`n_total_trials` is missing, 4 trials completed with a mean of 1.0",
        _line_for({"stats": {"n_completed_trials": 4, "evals": {"a": {"metrics": [{"mean": 1.0}]}}}}),
        "the total falls back to what was counted, but resolved does not",
    ),
    Pitfall('`"stats": null`', _line_for({"stats": None}), "null is not absent: without `stats` the job has completed"),
    Pitfall(
        "a multi-step trial whose second step left no reward file",
        _failed_steps,
        "a step's error stays with the step: the trial has none, is never retried, and its job has completed",
    ),
]
