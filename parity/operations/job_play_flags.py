"""Flags of `run_job`, derived from the play and from what comes of it."""

from collections.abc import Iterator
from typing import Any

from parity.answers import Fault, Value
from parity.driver.recorded.playing import play_job
from parity.driver.recorded.plays import JobPlay
from parity.driver.recorded.records import Record
from parity.driver.settings import RetrySettings
from parity.operations.earlier_flags import flags_of_earlier
from parity.operations.flags_of_plays import FlagsOfPlays
from parity.operations.play_flags import PROGRAM_ENDS, has_limits, has_own_timeouts
from parity.operations.plays import encode_job


def _flags(play: JobPlay, answer: Value | Fault) -> Iterator[str]:
    yield from _of_settings(play)
    yield from flags_of_earlier(play, answer)
    if isinstance(answer, Fault):
        if answer.kind == "ExceptionGroup":
            yield "overflow"
        return
    record: Any = answer.value
    trials = record["trials"]
    yield from _of_plan(play, {name.partition("__")[0] for name in trials}, len(trials))
    for trial in trials.values():
        yield from _of_runs(play.retry, trial)
    if any(effect.text in PROGRAM_ENDS for runs in play.scripts for each in runs for effect in each.effects.values()):
        yield "program-ends"
    yield from _of_stats(record["files"]["result.json"])


def _of_settings(play: JobPlay) -> Iterator[str]:
    if play.attempts > 1:
        yield "several-attempts"
    if play.concurrent > 1:
        yield "concurrent"
    agents = (play.settings.agent, *play.further_agents)
    for flag, given in (
        ("several-agents", play.further_agents),
        ("models", any(agent.model_name for agent in agents)),
        ("several-metrics", play.metrics not in ((), ("mean",))),
        ("n-tasks", play.n_tasks is not None),
        ("no-attempts", play.attempts < 1),
        ("mounted", play.settings.mounted),
        ("own-timeouts", has_own_timeouts(play.settings) or any(map(has_limits, play.further_agents))),
    ):
        if given:
            yield flag
    if play.retry.max_retries:
        if not play.retry.exclude:
            yield "nothing-excluded"
        if play.retry.include is not None:
            yield "including" if play.retry.include else "including-nothing"


def _of_plan(play: JobPlay, tasks: set[str], trials: int) -> Iterator[str]:
    if len(tasks) > 1:
        yield "several-tasks"
        if play.attempts > 1:
            yield "several-tasks-and-attempts"
    if len(tasks) < len(play.tasks) and play.n_tasks is None and play.attempts > 0:
        yield "left-out"
    if min(trials, play.concurrent) > 4:
        yield "many-at-a-time"
    if trials > play.concurrent:
        yield "queued" if play.concurrent > 1 else "one-after-another"


def _of_runs(retry: RetrySettings, trial: Record) -> Iterator[str]:
    runs = len(trial["calls"])
    error = _error(trial)
    if error == "CancelledError":
        yield "cancelled"
    if runs > 4:
        yield "many-runs"
    if runs > 1:
        yield "retried"
        waits = [retry.min_wait_sec * retry.wait_multiplier**run for run in range(runs - 1)]
        if any(wait > retry.max_wait_sec for wait in waits):
            yield "capped-wait"
        elif len(set(waits)) > 1:
            yield "changing-wait"
    if runs > 1 and error is None:
        yield "recovered"
    if error is None or retry.max_retries == 0:
        return
    included, excluded = (error in (names or ()) for names in (retry.include, retry.exclude))
    if included and excluded:
        yield "included-and-excluded"
    elif excluded:
        yield "excluded"
    elif included:
        yield "included"
    elif retry.include:
        yield "not-included"
    if runs == retry.max_retries + 1:
        yield "out-of-retries"


def _error(trial: Record) -> str | None:
    result = trial.get("result")
    error: str | None = result and result["exception_info"] and result["exception_info"]["exception_type"]
    return error


def _of_stats(result: Any) -> Iterator[str]:
    for group in result["stats"]["evals"].values():
        if group["pass_at_k"]:
            yield "pass-at-k"
        if group["n_errors"]:
            yield "errors"
        if group["reward_stats"]:
            yield "rewards"


FLAGS_OF_JOBS = FlagsOfPlays(_flags, play_job, encode_job)
"""Why a play is hard."""
