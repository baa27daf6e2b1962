"""The reference for documented scoring: the HarborEnv of an installed release of `verifiers`, executed.

If no release is installed, or the installed one departs from the documentation, the recorded answers of releases to the
golden vectors count. The files that tests leave change only the reward in an answer. So a recorded answer also serves
scenarios with other files: `_reward` reads their reward with Python's own `float` and `json`, and a test compares it
with the recorded answers. Other scenarios have no reference here.
"""

import json
from dataclasses import replace
from functools import cache
from typing import Any

from parity.operations.answers import Value
from parity.operations.files.folders import scratch_folder
from parity.operations.goldens import read_entries
from parity.operations.harbor_env import HARBOR_ENV
from parity.operations.harbor_env.recorded.records import average_of
from parity.operations.harbor_env.recorded.scenario import EnvScenario, Files
from parity.operations.operation import decode_answer
from parity.operations.scenarios.records import Record
from parity.operations.vectors import VECTORS
from parity.operations.wire import canonical
from parity.reference.released import installed_release, run_released
from parity.runners.runner import Unsupported

_DEPARTURES = (frozenset({"unforeseen-document"}), frozenset({"filter", "incomplete-folder"}))
"""Flags of cases in which releases depart from their documentation.

In the first, they raise an error instead of giving 0.0. In the second, they leave out a folder that is chosen by name
and lacks one of the two files that each task folder must contain.
"""


def answer_documented(scenario: EnvScenario) -> Record:
    """Return the record of the documented class for a scenario.

    Raises:
        Unsupported: there is no reference for this scenario here.
    """
    release = installed_release()
    if release is None:
        return _recorded(scenario, "no release of verifiers with HarborEnv is installed")
    flags = HARBOR_ENV.flags(scenario)
    if departs := next((each for each in _DEPARTURES if each <= flags), None):
        return _recorded(scenario, f"verifiers {release} departs from its documentation: {', '.join(sorted(departs))}")
    with scratch_folder() as folder:
        return run_released(scenario, folder)


def _recorded(scenario: EnvScenario, why: str) -> Record:
    known = _answers().get(_key(scenario)) or described(scenario)
    if known is None:
        raise Unsupported(why)
    return known


def described(scenario: EnvScenario) -> Record | None:
    """Return the recorded answer to the same task, with the reward of this scenario's files; or None.

    The scenario has to have one task with plain reward files and no injected fault, and such a scenario has to be
    recorded. Golden vectors are excluded: only a release answers them.
    """
    return None if _key(scenario) in _vectors() else from_template(scenario)


def from_template(scenario: EnvScenario) -> Record | None:
    """Return the same answer as `described`, but for golden vectors, too."""
    template = _templates().get(_key(_leaving_nothing(scenario))) if _is_plain(scenario) else None
    if template is None:
        return None
    reward = _reward(scenario.tasks[0].left)
    rollouts = [{**rollout, "reward": reward} for rollout in template["rollouts"]]
    return {**template, "rollouts": rollouts, "average": average_of([reward])}


def _reward(left: Files) -> float:
    content = next((left[name] for name in ("reward.txt", "reward.json") if left.get(name)), b"")
    text = content.decode(errors="replace").strip()
    try:
        return float(text)
    except ValueError:
        pass
    try:
        return float(json.loads(text).get("reward", 0.0))
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        return 0.0


def _is_plain(scenario: EnvScenario) -> bool:
    return (
        len(scenario.tasks) == 1
        and not scenario.tasks[0].injected_fault
        and not any(name.endswith("/") for name in scenario.tasks[0].left)
    )


def _leaving_nothing(scenario: EnvScenario) -> EnvScenario:
    return replace(scenario, tasks=tuple(replace(task, left={}, code=0) for task in scenario.tasks))


@cache
def _vectors() -> frozenset[str]:
    return frozenset(_key(vector.case) for vector in VECTORS[HARBOR_ENV.name])


def _key(scenario: EnvScenario) -> str:
    return canonical(HARBOR_ENV.encode(scenario))


@cache
def recorded_scenarios() -> list[tuple[EnvScenario, Record]]:
    """Return the golden vectors of documented scoring, each with the recorded answer of the releases."""
    known: list[tuple[EnvScenario, Any]] = []
    for entry in read_entries(HARBOR_ENV.name).values():
        scenario = HARBOR_ENV.decode(entry["input"])
        answer = entry.get("answer") or next(iter(entry.get("answers", {}).values()), None)
        decoded = None if answer is None else decode_answer(HARBOR_ENV, answer)
        if scenario.scoring == "documented" and isinstance(decoded, Value):
            known.append((scenario, decoded.value))
    return known


@cache
def _answers() -> dict[str, Record]:
    """Return the recorded answers, by scenario."""
    return {_key(scenario): answer for scenario, answer in recorded_scenarios()}


@cache
def _templates() -> dict[str, Record]:
    """Return the recorded answers, by scenario without the files that the tests leave."""
    plain = [
        (scenario, answer) for scenario, answer in recorded_scenarios() if _is_plain(scenario) and "rollouts" in answer
    ]
    return {_key(_leaving_nothing(scenario)): answer for scenario, answer in plain}
