"""Tests for the output and the exit codes of `parity outcome`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from parity.command import main
from tests.score.actions import edit, put, trial_of

_DOCUMENT = (
    '{"finished_at": "2026-11-01T00:00:00", "n_total_trials": 5, "stats": {"n_completed_trials": 5, '
    '"n_errored_trials": 0, "evals": {"g": {"metrics": [{"mean": 0.5}]}}}}'
)
_LINE = '{"reason_code": null, "resolved": 2, "score": 0.5, "status": "completed", "total": 5}'
_MALFORMED = '{"reason_code": "harbor_result_malformed", "resolved": 0, "score": 0.0, "status": "failed", "total": 0}'


@pytest.fixture
def result(tmp_path: Path) -> Path:
    """Return a well-formed result.json."""
    path = tmp_path / "result.json"
    path.write_text(_DOCUMENT, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["result.json", ""], ids=["file", "directory"])
def test_outcome_is_one_line(result: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """For a result.json or its job's directory, the command prints one line and nothing else."""
    code = main(["outcome", str(result.parent / name)])

    assert code == 0
    assert capsys.readouterr() == (f"BASE_BENCHMARK_RESULT={_LINE}\n", "")


def _note(problem: str) -> str:
    return f"parity outcome: job/result.json: {problem}\n"


_SCHEMA = "of another schema than harbor 0.13.1's: it has no {}, and the line reads no other key"
_UNFINISHED = "the job has not ended (it has no finished_at); the line is about the trials so far"


def test_unfinished_job_is_noted(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For a job that was killed, the line is that of the description, and standard error says that it has not ended."""
    code = main(["outcome", "job"])
    line, silence = capsys.readouterr()
    edit(job / "result.json", put("finished_at", None))

    code_of_killed = main(["outcome", "job"])

    assert silence == ""
    assert code == code_of_killed == 0
    assert capsys.readouterr() == (line, _note(_UNFINISHED))


@pytest.mark.parametrize(("mean", "noted"), [(1, False), (0.0, False), (1.5, True), (-0.25, True)])
def test_score_beyond_the_unit_interval_is_noted(
    mean: float, noted: bool, result: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """For a score that is no share, standard error says that resolved is no number of trials."""
    result.write_text(_DOCUMENT.replace("0.5", str(mean)))

    code = main(["outcome", str(result)])

    note = f"the score {float(mean)} is not between 0 and 1, so resolved (score times trials) is no number of trials"
    assert code == 0
    assert capsys.readouterr().err == (f"parity outcome: {result}: {note}\n" if noted else "")


def test_older_schema_is_noted(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For a result.json with other names for its counts, standard error says which names are missing."""
    for name in ("n_completed_trials", "n_errored_trials"):
        edit(job / "result.json", put(f"stats.{name}", ...))

    code = main(["outcome", "job"])

    line = f"BASE_BENCHMARK_RESULT={_LINE}\n".replace('2, "score": 0.5', '1, "score": 0.2125').replace("5}", "6}")
    problem = _SCHEMA.format("stats.n_completed_trials, stats.n_errored_trials")
    assert code == 0
    assert capsys.readouterr() == (line, _note(problem))


def test_empty_object_has_both_notes(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For `{}`, which the description reads as a job without trials, standard error says what is missing."""
    (job / "result.json").write_text("{}")

    code = main(["outcome", "job"])

    assert code == 0
    assert capsys.readouterr().err == _note(_UNFINISHED) + _note(_SCHEMA.format("n_total_trials, stats"))


def test_job_without_result_has_an_outcome(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A job's directory without a result.json has the description's line for a missing file."""
    (job / "result.json").unlink()

    code = main(["outcome", "job"])

    assert code == 0
    assert capsys.readouterr() == (f"BASE_BENCHMARK_RESULT={_MALFORMED}\n".replace("malformed", "missing"), "")


def test_trial_without_result_is_refused(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A trial's directory without a result.json is refused, although it has a config.json, too."""
    trial = trial_of(job)
    (trial / "result.json").unlink()

    code = main(["outcome", str(trial)])

    assert code == 3
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("nowhere", "nowhere: No such file or directory"),
        ("", "result.json: No such file or directory"),
        ("directory", "directory/result.json: not a regular file, but a directory"),
        ("pipe", "pipe: not a regular file, but a named pipe"),
        ("/dev/zero", "/dev/zero: not a regular file, but a device"),
        ("x" * 5000, f"{'x' * 5000}: File name too long"),
    ],
)
def test_path_without_result_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], path: str, problem: str
) -> None:
    """A path without a result.json is refused in one line with exit code 3; a pipe or a device is not opened."""
    monkeypatch.chdir(tmp_path)
    Path("directory/result.json").mkdir(parents=True)
    os.mkfifo("pipe")

    code = main(["outcome", path])

    assert code == 3
    assert capsys.readouterr() == ("", f"parity outcome: {problem}; give a job's directory, or its result.json\n")


def test_result_of_a_trial_is_refused(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A trial's result.json or directory is refused, because it is not a job's."""
    trial = trial_of(job)

    codes = [main(["outcome", str(path)]) for path in (trial, trial / "result.json")]

    problem = "the result.json of a trial; give the job's directory, which is above it"
    assert codes == [3, 3]
    assert capsys.readouterr() == ("", f"parity outcome: {trial}/result.json: {problem}\n" * 2)


@pytest.mark.needs("utf-8")
def test_series_can_be_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With `--series 3.14`, digits that are unknown to Python 3.12 are read."""
    (tmp_path / "result.json").write_text(_DOCUMENT.replace("0.5", '"0.\U00010d45"'), encoding="utf-8")

    codes = [main(["outcome", str(tmp_path / "result.json"), *more]) for more in ([], ["--series", "3.14"])]

    assert codes == [0, 0]
    assert capsys.readouterr().out.splitlines() == [
        f"BASE_BENCHMARK_RESULT={_MALFORMED}",
        f"BASE_BENCHMARK_RESULT={_LINE}",
    ]


@pytest.mark.needs("modes")
def test_directory_without_permission_is_refused(result: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A directory without search permission is refused in one line with the remedy."""
    result.parent.chmod(0)

    code = main(["outcome", str(result)])

    result.parent.chmod(0o700)
    assert code == 3
    problem = "Permission denied; make its directory searchable, with chmod u+x"
    assert capsys.readouterr() == ("", f"parity outcome: {result}: {problem}\n")


def test_total_that_cannot_be_printed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A total with more than 4300 digits is refused in one line, because Python cannot print it."""
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
        (["outcome"], "parity outcome: the following arguments are required: JOB; see parity outcome --help\n"),
        (["outcome", "a", "b"], "parity outcome: unrecognized arguments: b; see parity outcome --help\n"),
        (["outcome", "a", "--series", "3.11"], None),
        (["no-such-command"], None),
    ],
    ids=str,
)
def test_usage_error_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str | None
) -> None:
    """A usage error is reported in one line with exit code 2."""
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    out, err = capsys.readouterr()

    assert (exit_.value.code, out) == (2, "")
    assert err.count("\n") == 1
    assert complaint is None or err == complaint


def test_outcome_imports_only_the_kit(result: Path) -> None:
    """In a new interpreter, the command imports only the kit and the standard library."""
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
