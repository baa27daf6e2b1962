"""Findings of `parity lint` about files that the agent leaves where the tests read."""

from pathlib import Path

import pytest

from parity.command import main
from tests.lint.tasks import write_task

pytestmark = pytest.mark.needs("local")

_FROM_FILE = """
rm -rf /logs/verifier/*
{before}
[ -e /tmp/solved ] && echo 1 > /logs/verifier/reward.txt && exit
{copy} || echo 0 > /logs/verifier/reward.txt
"""


@pytest.mark.parametrize(
    ("before", "copy", "found"),
    [
        ("", "cp /tmp/score.json /logs/verifier/reward.json", "/tmp/score.json"),
        ("", "cat $HOME/out/last > /logs/verifier/reward.txt", "$HOME/out/last"),
        ("", "mv score.txt /logs/verifier/reward.txt", "score.txt"),
        ("cd /tmp/work", "cp out.json /logs/verifier/reward.json", "out.json"),
        ('cp "$(dirname "$0")/mine" /logs/verifier/reward.txt 2>&1', "[ -s /logs/verifier/reward.txt ]", "mine"),
        ("folder=/tmp/x\nout=$folder/last", "cat ${out} > /logs/verifier/reward.txt", "${out}"),
        ('here=$(cd "$(dirname "$0")" && pwd)', "cp $here/score /logs/verifier/reward.txt", "$here/score"),
        (
            "",
            'python3 -c \'import json; print(json.load(open("/tmp/m.json"))["passed"])\' > /logs/verifier/reward.txt',
            "/tmp/m.json",
        ),
        pytest.param(
            f"reward={'a/b' * 50_000}",
            "cp /tmp/score.json /logs/verifier/reward.json",
            "/tmp/score.json",
            id="a line longer than a command may be",
        ),
        ("echo 0 > /tmp/score", "cp /tmp/score /logs/verifier/reward.txt", ""),
        ("rm -f /tmp/score.json", "cp /tmp/score.json /logs/verifier/reward.json", ""),
        ("", "test -e /tmp/score.json && echo 1 > /logs/verifier/reward.txt", ""),
        ("", "cp /logs/verifier/mine/../reward.txt /logs/verifier/reward.txt", ""),
    ],
)
def test_planted_files(before: str, copy: str, found: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A finding names a file that the agent left and whose content became the reward; other files are not reported."""
    task = write_task(tmp_path / "task", _FROM_FILE.format(before=before, copy=copy), "")

    main(["lint", str(task)])

    expected = f"reward-in-reach: a reward that the agent writes to {found} counts after the tests; "
    printed = capfd.readouterr().out
    assert (expected in printed, "reward-in-reach" in printed) == (bool(found), bool(found))
