"""Derive a multi-step trial's rewards from its steps. Rules: `trial-reward/*`.

The steps run one after the other until one of them ends the trial. The trial's rewards are the mean over the verified
steps, or the rewards of the last step that ran.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from parity.scorer.series import OFFICIAL, Series
from parity.scorer.summation import exact_sum
from parity.scorer.values import Number, Rewards

type Phase = Literal["workdir", "setup", "healthcheck"]
type Strategy = Literal["mean", "final"]


@dataclass(frozen=True)
class Step:
    """The scenario of one step: its rewards, errors and threshold. Errors are class names of exceptions."""

    rewards: Rewards | None = None
    """The rewards that the verifier reads; None if it reads no rewards."""

    min_reward: Number | Mapping[str, Number] | None = None
    preparation: tuple[Phase, str] | None = None
    """The phase of the preparation that fails, and its error; None if none fails."""

    agent: str | None = None
    """The error that the agent raises; None if it raises none."""

    verifier: str | None = None
    """The error that the verifier raises, so that the step has no rewards; None if it raises none."""

    blocked: bool = False
    """Whether there is a file at the path of the step's directory when the verifier's files are moved there."""


@dataclass(frozen=True)
class MultiStepTrial:
    """A multi-step task's scoring rules, and the scenario of one trial."""

    steps: tuple[Step, ...]
    strategy: Strategy | None = None
    verification: bool = True
    start: str | None = None
    """The error that is raised when the environment starts; None if it starts."""

    stop: str | None = None
    """The error that is raised when the environment stops; None if it stops."""


class StepReward(TypedDict):
    """The record in result.json for a step that ran."""

    verified: bool
    rewards: Rewards | None
    exception: str | None


class TrialReward(TypedDict):
    """The record in result.json for a multi-step trial. `steps` is null if no step could run."""

    steps: list[StepReward] | None
    verified: bool
    rewards: Rewards | None
    exception: str | None


def trial_reward(trial: MultiStepTrial, *, series: Series = OFFICIAL) -> TrialReward:
    """Run the steps of the scenario, and return the trial's record.

    `verified` distinguishes a verifier result without rewards from a missing verifier result. The keys of a mean are in
    the order in which they first occur; Harbor takes them from a set, whose order is arbitrary.

    Raises:
        ValueError: the trial has no steps.
    """
    if not trial.steps:
        raise ValueError("a multi-step trial needs at least one step, but this one has none")
    # Rule: trial-reward/start-error
    if trial.start is not None:
        return {"steps": None, **_no_result(_with_timeout_error("EnvironmentStart", trial.start))}
    records: list[StepReward] = []
    for step in trial.steps:
        trial_error = _trial_error(step)
        # Rule: trial-reward/step-record
        records.append(_no_result(None) if trial_error else _run(step, trial.verification))
        # Rule: trial-reward/blocked-folder
        if step.blocked and trial.verification and step.preparation is None:
            trial_error = "FileExistsError"
        if trial_error:
            return {"steps": records, **_no_result(trial_error)}
        # Rule: trial-reward/steps-left-out
        if ends_trial(step.min_reward, records[-1], trial.verification):
            break
    try:
        derived = derive(trial.strategy, records, series)
    # Rule: trial-reward/overflow
    except OverflowError:
        return {"steps": records, **_no_result("OverflowError")}
    # Rules: trial-reward/step-errors-stay, trial-reward/stop-error
    return {"steps": records, "verified": derived["verified"], "rewards": derived["rewards"], "exception": trial.stop}


def derive(strategy: Strategy | None, records: Sequence[StepReward], series: Series) -> StepReward:
    """Derive the trial's rewards from the steps that ran: the last step's rewards for `final`, else the mean.

    Raises:
        OverflowError: a mean involves an int beyond the range of a double.
    """
    # Rules: trial-reward/final, trial-reward/unset-is-mean
    return records[-1] if strategy == "final" else mean_of_steps(records, series)


def mean_of_steps(records: Sequence[StepReward], series: Series) -> StepReward:
    """Return, for each key, the mean over the verified steps. A step without the key counts as 0.

    If the verified steps have no keys at all, the record is not verified.

    Raises:
        OverflowError: a mean involves an int beyond the range of a double.
    """
    # Rules: trial-reward/unverified-step, trial-reward/empty-counts
    verified = [record["rewards"] or {} for record in records if record["verified"]]
    # Rule: trial-reward/keys
    keys = list(dict.fromkeys(key for rewards in verified for key in rewards))
    # Rule: trial-reward/no-keys
    if not keys:
        return _no_result(None)
    # Rules: trial-reward/mean, trial-reward/missing-key, trial-reward/summation
    means = {key: exact_sum([rewards.get(key, 0) for rewards in verified], series) / len(verified) for key in keys}
    # Rule: trial-reward/type
    return {"verified": True, "rewards": {key: float(mean) for key, mean in means.items()}, "exception": None}


def _no_result(exception: str | None) -> StepReward:
    return {"verified": False, "rewards": None, "exception": exception}


def _trial_error(step: Step) -> str | None:
    """Return the preparation error that ends the trial, if any. A failed set-up or healthcheck ends only the step."""
    # Rule: trial-reward/escaping-error
    match step.preparation:
        case ("workdir", str(error)):
            return error
        case ("healthcheck", str(error)) if error != "HealthcheckError":
            return error
    return None


def _run(step: Step, verification: bool) -> StepReward:
    # Rule: trial-reward/preparation-error
    if step.preparation is not None:
        return _no_result(step.preparation[1])
    # Rule: trial-reward/agent-timeout
    exception = None if step.agent is None else _with_timeout_error("Agent", step.agent)
    # Rule: trial-reward/verification-disabled
    if not verification:
        return _no_result(exception)
    if step.verifier is not None:
        # Rules: trial-reward/first-error, trial-reward/verifier-timeout
        return _no_result(exception or step.verifier)
    return {"verified": True, "rewards": step.rewards, "exception": exception}


def _with_timeout_error(phase: str, error: str) -> str:
    """Replace TimeoutError with Harbor's own timeout error for the phase; return any other error unchanged."""
    return f"{phase}TimeoutError" if error in ("TimeoutError", f"{phase}TimeoutError") else error


def ends_trial(min_reward: Number | Mapping[str, Number] | None, record: StepReward, verification: bool) -> bool:
    """Return whether a step with this threshold and record ends the trial, so that no further step runs."""
    # Rule: trial-reward/error-without-result
    if record["exception"] is not None and not record["verified"]:
        return True
    # Rule: trial-reward/verification-disabled
    if min_reward is None or not verification:
        return False
    # Rule: trial-reward/threshold-number
    thresholds = min_reward if isinstance(min_reward, Mapping) else {"reward": min_reward}
    rewards = record["rewards"] or {}
    # Rules: trial-reward/threshold-keys, trial-reward/threshold-met, trial-reward/threshold-without-reward,
    #   trial-reward/threshold-nan, trial-reward/threshold-beyond-2**53
    return any(rewards.get(key, float("-inf")) < float(threshold) for key, threshold in thresholds.items())
