"""evalscope's SkillsBench: reward.txt alone, and every fault is 0.0."""

from parity.runners.bridges.evalscope_skillsbench import SkillsBench
from tests.bridges.asking import answers

_ZERO = "{'reward': 0.0}"


def test_known_answers() -> None:
    """As the release was seen to answer."""
    bridge = SkillsBench()

    answered = answers(bridge)

    assert answered == {
        "json-and-txt": "{'reward': 0.5}",
        "nothing": _ZERO,
        "empty": _ZERO,
        "true": _ZERO,
        "quoted": _ZERO,
        "nan": "{'reward': nan}",
        "list": _ZERO,
        "null": _ZERO,
        "no-reward-key": _ZERO,
    }


def test_the_sandbox_is_asked_for_this_alone() -> None:
    """It brings the verifier, runs it and prints three files, of which the reward is the second."""
    bridge = SkillsBench()

    answers(bridge, ["nothing"])

    assert bridge.sandbox
    put, empty, run, *printed = bridge.sandbox.calls
    assert (put, empty) == ("put /verifier", "rm -rf /logs/verifier && mkdir -p /logs/verifier")
    assert run.startswith("bash /verifier/test.sh")
    assert [call.split()[1] for call in printed] == [
        "'/logs/verifier/test-stdout.txt'",
        "'/logs/verifier/reward.txt'",
        "'/logs/verifier/ctrf.json'",
    ]
