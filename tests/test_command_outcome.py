"""The output and the exit codes of `parity outcome`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from parity.command import main
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.outcome import OUTCOME, ResultFile

_DOCUMENT = '{"n_total_trials": 5, "stats": {"n_completed_trials": 5, "evals": {"g": {"metrics": [{"mean": 0.5}]}}}}'
_LINE = '{"reason_code": null, "resolved": 2, "score": 0.5, "status": "completed", "total": 5}'
_NOTHING = '{"reason_code": "harbor_result_%s", "resolved": 0, "score": 0.0, "status": "failed", "total": 0}'


@pytest.fixture
def result(tmp_path: Path) -> Path:
    """Return a well-formed result.json."""
    path = tmp_path / "result.json"
    path.write_text(_DOCUMENT, encoding="utf-8")
    return path


def test_it_prints_the_line(result: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints one line, and nothing else."""
    code = main(["outcome", str(result)])

    assert code == 0
    assert capsys.readouterr() == (f"BASE_BENCHMARK_RESULT={_LINE}\n", "")


@pytest.mark.parametrize(("content", "reason"), [(None, "missing"), ("", "malformed"), ("{", "malformed")])
def test_no_result_is_an_outcome(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, reason: str
) -> None:
    """A missing or malformed file has an outcome, and the exit code is 0."""
    if content is not None:
        (tmp_path / "result.json").write_text(content, encoding="utf-8")

    code = main(["outcome", str(tmp_path / "result.json")])

    assert code == 0
    assert capsys.readouterr() == (f"BASE_BENCHMARK_RESULT={_NOTHING % reason}\n", "")


@pytest.mark.needs("utf-8")
def test_the_series_can_be_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--series 3.14` reads digits that Python 3.12 does not know."""
    (tmp_path / "result.json").write_text(_DOCUMENT.replace("0.5", '"0.\U00010d45"'), encoding="utf-8")

    codes = [main(["outcome", str(tmp_path / "result.json"), *more]) for more in ([], ["--series", "3.14"])]

    assert codes == [0, 0]
    assert capsys.readouterr().out.splitlines() == [
        f"BASE_BENCHMARK_RESULT={_NOTHING % 'malformed'}",
        f"BASE_BENCHMARK_RESULT={_LINE}",
    ]


@pytest.mark.needs("modes")
@pytest.mark.parametrize("state", [ABSENT, FileState("file", b"{}")])
def test_a_folder_that_may_not_be_searched(capsys: pytest.CaptureFixture[str], state: FileState) -> None:
    """A folder that may not be searched gives one line with the remedy; in series 3.14 the file counts as missing."""
    with OUTCOME.arguments(ResultFile(state, "unsearchable")) as (path,):
        codes = [main(["outcome", str(path), "--series", series]) for series in ("3.12", "3.14")]
    out, err = capsys.readouterr()

    assert codes == [3, 0]
    assert err == f"parity outcome: {path}: Permission denied; make its folder searchable, with chmod u+x\n"
    assert out == f"BASE_BENCHMARK_RESULT={_NOTHING % 'missing'}\n"


def test_a_path_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    """A path that the system refuses gives one line."""
    name = "x" * 5000

    code = main(["outcome", name])

    assert code == 3
    assert capsys.readouterr() == (
        "",
        f"parity outcome: {name}: File name too long; give the path of a job's result.json\n",
    )


def test_a_pipe_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pipe or a device is refused without opening it."""
    os.mkfifo(tmp_path / "pipe")

    codes = [main(["outcome", str(path)]) for path in (tmp_path / "pipe", "/dev/zero")]

    assert codes == [3, 3]
    assert capsys.readouterr().err.splitlines() == [
        f"parity outcome: {tmp_path}/pipe: not a regular file, but a named pipe; give the path of a job's result.json",
        "parity outcome: /dev/zero: not a regular file, but a device; give the path of a job's result.json",
    ]


def test_a_total_that_cannot_be_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A total of more than 4300 digits gives one line, because Python cannot print it."""
    nines = "9" * 4300
    path = tmp_path / "result.json"
    path.write_text(f'{{"stats": {{"n_completed_trials": {nines}, "n_errored_trials": 1}}}}', encoding="utf-8")

    code = main(["outcome", str(path)])
    out, err = capsys.readouterr()

    assert (code, out) == (3, "")
    assert err.startswith(f"parity outcome: {path}: completed and errored trials add up to more than 4300 digits")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "parity: the following arguments are required: COMMAND; see parity --help\n"),
        (["outcome"], "parity outcome: the following arguments are required: RESULT_JSON; see parity outcome --help\n"),
        (["outcome", "a", "b"], "parity outcome: unrecognized arguments: b; see parity outcome --help\n"),
        (["outcome", "a", "--series", "3.11"], None),
        (["no-such-command"], None),
    ],
    ids=str,
)
def test_usage_errors_take_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str | None
) -> None:
    """A usage error gives one line, and exit code 2."""
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    out, err = capsys.readouterr()

    assert (exit_.value.code, out) == (2, "")
    assert err.count("\n") == 1
    assert complaint is None or err == complaint


def test_help_teaches_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The help explains the output, and the files that are not an error."""
    with pytest.raises(SystemExit) as exit_:
        main(["outcome", "--help"])

    assert exit_.value.code == 0
    assert "An absent or malformed file has an outcome too" in capsys.readouterr().out


def test_it_loads_the_scorer_alone(result: Path) -> None:
    """The command loads no package but the kit, in a fresh interpreter."""
    program = (
        "import runpy, sys\n"
        f"sys.argv = ['parity', 'outcome', {str(result)!r}]\n"
        "before = set(sys.modules)\n"
        "try:\n    runpy.run_module('parity', run_name='__main__')\n"
        "except SystemExit as exit_:\n    assert exit_.code == 0\n"
        "print(sorted({name.split('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names))"
    )

    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert printed.splitlines() == [f"BASE_BENCHMARK_RESULT={_LINE}", "['parity']"]
