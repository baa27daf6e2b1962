"""Whole runs of the suite: verdicts on unruly runners, options, replay, xdist, an installed copy."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.filled_once import filled_once
from tests.running import run_pytest
from tests.suite_runs import FIRST_GOLDENS, ROOT, UNRULY, run_quick, run_suite


@pytest.fixture
def wrong_kind(tmp_path_factory: pytest.TempPathFactory, replays: Path) -> str:
    """Return the output of a run on a runner that raises the wrong kind of error."""

    def run(folder: Path) -> None:
        (folder / "printed").write_text(run_quick("WrongKind", "test_which_file_counts", folder).stdout)

    shutil.copytree(filled_once(tmp_path_factory, "wrong-kind", run), replays, dirs_exist_ok=True)
    return (replays / "printed").read_text()


def test_one_ulp_in_one_of_a_hundred(replays: Path) -> None:
    """A fault that occurs rarely is found, reported with its distance, and marked as not repeatable."""
    run = run_quick("OneUlpInAHundred", "test_numbers", replays, "-v")

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert re.search(r"\b[12] ULP apart", run.stdout)
    assert "asked the same again, the runner answered differently" in run.stdout
    assert "Flaky" not in run.stdout


def test_a_hang_costs_one_case(replays: Path) -> None:
    """A case that hangs is reported, is not repeated while shrinking, and the other tests run."""
    run = run_quick("Hangs", "test_reward_txt or pass_at_k", replays, "--case-timeout", "1")

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "crashed: it gave no answer within 1 s" in run.stdout
    assert re.search(r"pass_at_k +\d+ +\d+ +\d+ +agrees", run.stdout)


def test_a_stubborn_hang_is_stopped_too(replays: Path) -> None:
    """A runner that catches the alarm is stopped, too."""
    run = run_quick("HangsStubbornly", "test_attempts", replays, "--case-timeout", "0.5")

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "crashed: it gave no answer within 0.5 s" in run.stdout


def test_leaving_the_process_is_a_crash(replays: Path) -> None:
    """A SystemExit of the runner is a crash of the case, and the run continues."""
    run = run_quick("Exits", "reason_code and golden", replays)

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "crashed: it tried to end the process: SystemExit(3)" in run.stdout


def test_a_littering_runner_harms_nobody(replays: Path) -> None:
    """A runner's changes of its arguments and folder affect no other answer, the reference's included."""
    run = run_quick("Litters", f"{FIRST_GOLDENS} or test_keys", replays)

    assert run.returncode == pytest.ExitCode.OK


@pytest.mark.parametrize(
    ("runner", "expected"),
    [
        (
            "ReturnsAnything",
            "WRONG SHAPE: `pass_at_k` returned <dict whose repr raises RuntimeError>; it ",
        ),
        ("RaisesBadMessages", "DIVERGENCE in pass_at_k"),
    ],
)
def test_any_answer_gets_a_verdict(replays: Path, runner: str, expected: str) -> None:
    """Answers that cannot be compared, printed or encoded are of the wrong shape, or divergences."""
    run = run_quick(runner, "(pass_at_k or aggregate) and test_sizes", replays)

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert expected in run.stdout
    assert "INTERNALERROR" not in run.stdout + run.stderr


def test_what_is_no_exception_is_a_crash(replays: Path) -> None:
    """Exceptions that are not an Exception, such as cancellation, are crashes of the case."""
    run = run_quick("Cancels", "reason_code and golden", replays)

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "which is not an Exception" in run.stdout
    assert re.search(r"reason_code .* diverges", run.stdout)


def test_a_run_that_ends_early_says_so(replays: Path) -> None:
    """In a run that ends early, the verdict on an operation that agrees says that it agrees so far."""
    run = run_quick("Cancels", "test_keys or (reason_code and golden)", replays, "-x")

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert re.search(r"aggregate .*  agrees so far, as the run did not get to its end$", run.stdout, re.MULTILINE)


def test_a_failure_of_the_harness_is_no_agreement(replays: Path) -> None:
    """A test that fails without a divergence makes the verdict undecided, with another exit code."""
    (replays / "broken.py").write_text(
        "from parity.operations import PASS_AT_K\nobject.__setattr__(PASS_AT_K, 'compare', lambda *answers: 1 / 0)\n"
    )
    run = run_suite("--pyargs", "parity", "--profile", "quick", "-k", "test_attempts", "-p", "broken", cwd=replays)

    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "ERROR: a test failed for another reason than a difference between runner and reference" in run.stdout
    assert "undecided: 1 test failed" in run.stdout
    assert "ZeroDivisionError" in run.stdout


def test_a_moved_reference_is_not_the_runners_fault(replays: Path) -> None:
    """If the wheel no longer gives the recorded answer, the report says which of the two the runner gives."""
    (replays / "moved.py").write_text(
        "import parity.operations.goldens as goldens\n"
        "read = goldens.read_vectors\n"
        "moves = {f'summation/compensated/{name}/mean' for name in ('ten-tenths', 'sevens')}\n"
        "answers = dict.fromkeys(goldens.Series, {'value': {'mean': {'f64': '3fd0000000000000'}}})\n"
        "goldens.read_vectors = lambda operation: [\n"
        "    each.with_answers(answers) if each.id in moves else each for each in read(operation)\n"
        "]\n"
    )
    run = run_quick("Newer", "test_golden and aggregate", replays, "-p", "moved", "--profile", "default")

    assert "THE REFERENCE MOVED in aggregate" in run.stdout
    assert "ten-tenths/mean: recorded {'mean': 0.25}, now {'mean': 0.1}; the runner agrees with golden" in run.stdout
    assert "sevens/mean: recorded {'mean': 0.25}, now {'mean': 0.7}; the runner agrees with the wheel" in run.stdout
    assert "ten-tenths/sum" in run.stdout


def test_a_report_without_a_place_for_replays(replays: Path) -> None:
    """A divergence is reported even if no replay file can be written."""
    (replays / ".parity").touch()

    run = run_quick("WrongKind", "test_which_file_counts", replays)

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert re.search(r"replay +none: .*\.parity cannot be written: File exists", run.stdout)


def test_last_failed_is_no_complete_run(replays: Path) -> None:
    """The classes of conformance are reported only if every test that draws cases has run."""
    spec = f"{UNRULY}:Exits"
    selected = ("--pyargs", "parity", "-k", "reason_code and golden", "--profile", "quick")
    run_pytest(*selected, "--runner", spec, cwd=replays)

    again = run_pytest("--pyargs", "parity", "--lf", cwd=replays)

    assert again.returncode == pytest.ExitCode.OK, again.stdout
    assert "conforms" not in again.stdout


def test_xdist_is_not_needed(replays: Path) -> None:
    """The suite runs without pytest-xdist."""
    run = run_suite("--pyargs", "parity", "--profile", "quick", "-k", "test_keys", "-p", "no:xdist", cwd=replays)

    assert run.returncode == pytest.ExitCode.OK, run.stdout + run.stderr


def test_the_wrong_kind_of_error(replays: Path) -> None:
    """A wrong kind of error is shown beside the right one."""
    run = run_quick("WrongKind", "read_reward and not golden", replays)

    shown = run.stdout.partition("DIVERGENCE in read_reward (form): reward-file/missing: ")[2]
    assert re.search(r"^  harbor +raises RewardFileNotFoundError.*\n  \S+ +raises ValueError: ", shown, re.MULTILINE)
    assert "\n1 rule differs in form only; in " in shown


@pytest.mark.parametrize("runner", ["Partial", "make_partial", "ready_made"])
def test_what_is_not_claimed_is_not_passed(replays: Path, runner: str) -> None:
    """Missing methods and declined cases are counted as not claimed."""
    run = run_quick(runner, "test_which_file_counts or aggregate or pass_at_k", replays)

    assert run.returncode == pytest.ExitCode.OK, run.stdout
    assert re.search(r"read_reward +[\d,]+ +[\d,]+ +[\d,]+  agrees where claimed; [\d,]+ not claimed", run.stdout)
    assert re.search(r"^not claimed: aggregate, pass_at_k, ", run.stdout, re.MULTILINE)


def test_a_replay_asks_one_case(replays: Path, wrong_kind: str) -> None:
    """The command in a report asks the same case again, and passes once the runner is right."""
    named = re.search(r"replay +pytest (--pyargs parity --replay (\S+) --runner\s+\S+)", wrong_kind)
    assert named

    wrong = run_suite(*named[1].split(), cwd=replays)
    right = run_suite("--pyargs", "parity", "--replay", named[2], cwd=replays)

    assert wrong.returncode == pytest.ExitCode.TESTS_FAILED
    assert "ValueError instead of RewardFileNotFoundError" in wrong.stdout
    assert re.search(r"^not asked: aggregate, ", wrong.stdout, re.MULTILINE)
    assert "undecided" not in wrong.stdout
    assert right.returncode == pytest.ExitCode.OK
    assert re.search(r"read_reward +1 +1 +0  agrees", right.stdout)


def test_a_mistake_in_the_runner_is_reported_with_its_place(replays: Path, wrong_kind: str) -> None:
    """An error that Harbor never raises has a traceback, once; a replay shows any traceback on request."""
    (path,) = re.findall(r"replay +pytest --pyargs parity --replay (\S+) --runner\s+\S+WrongKind", wrong_kind)
    again = run_suite("--pyargs", "parity", "--replay", path, "--runner", f"{UNRULY}:WrongKind", "-vv", cwd=replays)
    report = run_quick("Misspells", "test_reward_txt or test_numbers", replays)

    assert report.stdout.count("return flaot(rewards)") == 1
    assert "NameError: name 'flaot' is not defined. Did you mean: 'float'?" in report.stdout
    assert "raised where an error above is" in report.stdout
    assert 'raise ValueError("no reward")' in again.stdout


@pytest.mark.parametrize("strict", ["ini", "python -W"])
def test_warnings_of_a_strict_project_change_no_answer(replays: Path, strict: str) -> None:
    """A project's filters of warnings do not change the runner's answers."""
    (replays / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n" if strict == "ini" else "[pytest]\n")
    options = ["-p", "no:cacheprovider", "--pyargs", "parity", "--profile", "quick", "--runner", f"{UNRULY}:Warns"]
    selected = [*options, "-k", "test_which_file_counts"]

    if strict == "ini":
        run = run_pytest(*selected, cwd=replays)
    else:  # also of what is imported
        command = [sys.executable, "-W", "error", "-m", "pytest", *selected]
        run = subprocess.run(command, capture_output=True, text=True, cwd=replays)

    assert run.returncode == pytest.ExitCode.OK, run.stdout
    assert "DeprecationWarning: old" in run.stdout


@pytest.mark.usefixtures("wrong_kind")
def test_a_replay_file_is_reported_from_an_edited_one(replays: Path) -> None:
    """An edited replay file is refused."""
    path = next((replays / ".parity").glob("*.json"))
    path.write_text(path.read_text().replace('"read_reward"', '"aggregate"'))

    run = run_suite("--pyargs", "parity", "--replay", str(path), cwd=replays)

    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert run.stderr.strip().endswith("the content does not match its sha256; run the suite to write the file again")


def test_other_projects_are_left_alone(replays: Path) -> None:
    """A run that does not collect the suite is not affected by the plugin."""
    (replays / "test_mine.py").write_text("def test_mine():\n    pass\n")

    run = run_suite(cwd=replays)

    assert run.returncode == pytest.ExitCode.OK
    assert "parity reference" not in run.stdout
    assert "against harbor" not in run.stdout


def test_a_project_around_the_package_is_left_alone(replays: Path) -> None:
    """A project with its environment in its folder does not run the suite with its tests."""
    shutil.copytree(ROOT / "parity", replays / ".venv" / "parity", ignore=shutil.ignore_patterns("__pycache__"))
    (replays / "test_mine.py").write_text("def test_mine():\n    pass\n")
    program = "import sys; sys.path.insert(0, '.venv'); import pytest; sys.exit(pytest.main(sys.argv[1:]))"

    run = subprocess.run(
        [sys.executable, "-c", program, "-p", "no:cacheprovider"], capture_output=True, text=True, cwd=replays
    )

    assert run.returncode == pytest.ExitCode.OK
    assert "against harbor" not in run.stdout


def test_goldens_are_not_recorded_outside_a_checkout(replays: Path) -> None:
    """An installed copy refuses to record golden files."""
    copied = replays / "site" / "parity"
    shutil.copytree(ROOT / "parity", copied, ignore=shutil.ignore_patterns("*.pyc.*"))  # which are being written
    shutil.copytree(ROOT / "golden", copied / "golden")
    program = (
        f"import sys; sys.path.insert(0, {str(copied.parent)!r}); import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    )

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", program, "-p", "no:cacheprovider", "--pyargs", "parity", *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=replays)

    refused = run("--snapshot-update")
    compared = run("--profile", "quick", "-k", "golden and read_reward")

    assert refused.returncode == pytest.ExitCode.USAGE_ERROR
    assert "goldens are recorded in a checkout of harbor-parity" in refused.stderr
    assert compared.returncode == pytest.ExitCode.OK, compared.stdout + compared.stderr
    assert re.search(r"read_reward +0 +0 +[1-9]\d+  agrees", compared.stdout)
