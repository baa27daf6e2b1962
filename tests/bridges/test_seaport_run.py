"""Seaport: reward.json first, of whose values the numbers alone are read; a fault is an errored trial."""

from parity.runners.bridges.seaport_run import SeaportRun
from tests.bridges.asking import answers

_ERROR = "TrialError"


def test_known_answers() -> None:
    """As the release was seen to answer."""
    bridge = SeaportRun()

    answered = answers(bridge)

    assert answered == {
        "json-and-txt": "{'reward': 0.25}",
        "nothing": _ERROR,
        "empty": _ERROR,
        "true": _ERROR,
        "quoted": _ERROR,
        "nan": "{'reward': nan}",
        "list": _ERROR,
        "null": _ERROR,
        "no-reward-key": "{'a': 2.0, 'b': 3.0}",
    }
