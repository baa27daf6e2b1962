"""Tests of `parity report --join`, which makes the report of a run whose parts ran on several machines."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from parity.command import main
from parity.suite.report.report_files import to_json
from tests.report.samples import SETTINGS, report
from tests.running import run_pytest

_ROOT = Path(__file__).resolve().parents[2]
_RUNNER = """\
class Loop:
    name = "loop"

    def aggregate(self, metric, rewards):
        total = 0
        for each in rewards:
            total += each["reward"]
        return {metric: total}
"""


def _part(name: str, *tests: str, left_out: tuple[str, ...] = (), seed: int = 7) -> str:
    """Return the JSON of the report of a part that ran these tests."""
    settings = replace(SETTINGS, complete=not left_out, tests=tests, left_out=left_out, seed=seed)
    return to_json(replace(report(name), settings=settings))


def test_joined_report_equals_the_report_of_a_single_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The joined report and its exit code equal those of a single run, whatever the order of the parts."""
    (tmp_path / "mine.py").write_text(_RUNNER)
    monkeypatch.setenv("PYTHONPATH", str(_ROOT))
    suite = ("-p", "no:cacheprovider", "--pyargs", "parity", "--profile", "quick", "--runner", "mine:Loop")

    whole = run_pytest(*suite, "--report", "whole.json", cwd=tmp_path)
    for group in ("1", "2"):
        run_pytest(*suite, "--splits", "2", "--group", group, "--report", f"{group}.json", cwd=tmp_path)
    monkeypatch.chdir(tmp_path)
    code = main(["report", "1.json", "2.json", "--join", "joined.json"])
    main(["report", "2.json", "1.json", "--join", "reversed.json"])

    names = "whole.json", "joined.json", "1.json"
    one, joined, *parts = (json.loads((tmp_path / name).read_text()) for name in names)
    assert one["settings"]["complete"]
    assert joined == {**one, "started_at": parts[0]["started_at"]}
    assert (tmp_path / "joined.json").read_bytes() == (tmp_path / "reversed.json").read_bytes()
    assert code == whole.returncode == 1


def test_missing_part_leaves_no_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If a part is missing, there is no verdict, and the exit code is 3."""
    part, joined = tmp_path / "part.json", tmp_path / "joined.json"
    part.write_text(_part("mine", "a", left_out=("b",)))

    code = main(["report", str(part), "--join", str(joined)])

    assert code == 3
    assert "no verdict: the reports have no test b" in capsys.readouterr().err
    assert json.loads(joined.read_text())["settings"]["left_out"] == ["b"]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (_part("mine", "b", seed=8), "2.json: not of the same run as {directory}/1.json: seed 8, not 7; give"),
        (_part("yours", "b"), "2.json: not of the same run as {directory}/1.json: runner name yours, not mine"),
        (_part("mine", "a"), "2.json: has the test a, as {directory}/1.json has; give each part different tests"),
    ],
)  # fmt: skip
def test_report_of_another_run_is_refused(
    tmp_path: Path, second: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reports that are not parts of one run are refused in one line, and nothing is written."""
    (tmp_path / "1.json").write_text(_part("mine", "a", left_out=("b",)))
    (tmp_path / "2.json").write_text(second)

    code = main(
        ["report", *(str(tmp_path / f"{each}.json") for each in (1, 2)), "--join", str(tmp_path / "joined.json")]
    )

    assert code == 3
    assert message.format(directory=tmp_path) in capsys.readouterr().err
    assert not (tmp_path / "joined.json").exists()


def test_workflow_has_as_many_groups_as_splits() -> None:
    """The workflow for thorough runs starts as many groups as it makes splits."""
    workflow = (_ROOT / ".github" / "workflows" / "thorough.yml").read_text(encoding="utf-8")

    assert "group: [1, 2, 3, 4]" in workflow
    assert "--splits 4" in workflow
