"""A divergence of a program is reported with the lines of the pipe, and with the case in words."""

import re
from pathlib import Path

from tests.running import PYTHON, run_pytest


def test_what_was_sent_expected_and_received(tmp_path: Path) -> None:
    """The report has the case in words, the question as it was sent, and both answers as lines."""
    spec = "tests.faulty.read_reward.files:EmptyIsParseError"

    ran = run_pytest(
        *("--pyargs", "parity", "--reference", "golden", "-k", "read_reward", "-p", "no:cacheprovider"),
        *("--runner-cmd", f"{PYTHON} -m parity serve {spec}"),
        cwd=tmp_path,
    )

    assert re.search(r"^  vector +reward-file/\S+: reward\.(json|txt): ", ran.stdout, re.MULTILINE), ran.stdout
    assert re.search(r'^  sent +{"operation":"read_reward","input":{"directory":"[^"]+"}}$', ran.stdout, re.MULTILINE)
    assert re.search(r'^  expected +{"fault":{"kind":"RewardFileEmptyError"}}$', ran.stdout, re.MULTILINE)
    assert re.search(r'^  received +{"fault":{"kind":"VerifierOutputParseError".*}}$', ran.stdout, re.MULTILINE)
