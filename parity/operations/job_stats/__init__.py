"""The operation `job_stats`, which computes the text of `stats` in a job's result.json from the job's events."""

from dataclasses import asdict
from typing import Any

from parity.operations.codec import Codec, Form
from parity.operations.compare import Difference
from parity.operations.job_stats.rules import GENERAL, RULES
from parity.operations.job_stats.text_differences import restated
from parity.operations.operation import Operation
from parity.operations.wire import WireError
from parity.scorer.job import Event, Job, JobTrial


def _check_event(event: Event) -> None:
    if (event.kind == "end") != (event.trial is not None) or (event.trial and event.trial.name != event.name):
        raise WireError("must have a trial with the same name if its kind is end, else null")


def _check_trial(trial: JobTrial) -> None:
    for text in (trial.agent, trial.model, trial.source, trial.task, trial.name, trial.exception):
        _check_writable(text)
    if trial.name in ("", ".", "..") or {"/", "\0"} & set(trial.name) or len(trial.name.encode()) > 200:
        raise WireError(f"must have a name that a directory can have, not {trial.name!r}")
    nans = [key for key, value in (trial.rewards or {}).items() if value != value]
    if list(trial.literal_nans) != [key for key in nans if key in trial.literal_nans]:
        raise WireError("must list only keys of nan rewards in literal_nans, in the order of the rewards")


def _check_writable(text: str | None) -> None:
    try:
        (text or "").encode()
    except UnicodeEncodeError:
        raise WireError(f"has the text {text!r}; only reward keys may contain half of a surrogate pair") from None


_FORMS = {Event: Form(check=_check_event), JobTrial: Form(frozenset({"literal_nans"}), check=_check_trial)}


def _describe_trial(trial: JobTrial) -> str:
    parts = f"{trial.name!r} ({trial.agent!r}, {trial.model!r}, {trial.source!r}, {trial.task!r}): {trial.rewards!r}"
    if trial.literal_nans:
        parts += f" with the literal NaN for {list(trial.literal_nans)!r}"
    if trial.exception is not None:
        parts += f" and {trial.exception}"
    return parts + "".join(f", {tuple(asdict(used).values())!r}" for used in trial.usage)


class JobStats(Operation[Job]):
    """The operation `job_stats`, which computes the text of `stats` in a job's result.json from the job's events."""

    name = "job_stats"
    rules = RULES
    general = GENERAL
    codec = Codec(Job, "a job_stats case", _FORMS, unknown="ignore")

    def restated(self, difference: Difference, expected: Any, actual: Any) -> Difference:
        """Use the place in the document as the path or, if the documents are equal, report a difference in layout."""
        return restated(difference) if difference.aspect == "text" else difference

    def describe(self, case: Job) -> str:
        trials = "1 trial" if case.total == 1 else f"{case.total} trials"
        parts = [f"{trials} planned, metrics {list(case.metrics)}, datasets {list(case.datasets)}"]
        if case.retries:
            parts.append("1 retry so far" if case.retries == 1 else f"{case.retries} retries so far")
        parts += [f"earlier {_describe_trial(trial)}" for trial in case.earlier]
        parts += [
            f"{event.kind} of {_describe_trial(event.trial) if event.trial else repr(event.name)}"
            for event in case.events
        ]
        return "; ".join([*parts, "the job ends" if case.finished else "so far"])


JOB_STATS = JobStats()
