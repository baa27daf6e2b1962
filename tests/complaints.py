"""The most frequent complaints of users, with golden vectors that show Harbor's behaviour; for golden/README.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Fault, Value
from parity.operations.goldens import read_entries, recorded_answer
from parity.operations.operation import decode_answer
from parity.scorer.series import Series


@dataclass(frozen=True)
class Complaint:
    """One complaint."""

    complaint: str
    why: str
    """The reason for Harbor's behaviour."""

    shown: Mapping[tuple[str, str], Sequence[str]]
    """The vectors that show it, each with the places in its answer that do; none for the whole answer."""


_REWARDS = "result.verifier_result.rewards"
_ERROR = "result.exception_info.exception_type"

COMPLAINTS = (
    Complaint(
        "A missing score became 0.0",
        "every trial counts in the mean, one without rewards as 0: `aggregate/null-is-zero`",
        {("aggregate", "aggregate/null-is-zero/one-of-three/mean"): ()},
    ),
    Complaint(
        "A key is missing from some trials, and the denominator is wrong",
        "a key that a trial lacks is 0 there, and all trials are divided by: `aggregate/missing-key-is-zero`",
        {("aggregate", "aggregate/missing-key-is-zero/second/mean"): ()},
    ),
    Complaint(
        "pass@k is gone from a group",
        "one trial of several keys is enough, whatever the others have: `pass-at-k/several-keys-disable`",
        {("pass_at_k", "pass-at-k/several-keys-disable/last"): ()},
    ),
    Complaint(
        "Two tasks of one name are taken for two attempts",
        "attempts are grouped by the name in task.toml, not by folder; two tasks, one attempt each, give pass@2",
        {("run_job", "run-job/stats/tasks-of-one-name"): ("files.result.json.stats.evals.nop__dataset.pass_at_k",)},
    ),
    Complaint(
        "A job with a nan cannot be resumed",
        "nan is written as null, which no reward may be when it is read again: `run-job/resume-not-finite`",
        {("run_job", "run-job/resume-not-finite/nan"): ()},
    ),
    Complaint(
        "A string in reward.json is a score, or is not",
        "pydantic reads what looks like a number: `reward-json/number-string`, `reward-json/bad-value`",
        {
            ("read_reward", "reward-json/number-string/string/0.5"): (),
            ("read_reward", "reward-json/bad-value/string/50%25"): (),
        },
    ),
    Complaint(
        "A stale reward file counts",
        "a reward.json that is left over wins over the reward.txt of the tests; only before each step of a task "
        "with steps are the verifier's logs emptied: `reward-file/json-wins`, `run-trial/logs-reset`",
        {
            ("read_reward", "reward-file/json-wins/json"): (),
            ("run_trial", "run-trial/logs-reset/left-over"): ("result.step_results.0.verifier_result.rewards",),
        },
    ),
    Complaint(
        "A reward that the agent planted before the tests counts",
        "a task without steps is verified on what lies in /logs/verifier, whoever left it: `run-trial/rewards`",
        {("run_trial", f"run-trial/rewards/{name}"): (_REWARDS,) for name in ("planted", "planted-json")},
    ),
    Complaint(
        "`true` is 1.0",
        "pydantic reads a boolean as a float: `reward-json/bool-is-float`",
        {("read_reward", 'reward-json/bool-is-float/json/{"reward":%20true}'): ()},
    ),
    Complaint(
        "A step without a reward lowers the mean, or does not",
        "verified without rewards it counts as 0; where verifying it failed it is left out: "
        "`trial-reward/empty-counts`, `trial-reward/unverified-step`",
        {
            ("trial_reward", "trial-reward/empty-counts/null-and-one/mean"): ("rewards",),
            ("trial_reward", "trial-reward/unverified-step/verifier-last/mean"): ("rewards",),
        },
    ),
    Complaint(
        "A trial that timed out has a reward",
        "what the agent left is verified all the same, so that it counts as an error and as a success: "
        "`run-trial/agent-timeout`",
        {("run_trial", "run-trial/agent-timeout/command"): (_ERROR, _REWARDS)},
    ),
)


def shown(complaint: Complaint) -> list[str]:
    """Return lines with the recorded answer of each vector.

    Raises:
        LookupError: there is no such vector, or no such place in its answer.
    """
    return [_answer(*vector, places) for vector, places in complaint.shown.items()]


_entries = cache(read_entries)


def _answer(operation: str, vector: str, places: Sequence[str]) -> str:
    recorded = recorded_answer(_entries(operation)[vector], Series.PY312)
    if recorded is None:
        raise LookupError(f"{vector} is not recorded for {Series.PY312}")
    match decode_answer(OPERATIONS[operation], recorded):
        case Fault(kind):
            return kind
        case Value(value):
            return ", ".join(str(_at(value, place)) for place in places) if places else repr(value)
    raise LookupError(f"{vector} has no answer")


def _at(value: Any, place: str) -> Any:
    """Return the value at a place: names and numbers with dots between them; a name may contain dots."""
    while place:
        if isinstance(value, list):
            step, _, place = place.partition(".")
            value = value[int(step)]
        else:
            step = next(name for name in value if place == name or place.startswith(f"{name}."))
            value, place = value[step], place[len(step) + 1 :]
    return value
