"""BenchFlow's verifier: both files must agree, and a reward is a finite number from 0 to 1."""

from parity.runners.bridges.benchflow_verifier import BenchFlowVerifier
from tests.bridges.asking import answers

_UNPARSED = "VerifierOutputParseError"


def test_known_answers() -> None:
    """As the release was seen to answer."""
    bridge = BenchFlowVerifier()

    answered = answers(bridge)

    assert answered == {
        "json-and-txt": _UNPARSED,
        "nothing": "RewardFileNotFoundError",
        "empty": "RewardFileEmptyError",
        "true": _UNPARSED,
        "quoted": _UNPARSED,
        "nan": _UNPARSED,
        "list": _UNPARSED,
        "null": _UNPARSED,
        "no-reward-key": _UNPARSED,
    }


def test_the_sandbox_is_asked_for_this_alone() -> None:
    """It empties the verifier's folder, brings the tests, runs them and takes the folder out."""
    bridge = BenchFlowVerifier()

    answers(bridge, ["nothing"])

    assert bridge.sandbox
    empty, upload, make_executable, run_tests, download = bridge.sandbox.calls
    assert "rm -rf /logs/verifier" in empty
    assert (upload, make_executable, download) == (
        "upload /tests",
        "chmod +x /tests/test.sh",
        "download /logs/verifier",
    )
    assert run_tests.startswith("/tests/test.sh")
