"""The authority on the documentation's scoring: the HarborEnv of an installed release of `verifiers`, executed.

Where no release is installed, or where the installed one does not do what the documentation says, the answers that
releases gave to the golden vectors stand. What a play leaves behind changes nothing in them but the reward, so they
also answer plays that leave something else; how a reward is read is described below, in Python's own `float` and
`json`, and the recorded answers are held to that. Nothing is known of other plays.
"""

import json
from dataclasses import replace
from functools import cache
from typing import Any

from parity.operations.answer_wire import decode_answer
from parity.operations.answers import Value
from parity.operations.files.folders import scratch_folder
from parity.operations.goldens import read_entries
from parity.operations.harbor_env import HARBOR_ENV
from parity.operations.harbor_env.recorded.plays import EnvPlay, Files
from parity.operations.harbor_env.recorded.records import Record, average_of
from parity.operations.vectors import VECTORS
from parity.operations.wire import canonical
from parity.reference.released import installed_release, play_released
from parity.runners.runner import Unsupported

_DEPARTURES = frozenset({"unforeseen-document"})
"""Flags of cases in which releases do not do what their documentation says: they raise, instead of giving 0.0."""


def play_documented(play: EnvPlay) -> Record:
    """What the documented class makes of a dataset.

    Raises:
        Unsupported: nobody here can tell.
    """
    release = installed_release()
    if release is None:
        return _recorded(play, "no release of verifiers with HarborEnv is installed")
    departs = _DEPARTURES & HARBOR_ENV.flags(play)
    if departs:
        return _recorded(play, f"verifiers {release} departs from its documentation: {', '.join(sorted(departs))}")
    with scratch_folder() as folder:
        return play_released(play, folder)


def _recorded(play: EnvPlay, why: str) -> Record:
    known = _answers().get(_key(play)) or described(play)
    if known is None:
        raise Unsupported(why)
    return known


def described(play: EnvPlay) -> Record | None:
    """The recorded answer to the same task, with the reward of what its tests leave here.

    None where no such play was recorded: of one task, whose tests leave files or nothing, and no call of which fails.
    Nor is a golden vector described: only a release answers those.
    """
    return None if _key(play) in _vectors() else from_template(play)


def from_template(play: EnvPlay) -> Record | None:
    """The same for any play."""
    template = _templates().get(_key(_leaving_nothing(play))) if _is_plain(play) else None
    if template is None:
        return None
    reward = _reward(play.tasks[0].left)
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


def _is_plain(play: EnvPlay) -> bool:
    return (
        len(play.tasks) == 1 and not play.tasks[0].mishap and not any(name.endswith("/") for name in play.tasks[0].left)
    )


def _leaving_nothing(play: EnvPlay) -> EnvPlay:
    return replace(play, tasks=tuple(replace(task, left={}, code=0) for task in play.tasks))


@cache
def _vectors() -> frozenset[str]:
    return frozenset(_key(vector.case) for vector in VECTORS[HARBOR_ENV.name])


def _key(play: EnvPlay) -> str:
    return canonical(HARBOR_ENV.encode(play))


@cache
def recorded_plays() -> list[tuple[EnvPlay, Record]]:
    """The golden vectors under the documentation's scoring, with what the releases answered."""
    known: list[tuple[EnvPlay, Any]] = []
    for entry in read_entries(HARBOR_ENV.name).values():
        play = HARBOR_ENV.decode(entry["input"])
        answer = entry.get("answer") or next(iter(entry.get("answers", {}).values()), None)
        decoded = None if answer is None else decode_answer(HARBOR_ENV, answer)
        if play.scoring == "documented" and isinstance(decoded, Value):
            known.append((play, decoded.value))
    return known


@cache
def _answers() -> dict[str, Record]:
    """The recorded answers by their plays."""
    return {_key(play): answer for play, answer in recorded_plays()}


@cache
def _templates() -> dict[str, Record]:
    """The recorded answers by their plays without what the tests left."""
    plain = [(play, answer) for play, answer in recorded_plays() if _is_plain(play) and "rollouts" in answer]
    return {_key(_leaving_nothing(play)): answer for play, answer in plain}
