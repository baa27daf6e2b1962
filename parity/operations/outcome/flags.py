"""Flags of `outcome`: why a case is hard."""

import math
from typing import Any

from parity.operations.files.json_content import NO_DOCUMENT, parsed
from parity.operations.outcome.case import ResultFile
from parity.operations.rule import carried
from parity.operations.sum_flags import inexact_flags
from parity.scorer.number_text import plain_new_digits
from parity.scorer.series import OFFICIAL
from parity.scorer.summation import exact_sum

FLAGS = {
    "no-result-file": "there is no result.json",
    "missing-folder": "the job's folder does not exist",
    "file-as-folder": "the job's folder is a file",
    "unsearchable-folder": "the job's folder may not be searched",
    "symlink": "result.json is a link to a file elsewhere",
    "dangling-link": "result.json is a link to nothing",
    "looping-link": "result.json is a link to itself",
    "directory": "result.json is a directory",
    "unreadable": "result.json may not be read",
    "empty-file": "result.json has no bytes",
    "whitespace-only": "result.json has nothing but white space",
    "invalid-utf8": "the bytes of result.json are not UTF-8",
    "byte-order-mark": "result.json starts with the byte order mark of UTF-8 or UTF-16",
    "json-malformed": "result.json is text, but not JSON",
    "many-digits": "result.json holds an integer of more than 4300 digits",
    "deep-nesting": "result.json is nested far deeper than the interpreter's stack allows",
    "json-constant": "result.json spells NaN, Infinity or -Infinity, which JSON does not have",
    "duplicate-key": "an object names a key twice",
    "wrong-shape": "the document, `stats`, `evals`, a group or a metric is not an object, or `metrics` is not a list",
    "null-member": "`stats`, `evals`, `metrics` or a group is null, which is not the same as absent",
    "missing-member": "`stats`, `evals` or `metrics` is absent",
    "empty-stand-in": '`metrics` is `""` or `{}`',
    "missing-count": "a count is absent",
    "falsy-count": 'a count is null, false, `""`, 0.0, `[]` or `{}`',
    "bool-count": "a count is true",
    "float-count": "a count is a float",
    "text-count": "a count is text that can be read as an integer",
    "bad-count": "a count cannot be converted to an integer",
    "negative-count": "a count is negative",
    "count-beyond-2**53": "a count that a double cannot hold exactly",
    "count-beyond-double": "a count larger than the largest double",
    "unprintable-total": "completed and errored trials add up to more than 4300 digits",
    "errored-trials": "trials ended with an error",
    "total-fallback": "`n_total_trials` is 0 or absent, so the total is that of completed and errored trials",
    "no-values": "there is no metric value",
    "no-mean-key": "a metric without the key `mean`",
    "several-values": "a metric without the key `mean` has several values",
    "mean-beside-others": "a metric has the key `mean` and others",
    "several-metrics": "a group has more than one metric",
    "several-groups": "more than one group",
    "uneven-groups": "groups with different numbers of values",
    "bool-value": "a metric value is true or false",
    "int-value": "a metric value is an integer",
    "number-string": "a metric value is text that can be read as a float",
    "unicode-digits": "a number given as text has digits beyond 0 to 9",
    "bad-value": "a metric value is not a number, and cannot be read as one",
    "int-beyond-double": "a metric value is an int larger than the largest double",
    "inexact-sum": "adding the values one by one gives other bits than `sum`",
    "inexact-compensation": "adding the values exactly gives other bits than `sum`",
    "non-finite": "the score is nan or infinite",
    "product-overflows": "the score is finite, but score times total is not",
    "tie": "score times total lies half-way between two integers",
    "outside-unit-interval": "the score is negative or above 1",
    "negative-zero": "the score is -0.0",
    "exponent": "the score is printed with an exponent",
    "zero-score": "trials ended without an error, and the score is 0.0",
}

FOLDER_FLAGS = {"absent": "missing-folder", "file": "file-as-folder", "unsearchable": "unsearchable-folder"}


def flags_of(case: ResultFile) -> frozenset[str]:
    """Return the flags that a case carries."""
    if case.folder != "folder":
        return frozenset({FOLDER_FLAGS[case.folder]})
    match case.state.kind:
        case "absent":
            return frozenset({"no-result-file"})
        case "file":
            return result_flags(case.state.content)
        case "link":
            return result_flags(case.state.content) | {"symlink"}
    return frozenset({case.state.kind})


_LARGEST_DIGITS = 4300


def result_flags(content: bytes) -> frozenset[str]:
    """Return the flags of a result.json, given its content."""
    _, document, flags = parsed(content)
    if document is NO_DOCUMENT:
        return frozenset(flags)
    if not isinstance(document, dict):
        return frozenset(flags | {"wrong-shape"})
    counts, count_flags = _counts(document)
    metrics, metric_flags = _metrics(document)
    values, value_flags = _values(metrics)
    flags |= count_flags | metric_flags | value_flags
    if not flags & {"wrong-shape", "null-member", "bad-value", "int-beyond-double", "bad-count"}:
        flags |= _score_flags(values, counts)
    return frozenset(flags)


def _counts(document: dict[str, Any]) -> tuple[list[int], set[str]]:
    """Return the numbers of planned, completed and errored trials, and flags."""
    stats = document.get("stats")
    stats = stats if isinstance(stats, dict) else {}
    members = [(document, "n_total_trials"), (stats, "n_completed_trials"), (stats, "n_errored_trials")]
    flags = set()
    counts = []
    for holder, name in members:
        count, count_flags = _count(holder[name]) if name in holder else (0, {"missing-count"})
        counts.append(count)
        flags |= count_flags
    planned, completed, errored = counts
    total = 0 if planned else completed + errored
    conditions = {
        "errored-trials": errored,
        "total-fallback": total,
        "unprintable-total": abs(total) >= 10**_LARGEST_DIGITS,
    }
    return counts, flags | carried(conditions)


def _count(value: Any) -> tuple[int, set[str]]:
    if not value:
        return 0, set() if type(value) is int else {"falsy-count"}
    try:
        count = int(plain_new_digits(value) if isinstance(value, str) else value)
    except (ValueError, OverflowError, TypeError):
        return 0, {"bad-count"}
    conditions = {
        "text-count": isinstance(value, str),
        "unicode-digits": isinstance(value, str) and _has_odd_digits(value),
        "bool-count": isinstance(value, bool),
        "float-count": isinstance(value, float),
        "negative-count": count < 0,
        "count-beyond-2**53": abs(count) > 2**53,
        "count-beyond-double": abs(count) >= 2**1024 - 2**970,
    }
    return count, carried(conditions)


def _metrics(document: dict[str, Any]) -> tuple[list[list[dict[str, Any]]], set[str]]:
    """Return the metrics of each group, and flags of the members that hold them."""
    flags: set[str] = set()
    stats = _member(document, "stats", flags)
    evals = _member(stats, "evals", flags)
    groups = []
    for group in evals.values():
        if not isinstance(group, dict):
            flags.add("null-member" if group is None else "wrong-shape")
            continue
        metrics = group.get("metrics", [])
        if "metrics" not in group:
            flags.add("missing-member")
        elif metrics is None:
            flags.add("null-member")
        elif metrics in ("", {}):
            flags.add("empty-stand-in")
        elif not isinstance(metrics, list) or not all(isinstance(metric, dict) for metric in metrics):
            flags.add("wrong-shape")
        groups.append([metric for metric in metrics if isinstance(metric, dict)] if isinstance(metrics, list) else [])
    if len(groups) > 1:
        flags.add("several-groups")
    return groups, flags


def _member(holder: dict[str, Any], name: str, flags: set[str]) -> dict[str, Any]:
    member = holder.get(name)
    if isinstance(member, dict):
        return member
    if name not in holder:
        flags.add("missing-member")
    else:
        flags.add("null-member" if member is None else "wrong-shape")
    return {}


def _values(groups: list[list[dict[str, Any]]]) -> tuple[list[float], set[str]]:
    """Return all metric values as floats, and flags."""
    flags = set[str]()
    numbers: list[float] = []
    sizes = set()
    for metrics in groups:
        before = len(numbers)
        for metric in metrics:
            named, several = "mean" in metric, len(metric) > 1
            flags |= carried(
                {
                    "several-metrics": len(metrics) > 1,
                    "mean-beside-others": named and several,
                    "no-mean-key": metric and not named,
                    "several-values": several and not named,
                }
            )
            for value in [metric["mean"]] if named else metric.values():
                number, value_flags = _value(value)
                numbers.append(number)
                flags |= value_flags
        sizes.add(len(numbers) - before)
    return numbers, flags | carried({"uneven-groups": len(sizes) > 1, "no-values": not numbers})


def _value(value: Any) -> tuple[float, set[str]]:
    try:
        match value:
            case bool():
                return float(value), {"bool-value"}
            case int():
                return float(value), {"int-value"}
            case float():
                return value, set()
            case str():
                odd = carried({"unicode-digits": _has_odd_digits(value)})
                return float(plain_new_digits(value)), {"number-string"} | odd
    except ValueError:
        pass
    except OverflowError:
        return 0.0, {"int-beyond-double"}
    return 0.0, {"bad-value"}


def _has_odd_digits(text: str) -> bool:
    """Return whether a text has decimal digits beyond 0 to 9."""
    return plain_new_digits(text) != text or any(each.isdecimal() and not each.isascii() for each in text)


def _score_flags(values: list[float], counts: list[int]) -> set[str]:
    score = exact_sum(values, OFFICIAL) / len(values) if values else 0.0
    if not math.isfinite(score):
        return {"non-finite"}
    try:
        product = score * counts[0]
    except OverflowError:
        product = 0.0
    flags = carried(
        {
            "outside-unit-interval": not 0 <= score <= 1,
            "negative-zero": score == 0 and math.copysign(1, score) < 0,
            "exponent": "e" in repr(score),
            "zero-score": score == 0 and counts[1] and not counts[2],
            "product-overflows": not math.isfinite(product),
            "tie": math.isfinite(product) and abs(product) % 1 == 0.5,
        }
    )
    return flags | (inexact_flags(values) & FLAGS.keys() if values else set())
