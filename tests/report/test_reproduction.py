"""The scripts of `--repro`, run by a shell that has Harbor, and nothing of the kit."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from parity.judging.divergence import show_answer
from parity.operations import OPERATIONS
from parity.operations.goldens import read_entries, recorded_answer
from parity.operations.operation import decode_answer
from parity.reference.reproduction import reproduction
from parity.report.reproduction import script
from parity.scorer.series import Series
from tests.report.samples import HOSTILE, divergence, report
from tests.running import run_pytest

_ROOT = Path(__file__).resolve().parents[2]
_ANSWER = re.compile(r"^# harbor 0\.13\.1: (?:(raises \w+)|(.*))", re.MULTILINE)


def _printed(text: str, folder: Path) -> list[str]:
    """Run a script by `sh` in a folder, and return the lines that it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "TMPDIR": str(folder)}
    run = subprocess.run(
        ["sh"], input=text, capture_output=True, encoding="utf-8", cwd=folder, env=environment, check=True
    )
    assert run.stderr == ""
    return run.stdout.splitlines()


@pytest.mark.parametrize(
    ("operation", "vector"),
    [
        ("read_reward", "reward-file/json-wins/json-bad"),
        ("read_reward", "reward-file/undecodable-is-a-parse-error/txt/31ff"),
        ("read_reward", "reward-file/byte-order-mark-is-a-parse-error/json/utf-16-le"),
        ("read_reward", "reward-file/dangling-link-is-absent/json-looping-link-beside-txt"),
        ("read_reward", "reward-file/link-is-followed/json-beside-txt"),
        ("read_reward", "reward-file/directory-is-an-error/json-directory"),
        ("read_reward", "reward-file/fifo-is-empty/txt-fifo"),
        ("read_reward", "reward-file/device-is-empty/txt-socket"),
        ("read_reward", "reward-file/other-files/all/beside-txt"),
        ("read_reward", "reward-file/any-path/json/it's"),
        ("read_reward", "reward-file/any-path/txt/linked"),
        ("read_reward", "reward-file/any-size/digits"),
        ("read_reward", "reward-json/null-is-none/json/null"),
        ("read_reward", 'reward-json/constants/json/{"a":%20NaN,%20"b":%201}'),
        ("read_reward", 'reward-json/keys-are-verbatim/json/{"%C3%A9":%201}'),
        ("read_reward", "reward-text/malformed/txt/50%25"),
        ("read_reward", "reward-number/unit-interval/txt/-1"),
        ("aggregate", "summation/compensated/three-tenths/mean"),
        ("aggregate", "summation/beyond-long/long-min/sum"),
        ("pass_at_k", "pass-at-k/estimator/3-of-10"),
        ("pass_at_k", "pass-at-k/binary-only/nan"),
    ],
)
def test_the_lines_show_the_recorded_answer(operation: str, vector: str, tmp_path: Path) -> None:
    """The lines for a golden vector print the recorded answer of Harbor."""
    entry = read_entries(operation)[vector]
    answer = recorded_answer(entry, Series.running())
    lines = reproduction(operation, entry["input"])

    printed = _printed(lines, tmp_path)

    assert printed == [show_answer(decode_answer(OPERATIONS[operation], answer))]


def test_texts_of_a_runner_are_not_run(tmp_path: Path) -> None:
    """The name and the answers of a runner stay in comments, whatever they are."""
    texts = ["two\necho hidden", "$(echo hidden)", "EOF", *HOSTILE]
    reported = tuple(replace(divergence(), runner=text) for text in texts)
    named = report("echo\necho hidden", "diverges", reported)

    printed = _printed(script(named), tmp_path)

    assert printed == ["{'mean': 0.05}"] * len(texts)


def test_what_has_no_lines_is_named() -> None:
    """A divergence of another operation, or one with a large case, is named as left out."""
    large, job = replace(divergence(), case=None), replace(divergence(), operation="run_job")

    text = script(report("my-runner", "diverges", (large, job)))

    assert "# Left out, because a few lines cannot show them: divergences of aggregate, run_job.\n" in text
    assert "python3 -X utf8" not in text


def test_a_run_writes_its_divergences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run, with or without workers, writes all its divergences; a replay writes the one of its case."""
    monkeypatch.setenv("PYTHONPATH", str(_ROOT))
    runner = ("--profile", "quick", "--runner", "tests.faulty.aggregate.sums:AddsOneByOne")
    suite = ("-p", "no:cacheprovider", "--pyargs", "parity", *runner)
    tests = ("-k", "aggregate and golden")

    alone = run_pytest(*suite, *tests, "--repro", "alone.sh", cwd=tmp_path)
    run_pytest(*suite, *tests, "-n", "2", "--repro", "spread.sh", cwd=tmp_path)
    replay = next((tmp_path / ".parity").glob("aggregate-*.json"))
    again = run_pytest(*suite, "--replay", str(replay), "--repro", "again.sh", cwd=tmp_path)

    text, once = ((tmp_path / name).read_text(encoding="utf-8") for name in ("alone.sh", "again.sh"))
    answers = ["".join(found) for found in _ANSWER.findall(text)]
    assert alone.returncode == again.returncode == pytest.ExitCode.TESTS_FAILED
    assert re.findall("^repro.*$", alone.stdout + again.stdout, re.MULTILINE) == ["repro: alone.sh", "repro: again.sh"]
    assert (tmp_path / "spread.sh").read_text(encoding="utf-8") == text
    assert len(answers) > 2
    assert _printed(text, tmp_path) == answers
    assert len(_ANSWER.findall(once)) == 1
