"""NeMo Gym: reward.txt alone, 1.0 where it is above 0, and every fault is 0.0."""

from parity.runners.bridges.nemo_gym_anyterminal import AnyTerminal
from tests.bridges.asking import answers

_ZERO = "{'reward': 0.0}"


def test_known_answers() -> None:
    """As the release was seen to answer."""
    bridge = AnyTerminal()

    answered = answers(bridge)

    assert answered == {
        "json-and-txt": "{'reward': 1.0}",
        "nothing": _ZERO,
        "empty": _ZERO,
        "true": _ZERO,
        "quoted": _ZERO,
        "nan": _ZERO,
        "list": _ZERO,
        "null": _ZERO,
        "no-reward-key": _ZERO,
    }
