"""The task set by series: 0.2 knows reward.txt alone, 0.3 puts reward.json first, and 0.4 raises faults."""

from importlib.metadata import version

from parity.runners.bridges.verifiers_taskset import HarborTaskset
from tests.bridges.asking import answers

_SERIES = ".".join(version("verifiers").split(".")[:2])
_ZERO = "{'reward': 0.0}"
_ANSWERS = {
    "0.2": {
        "json-and-txt": "{'reward': 0.5}",
        "nothing": _ZERO,
        "empty": _ZERO,
        "true": _ZERO,
        "quoted": _ZERO,
        "nan": "{'reward': nan}",
        "list": _ZERO,
        "null": _ZERO,
        "no-reward-key": _ZERO,
    },
    "0.3": {
        "json-and-txt": "{'reward': 0.25}",
        "nothing": _ZERO,
        "empty": _ZERO,
        "true": _ZERO,
        "quoted": _ZERO,
        "nan": "{'reward': nan}",
        "list": _ZERO,
        "null": _ZERO,
        "no-reward-key": "{'a': 2.0, 'b': 3.0}",
    },
    "0.4": {
        "json-and-txt": "{'reward': 0.25}",
        "nothing": "TaskError",
        "empty": "TaskError",
        "true": "TaskError",
        "quoted": "TaskError",
        "nan": "TaskError",
        "list": "TaskError",
        "null": "TaskError",
        "no-reward-key": "TaskError",
    },
}


def test_known_answers() -> None:
    """As the release was seen to answer."""
    bridge = HarborTaskset()

    answered = answers(bridge)

    assert answered == _ANSWERS[_SERIES]


def test_the_runtime_is_asked_for_this_alone() -> None:
    """It stages the tests, runs them and reads the reward."""
    bridge = HarborTaskset()

    answers(bridge, ["json-and-txt"])

    assert bridge.sandbox
    bring_archive, unpack, run_tests, *reading = bridge.sandbox.calls
    assert bring_archive == "write /tmp/tests.tgz"
    assert "tar -xzf /tmp/tests.tgz" in unpack
    assert run_tests.endswith("test.sh")
    assert len(reading) == {"0.2": 1, "0.3": 1, "0.4": 2}[_SERIES]
