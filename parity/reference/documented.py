"""The authority on the documentation's scoring: the HarborEnv of an installed release of `verifiers`, executed.

Where no release is installed, or where the installed one does not do what the documentation says, the answers that
releases gave to the golden vectors stand, and nothing is known of other cases.
"""

from functools import cache

from parity.answers import Value
from parity.goldens import read_entries
from parity.harbor_env.recorded.plays import EnvPlay
from parity.harbor_env.recorded.records import Record
from parity.operations import HARBOR_ENV
from parity.operations.folders import scratch_folder
from parity.reference.released import installed_release, play_released
from parity.reference.releases import departures
from parity.replay import decode_answer
from parity.runners.runner import Unsupported
from parity.wire import canonical


def play_documented(play: EnvPlay) -> Record:
    """What the documented class makes of a dataset.

    Raises:
        Unsupported: nobody here can tell.
    """
    release = installed_release()
    if release is None:
        return _recorded(play, "no release of verifiers with HarborEnv is installed")
    departs = departures(release, HARBOR_ENV.flags(play))
    if departs:
        return _recorded(play, f"verifiers {release} departs from its documentation: {', '.join(sorted(departs))}")
    with scratch_folder() as folder:
        return play_released(play, folder)


def _recorded(play: EnvPlay, why: str) -> Record:
    known = _answers().get(canonical(HARBOR_ENV.encode(play)))
    if known is None:
        raise Unsupported(why)
    return known


@cache
def _answers() -> dict[str, Record]:
    """The recorded answers by their questions."""
    known = {}
    for entry in read_entries(HARBOR_ENV.name).values():
        answer = entry.get("answer") or next(iter(entry.get("answers", {}).values()), None)
        decoded = None if answer is None else decode_answer(HARBOR_ENV, answer)
        if isinstance(decoded, Value):
            known[canonical(entry["input"])] = decoded.value
    return known  # type: ignore[return-value]
