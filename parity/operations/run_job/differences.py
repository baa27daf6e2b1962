"""Differences between two records of a job in the terms of `run_job`'s rules: each path ends in the kind of fault."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from parity.operations.compare import Difference
from parity.operations.run_trial import first_of_calls
from parity.operations.scenarios.document_differences import refined as of_documents
from parity.operations.scenarios.flags import document


def refined(difference: Difference, expected: Any, actual: Any) -> Difference:
    """Restate a difference by the trial, run or call that is missing or unexpected, or by the fault of a document."""
    match difference:
        case Difference(("trials",), "keys"):
            found = _of_trials(list(expected["trials"]), list(actual["trials"]))
            return replace(difference, path=("trials", found))
        case Difference(("trials", str(name), "calls"), "length"):
            trial, runs = expected["trials"][name], actual["trials"][name]["calls"]
            found = _of_runs(trial, len(runs), expected["files"]["config.json"]["retry"])
            return replace(difference, path=(*difference.path, found))
        case Difference(("trials", str(name), "calls", int(run)), "length") | Difference(
            ("trials", str(name), "calls", int(run), int()), "keys"
        ):
            left, right = (side["trials"][name]["calls"][run] for side in (expected, actual))
            of_calls = first_of_calls(left, right)
            return replace(of_calls, path=(*difference.path[:4], *of_calls.path[1:])) if of_calls else difference
    return of_documents(difference, expected, actual)


def _of_trials(expected: list[str], actual: list[str]) -> str:
    """Return how the trials differ: other `tasks`, other `names` (more or fewer), or another `order`."""
    if _tasks(expected) != _tasks(actual):
        return "tasks"
    return "order" if len(expected) == len(actual) else "names"


def _tasks(names: Iterable[str]) -> set[str]:
    return {name.partition("__")[0] for name in names}


def _of_runs(trial: Any, runs: int, retry: Any) -> str:
    """Return why a trial should have had more runs, or fewer."""
    if runs < len(trial["calls"]):
        return "retried"
    if len(trial["calls"]) == retry["max_retries"] + 1:
        return "limit"
    error = document(trial.get("result")).get("exception_info")
    if not error:
        return "no-error"
    included, excluded = (
        error["exception_type"] in (retry[f"{name}_exceptions"] or ()) for name in ("include", "exclude")
    )
    if included and excluded:
        return "included-and-excluded"
    return "excluded" if excluded else "not-included"
