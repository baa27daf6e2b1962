"""terminalbench2-cube: reward.txt alone, and every fault is 0.0."""

from parity.runners.bridges.terminalbench_cube import CubeTask
from tests.bridges.asking import answers

_ZERO = "{'reward': 0.0}"


def test_known_answers() -> None:
    """As the release was seen to answer."""
    bridge = CubeTask()

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


def test_the_terminal_is_asked_for_this_alone() -> None:
    """It looks for uv, runs the tests and prints two files."""
    bridge = CubeTask()

    answers(bridge, ["nothing"])

    assert bridge.sandbox
    probe, run_tests, report, reward = bridge.sandbox.calls
    assert "/tmp/fakehome/.local/bin/uv" in probe
    assert run_tests.endswith("bash /tmp/tests/test.sh")
    assert (report.split()[1], reward.split()[1]) == (
        "/tmp/logs/verifier/ctrf.json",
        "/tmp/logs/verifier/reward.txt",
    )
