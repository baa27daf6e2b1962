"""HUD's controller: reward.json first, of which it takes one finite number; a fault is a result marked as an error."""

from parity.runners.bridges.hud_harbor import HarborEvaluation
from tests.bridges.asking import answers

_ERROR = "EvaluationError"


def test_known_answers() -> None:
    """As the release was seen to answer."""
    bridge = HarborEvaluation()

    answered = answers(bridge)

    assert answered == {
        "json-and-txt": "{'reward': 0.25}",
        "nothing": _ERROR,
        "empty": _ERROR,
        "true": _ERROR,
        "quoted": _ERROR,
        "nan": _ERROR,
        "list": _ERROR,
        "null": _ERROR,
        "no-reward-key": _ERROR,
    }
