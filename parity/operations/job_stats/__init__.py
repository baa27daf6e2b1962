"""`job_stats`: from the events of a job's trials to the `stats` of its result.json, as text."""

import json
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

from parity.operations.compare import Difference, compare
from parity.operations.job_stats.flags import FLAGS, job_flags
from parity.operations.job_stats.rules import RULES
from parity.operations.operation import Operation
from parity.operations.pass_at_k import as_trial
from parity.operations.wire import Json, WireError, decode, encode
from parity.scorer.job import Event, Job, JobTrial, Usage
from parity.scorer.values import Rewards


def _event(value: Any) -> Event:
    match value:
        case {"kind": "start" | "cancel" as kind, "name": str(name), "trial": None}:
            return Event(kind, name)
        case {"kind": "end", "name": str(name), "trial": {"name": same} as trial} if name == same:
            return Event("end", name, _trial(trial))
    raise WireError("an event takes kind, name and, if it is an end, a trial of that name")


def _trial(value: Any) -> JobTrial:
    match value:
        case {"name": str(name), "exception": str() | None as exception, "usage": [*usage]}:
            known = as_trial(value)
            for text in (known.agent, known.model, known.source, known.task, name, exception):
                _check_writable(text)
            if name in ("", ".", "..") or "/" in name or "\0" in name or len(name.encode()) > 200:
                raise WireError(f"the name of a trial is that of its folder, which cannot be called {name!r}")
            used = tuple(map(_usage, usage))
            literal = _literal_nans(value, known.rewards)
            return JobTrial(
                known.agent, known.model, known.source, known.task, known.rewards, name, exception, used, literal
            )
    raise WireError("a trial of a job also takes name, exception and usage")


def _literal_nans(trial: Any, rewards: Rewards | None) -> tuple[str, ...]:
    """Return the keys of rewards that are the literal NaN, in the order of the rewards; none by default."""
    nans = [key for key, value in (rewards or {}).items() if value != value]
    match trial.get("literal_nans", []):
        case [*keys] if all(key in nans for key in keys) and keys == [key for key in nans if key in keys]:
            return tuple(keys)
    raise WireError("literal_nans takes keys of rewards that are nan, in the order of the rewards")


def _check_writable(text: str | None) -> None:
    try:
        (text or "").encode()
    except UnicodeEncodeError:
        raise WireError(f"{text!r}: only reward keys may hold half of a surrogate pair") from None


def _usage(value: Any) -> Usage:
    match value:
        case {"input_tokens": given, "cache_tokens": cached, "output_tokens": made, "cost": cost}:
            paid = decode(cost)
            if paid is None or type(paid) is float:
                return Usage(_tokens(given), _tokens(cached), _tokens(made), paid)
    raise WireError("usage takes input_tokens, cache_tokens, output_tokens and a float cost, or null for each")


def _tokens(value: Json) -> int | None:
    return None if value is None else _count(value)


def _count(value: Json) -> int:
    decoded = decode(value)
    if type(decoded) is not int:
        raise WireError("a count takes an int")
    return decoded


class Spelling(str):
    """A number, kept as the text that spells it."""


def _look(text: str) -> Any:
    return json.loads(
        text, parse_int=Spelling, parse_float=Spelling, parse_constant=Spelling, object_pairs_hook=_members
    )


def _members(pairs: list[tuple[str, Any]]) -> Any:
    """Return an object as a dict, or as a list of its members if it has repeated keys."""
    members = dict(pairs)
    return members if len(members) == len(pairs) else [{key: value} for key, value in pairs]


def _describe_trial(trial: JobTrial) -> str:
    parts = f"{trial.name!r} ({trial.agent!r}, {trial.model!r}, {trial.source!r}, {trial.task!r}): {trial.rewards!r}"
    if trial.literal_nans:
        parts += f" of which literally NaN {list(trial.literal_nans)!r}"
    if trial.exception is not None:
        parts += f" and {trial.exception}"
    return parts + "".join(f", {tuple(asdict(used).values())!r}" for used in trial.usage)


class JobStats(Operation[Job]):
    """The operation `job_stats`: from the events of a job's trials to the `stats` of its result.json."""

    name = "job_stats"
    rules = RULES
    flag_sentences = FLAGS
    flags = staticmethod(job_flags)

    def encode(self, case: Job) -> Json:
        fields = asdict(case)
        for trial in (*fields["earlier"], *(event["trial"] for event in fields["events"])):
            if trial and not trial["literal_nans"]:
                del trial["literal_nans"]  # optional: older cases do not have it
        return encode(fields)

    def decode(self, value: Any) -> Job:
        match value:
            case {
                "total": total,
                "events": [*events],
                "metrics": [*metrics],
                "datasets": [*datasets],
                "earlier": [*earlier],
                "retries": retries,
                "finished": bool(finished),
            } if all(isinstance(name, str) for name in (*metrics, *datasets)):
                return Job(
                    _count(total),
                    tuple(map(_event, events)),
                    tuple(metrics),
                    tuple(datasets),
                    tuple(map(_trial, earlier)),
                    _count(retries),
                    finished,
                )
        raise WireError("a job_stats case takes total, events, metrics, datasets, earlier, retries and finished")

    def refine(self, difference: Difference, expected: Any, actual: Any) -> Difference:
        """Restate a difference of two texts as that of their documents, spelling of numbers included, or as layout."""
        if difference.aspect != "text":
            return difference
        with suppress(ValueError, RecursionError):
            parting = compare(_look(expected), _look(actual))
            if parting:
                return parting
        return replace(difference, aspect="layout")

    def describe(self, case: Job) -> str:
        parts = [f"{case.total} trials planned, metrics {list(case.metrics)}, datasets {list(case.datasets)}"]
        if case.retries:
            parts.append(f"{case.retries} retries so far")
        parts += [f"earlier {_describe_trial(trial)}" for trial in case.earlier]
        parts += [
            f"{event.kind} of {_describe_trial(event.trial) if event.trial else repr(event.name)}"
            for event in case.events
        ]
        return "; ".join([*parts, "the job ends" if case.finished else "so far"])


JOB_STATS = JobStats()
