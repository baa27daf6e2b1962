"""Harbor by release: reward.txt first until 0.6, then reward.json, and finite numbers alone from 0.23 on."""

from importlib.metadata import version

import pytest

from parity.runners.bridges.harbor_release import HarborRelease
from parity.runners.runner import Unsupported
from parity.scorer.pass_at_k import Trial
from tests.bridges.asking import answers

_RELEASE = tuple(map(int, version("harbor").split(".")[:2]))
_UNPARSED = "VerifierOutputParseError"
_ANSWERS = {
    "json-and-txt": "{'reward': 0.25}" if _RELEASE >= (0, 7) else "{'reward': 0.5}",
    "nothing": "RewardFileNotFoundError",
    "empty": "RewardFileEmptyError",
    "true": "{'reward': 1.0}",
    "quoted": _UNPARSED if _RELEASE >= (0, 23) else "{'reward': 1.5}",
    "nan": _UNPARSED if _RELEASE >= (0, 23) else "{'reward': nan}",
    "list": _UNPARSED if _RELEASE >= (0, 23) else "ValidationError",
    "null": _UNPARSED if _RELEASE >= (0, 23) else "None",
    "no-reward-key": "{'a': 2, 'b': 3}",
}
_TRIALS = [Trial("agent", "model", None, "task", {"reward": reward}) for reward in (1, 0)]


def test_known_answers() -> None:
    """As the release was seen to answer."""
    bridge = HarborRelease()

    answered = answers(bridge)

    assert answered == _ANSWERS


def test_the_environment_is_asked_for_this_alone() -> None:
    """It uploads the tests and runs them; from 0.25 on it removes rewards before."""
    bridge = HarborRelease()

    answers(bridge, ["nothing"])

    assert bridge.sandbox
    *removing, upload, make_executable, run_tests = bridge.sandbox.calls
    assert (upload, make_executable) == ("upload /tests", "chmod +x /tests/test.sh")
    assert "/tests/test.sh" in run_tests
    assert len(removing) == (_RELEASE >= (0, 25))


def test_the_mean_of_several_keys() -> None:
    """In the 0.1 series, a metric takes one key alone."""
    bridge = HarborRelease()

    try:
        mean = repr(bridge.aggregate("mean", [{"a": 1, "b": 2}]))
    except ValueError as error:
        mean = type(error).__name__

    assert mean == ("{'a': 1.0, 'b': 2.0}" if _RELEASE >= (0, 6) else "ValueError")


def test_pass_at_k() -> None:
    """Where the release has it."""
    bridge = HarborRelease()

    if _RELEASE < (0, 6):
        with pytest.raises(Unsupported):
            bridge.pass_at_k(_TRIALS)
        return

    assert bridge.pass_at_k(_TRIALS) == {"agent__model__adhoc": {2: 1.0}}
