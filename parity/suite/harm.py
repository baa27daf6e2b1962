"""Classifies a divergence by its kind and its harm, from the two answers alone.

The kind says how the answers differ, such as a value where the reference has an error. The harm says whether the
difference changes a score, hides or invents a failure, or changes only the form. Divergences are grouped by rule, kind
and harm, so that a mild one does not hide a worse one.

Scores (rewards, metrics, pass@k, the outcome's score and number of
resolved tasks) and failures (faults, exceptions, errored trials, `failed`, reason codes) are read from each answer.
Numbers within a billionth of each other are treated as close, but only here: `parity.operations.compare`, which decides
equality, has no tolerance.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, nan
from typing import Any, Literal, get_args

from parity.operations.answers import Answer, Crash, Fault, Value
from parity.operations.compare import Difference, Path, same_float
from parity.scorer.values import Number

type DifferenceKind = Literal[
    "value-for-error", "error-for-value", "other-error", "other-type", "other-value", "no-answer"
]
"""A value where the reference has an error, and the reverse; another error, type or value; a hang or a crash."""

type Harm = Literal["pays-out", "withholds", "hides-failure", "invents-failure", "last-bits", "form"]

HARMS: tuple[Harm, ...] = get_args(Harm.__value__)
"""All grades, the worst first."""

_WORDS: dict[Harm, tuple[str, str, str]] = {
    "pays-out": ("pays out", "pays out", "pay out"),
    "withholds": ("withholds", "withholds", "withhold"),
    "hides-failure": ("hides failure", "hides a failure", "hide a failure"),
    "invents-failure": ("invents failure", "invents a failure", "invent a failure"),
    "last-bits": ("last bits", "differs in last bits only", "differ in last bits only"),
    "form": ("form", "differs in form only", "differ in form only"),
}
"""Each grade in words: by itself, after `1 rule`, and after a higher number of rules."""

_RANKS = {harm: place for place, harm in enumerate(HARMS)}

_CLOSE = Fraction(1, 10**9)
"""Tolerance for close numbers, relative to 1 plus the larger number.

Another order of addition changes a sum by less.
"""

_NAN = nan
"""The score nan. Every nan is replaced by this object, which equals itself in keys of a dict."""

_NUMBERS = frozenset({"rewards", "reward", "average", "score", "resolved", "metrics", "pass_at_k"})
_COUNTS = frozenset({"n_errored_trials", "n_cancelled_trials", "n_errors"})
_ERRORS = frozenset({"exception", "exception_info", "error"})
_DEEPEST = 100
"""Maximum depth at which scores are read. It is limited because an answer may contain itself."""

_UNSCORED_KEYS = frozenset({"config", "agent_result", "rows", "calls", "tests", "env", "files"})
"""Keys whose values are not read: they have no scores or failures, but may contain keys that look like these."""


@dataclass
class _Reading:
    """The scores of an answer and its numbers of failures, by their place in the answer."""

    scores: dict[Path, Number] = field(default_factory=dict)
    failures: dict[Path, int] = field(default_factory=dict)


def worst(harms: Iterable[Harm]) -> Harm:
    """Return the worst of one or more grades."""
    return min(harms, key=rank)


def harm_word(harm: Harm) -> str:
    """Return a grade in one or two words."""
    return _WORDS[harm][0]


def harms_in_words(harms: Iterable[Harm]) -> str:
    """Return the number of rules of each grade, the worst first, such as `3 rules pay out, 9 differ in form only`."""
    counts = Counter(harms)
    grades = [(counts[harm], _WORDS[harm]) for harm in HARMS if counts[harm]]
    phrases = [f"{count:,} {words[1 if count == 1 else 2]}" for count, words in grades]
    if phrases:
        phrases[0] = phrases[0].replace(" ", " rule " if grades[0][0] == 1 else " rules ", 1)
    return ", ".join(phrases)


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, such as `1 rule` or `3 rules`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def rank(harm: Harm) -> int:
    """Return the rank of a grade, 0 for the worst."""
    return _RANKS[harm]


def kind_of(expected: Answer, actual: Answer, difference: Difference) -> DifferenceKind:
    """Return the kind of the difference between two answers.

    Args:
        expected: the reference's answer.
        actual: the runner's answer.
        difference: the first difference between them.
    """
    match expected, actual:
        case _, Crash():
            return "no-answer"
        case Fault(), Fault():
            return "other-error"
        case Fault(), _:
            return "value-for-error"
        case _, Fault():
            return "error-for-value"
    return "other-type" if difference.aspect == "type" else "other-value"


def harm_of(operation: str, expected: Answer, actual: Answer) -> Harm:
    """Return the grade of a difference between two answers.

    An absent score and null count as 0. A nan makes the mean of the whole job null, so nothing is paid: nan instead of
    a score withholds, and a score, or none, instead of nan pays out. An error instead of a score withholds it, and a
    score instead of an error pays it out, even if it is negative; nan instead of an error only hides a failure, and the
    reverse invents one. If some scores are higher and others lower, the higher ones decide. A crash or a hang
    withholds, whatever the answer is, because it ends the scoring. If the runner leaves a trial with a score of 0 out
    of the mean (`trial_score`), that raises the mean.

    Args:
        operation: the operation's name.
        expected: the reference's answer.
        actual: the runner's answer, which differs from it.
    """
    if isinstance(actual, Crash):
        return "withholds"
    left, right = _reading(operation, expected), _reading(operation, actual)
    if operation == "trial_score" and isinstance(expected, Value) and actual == Value(None):
        return "withholds" if any(number > 0 for number in left.scores.values()) else "pays-out"
    failures = {*_of_failures(left.failures, right.failures)}
    return worst(["form", *failures, *_of_scores(left.scores, right.scores, failures)])


def _of_scores(expected: dict[Path, Number], actual: dict[Path, Number], failures: Collection[Harm]) -> Iterator[Harm]:
    for path in expected.keys() & actual.keys():
        yield from _of_numbers(expected[path], actual[path])
    gone, new = _alone(expected, actual), _alone(actual, expected)
    # A number that is now under another key of the same object is not gone.
    for number in {number for _, number in gone - new}:
        yield from _of_numbers(_paid(number) if "invents-failure" in failures else number, 0)
    for number in {number for _, number in new - gone}:
        yield from _of_numbers(0, _paid(number) if "hides-failure" in failures else number)


def _paid(number: Number) -> Number:
    """Return the size of a score that stands against an error, whatever its sign; 0 for nan, which pays nothing."""
    return 0 if number is _NAN else abs(number)


def _alone(ours: dict[Path, Number], others: dict[Path, Number]) -> Counter[tuple[Path, Number]]:
    return Counter((path[:-1], number) for path, number in ours.items() if path not in others)


def _of_numbers(expected: Number, actual: Number) -> Iterator[Harm]:
    if expected is _NAN or actual is _NAN:
        if expected is not actual:
            yield "withholds" if actual is _NAN else "pays-out"
    elif expected == actual:
        if isinstance(expected, float) and isinstance(actual, float) and not same_float(expected, actual):
            yield "last-bits"  # one zero is negative
    elif not _is_infinite(expected) and not _is_infinite(actual) and _are_close(Fraction(expected), Fraction(actual)):
        yield "last-bits"
    else:
        yield "pays-out" if actual > expected else "withholds"


def _is_infinite(number: Number) -> bool:
    return abs(number) == inf  # an int may be larger than any float


def _are_close(left: Fraction, right: Fraction) -> bool:
    return abs(left - right) <= _CLOSE * (1 + max(abs(left), abs(right)))


def _of_failures(expected: dict[Path, int], actual: dict[Path, int]) -> Iterator[Harm]:
    for path, count in expected.items():
        failed_above = any(path[:length] in actual for length in range(len(path)))
        if actual.get(path, 0) < count and not failed_above:
            yield "hides-failure"
    if any(count > expected.get(path, 0) for path, count in actual.items()):
        yield "invents-failure"


def _reading(operation: str, answer: Answer) -> _Reading:
    """Return the scores and failures of an answer. An answer that cannot be read counts as one failure."""
    reading = _Reading()
    try:
        if isinstance(answer, Value):
            _READERS.get(operation, _read)(answer.value, (), reading)
            return reading
    except Exception:  # an answer may contain itself, or objects that raise exceptions when they are inspected
        pass
    return _Reading(failures={(): 1})


def _read(document: Any, path: Path, reading: _Reading) -> None:
    """Record the scores and failures of a document, by the names of its keys."""
    if isinstance(document, list | tuple):
        for place, each in enumerate(document):
            _read(each, (*path, place), reading)
    if not isinstance(document, dict):
        return
    for key, value in document.items():
        below = (*path, _step(key))
        if key in _NUMBERS:
            _read_numbers(value, below, reading)
        elif key == "reward_stats":
            _read_reward_stats(value, below, reading)
        elif key in _COUNTS:
            number = _number(value)
            reading.failures[below] = 0 if number is None or number is _NAN else int(number)
        elif key == "exception_stats":
            for trial in (trial for trials in value.values() for trial in trials):
                reading.failures[(*below, trial)] = 1
        elif key == "reason_code":
            _read_code(value, path, reading)
        elif key == "refused" or (key in _ERRORS and value is not None):
            reading.failures[path if key == "refused" else below] = 1
        elif (key == "status" and value == "failed") or (key == "failed" and value):
            reading.failures[below] = 1
        elif key == "line":
            _read_text(value.partition("=")[2], below, reading)
        elif key not in _UNSCORED_KEYS:
            _read(value, below, reading)


def _read_numbers(value: Any, path: Path, reading: _Reading) -> None:
    if len(path) > _DEEPEST:
        raise RecursionError
    if isinstance(value, dict | list | tuple):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            _read_numbers(each, (*path, _step(key)), reading)
    elif (number := _number(value)) is not None:
        reading.scores[path] = number


def _read_reward_stats(value: Any, path: Path, reading: _Reading) -> None:
    """Record the keys, which are numbers, as scores of the trials listed under them."""
    for key, trials_by_number in value.items():
        for text, trials in trials_by_number.items():
            for trial in trials:
                _read_numbers(text, (*path, trial, key), reading)


def _read_text(text: Any, path: Path, reading: _Reading) -> None:
    """Record the scores and failures of a JSON string. One that cannot be read is a failure."""
    try:
        document = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        reading.failures[path] = 1
    else:
        _read(document, path, reading)


def _read_trial(record: Any, path: Path, reading: _Reading) -> None:
    """Record the scores and failures of a trial's result, which is a value or the content of its file."""
    _read_text(record.get("result"), (*path, "result"), reading)
    _read_text((record.get("files") or {}).get("result.json"), (*path, "result.json"), reading)


def _read_job(record: Any, path: Path, reading: _Reading) -> None:
    for name, trial in record["trials"].items():
        _read_trial(trial, (*path, name), reading)
    _read_trial(record, path, reading)


def _read_code(code: Any, path: Path, reading: _Reading) -> None:
    if code is not None:
        reading.failures[(*path, "reason_code", _step(code))] = 1


_READERS: dict[str, Callable[[Any, Path, _Reading], None]] = {
    "read_reward": _read_numbers,
    "aggregate": _read_numbers,
    "pass_at_k": _read_numbers,
    "job_stats": _read_text,
    "trial_score": _read_numbers,
    "reason_code": _read_code,
    "run_trial": _read_trial,
    "run_job": _read_job,
}
"""Functions that read the answers of operations. All other operations answer with documents that have Harbor's keys."""


def _step(key: Any) -> str | int:
    return key if type(key) in (str, int) else repr(key)


def _number(value: Any) -> Number | None:
    """Return the number that a value is or can be converted to; None for anything else."""
    if isinstance(value, int):
        return int(value)
    for kind in (int, float) if isinstance(value, str) else (float,):
        try:
            number = kind(value)
        except (TypeError, ValueError, OverflowError):
            continue
        return number if number == number else _NAN
    return None
