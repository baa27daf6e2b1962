"""Runs of the suite from outside: verdicts on unruly runners, options, replay, xdist, an installed copy."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parity.report.reading import read_report
from tests.forked_suite import run_pytest
from tests.readme.places import place
from tests.report.reasons import complaints

_UNRULY = "tests.faulty.unruly"
_FIRST_GOLDENS = "(golden and (read_reward or aggregate or pass_at_k))"
_ROOT = Path(__file__).resolve().parent.parent


def _run(*arguments: str, cwd: Path = _ROOT, timeout: float = 1200) -> subprocess.CompletedProcess[str]:
    return run_pytest("-p", "no:cacheprovider", *arguments, cwd=cwd, timeout=timeout)


@pytest.fixture
def replays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to run in, with the checkout's tests importable."""
    monkeypatch.setenv("PYTHONPATH", str(_ROOT))
    return tmp_path


def _quick(runner: str, selected: str, cwd: Path, *more: str) -> subprocess.CompletedProcess[str]:
    spec = f"{_UNRULY}:{runner}"
    return _run("--pyargs", "parity", "--profile", "quick", "--runner", spec, "-k", selected, *more, cwd=cwd)


def test_one_ulp_in_one_of_a_hundred(replays: Path) -> None:
    """A fault that comes and goes is found, reported with its distance, and marked as not repeatable."""
    run = _quick("OneUlpInAHundred", "test_numbers", replays, "-v")

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "1 ULP apart" in run.stdout
    assert "asked the same again, the runner answered differently" in run.stdout
    assert "Flaky" not in run.stdout


def test_a_hang_costs_one_case(replays: Path) -> None:
    """The case that hangs is reported, shrinking does not repeat the hang, and the other tests go on."""
    run = _quick("Hangs", "test_reward_txt or pass_at_k", replays, "--case-timeout", "1")

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "crashed: it gave no answer within 1 s" in run.stdout
    assert re.search(r"pass_at_k +\d+ +\d+ +\d+ +agrees", run.stdout)


def test_a_stubborn_hang_is_stopped_too(replays: Path) -> None:
    """The alarm rings until the runner gives in."""
    run = _quick("HangsStubbornly", "test_attempts", replays, "--case-timeout", "0.5")

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "crashed: it gave no answer within 0.5 s" in run.stdout


def test_leaving_the_process_is_a_crash(replays: Path) -> None:
    """SystemExit ends the case, not the run."""
    run = _quick("Exits", "pass_at_k", replays)

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "crashed: it tried to end the process: SystemExit(3)" in run.stdout


def test_a_littering_runner_harms_nobody(replays: Path) -> None:
    """What a runner does to its arguments or to its folder is reported, and does not reach the next case."""
    run = _quick("Litters", f"{_FIRST_GOLDENS} or test_keys", replays)

    broken = re.findall(r"^DIVERGENCE in .*?\): (\S+):", run.stdout, re.MULTILINE)
    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert broken == ["read-reward/leaves-its-input-alone", "aggregate/leaves-its-input-alone"]


@pytest.mark.parametrize("runner", ["ReturnsAnything", "RaisesBadMessages"])
def test_any_answer_gets_a_verdict(replays: Path, runner: str) -> None:
    """Objects that cannot be compared, printed or written down are divergences like others."""
    run = _quick(runner, "test_attempts or test_keys", replays)

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "DIVERGENCE in pass_at_k" in run.stdout
    assert "INTERNALERROR" not in run.stdout + run.stderr


def test_what_is_no_exception_is_a_crash(replays: Path) -> None:
    """Cancellation and pytest's own outcomes cost their case, and the summary does not call the rest agreement."""
    run = _quick("Cancels", "test_attempts", replays)

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "which is not an Exception" in run.stdout
    assert re.search(r"pass_at_k .* diverges", run.stdout)


def test_a_failure_of_the_harness_is_no_agreement(replays: Path) -> None:
    """Where a test failed without a divergence, the verdict is open."""
    (replays / "broken_flags.py").write_text(
        "from parity.operations import PASS_AT_K\nobject.__setattr__(PASS_AT_K, 'flags', lambda case: 1 / 0)\n"
    )
    run = _run("--pyargs", "parity", "--profile", "quick", "-k", "test_attempts", "-p", "broken_flags", cwd=replays)

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "undecided: 1 test(s) failed" in run.stdout
    assert "ZeroDivisionError" in run.stdout


def test_a_moved_reference_is_not_the_runners_fault(replays: Path) -> None:
    """Where golden and wheel differ, the report says which of them the runner gives."""
    (replays / "moved.py").write_text(
        "import parity.operations.goldens as goldens\n"
        "read = goldens.read_entries\n"
        "def moved(operation):\n"
        "    entries = read(operation)\n"
        "    for name in ('summation/compensated/ten-tenths/mean', 'summation/compensated/sevens/mean'):\n"
        "        if name in entries:\n"
        "            entries[name]['answer'] = {'value': {'mean': {'f64': '3fd0000000000000'}}}\n"
        "    return entries\n"
        "goldens.read_entries = moved\n"
    )
    run = _quick("Newer", "test_golden and aggregate", replays, "-p", "moved", "--profile", "default")

    assert "THE REFERENCE MOVED in aggregate" in run.stdout
    assert "ten-tenths/mean: recorded {'mean': 0.25}, now {'mean': 0.1}; the runner agrees with golden" in run.stdout
    assert "sevens/mean: recorded {'mean': 0.25}, now {'mean': 0.7}; the runner agrees with the wheel" in run.stdout
    assert "ten-tenths/sum" in run.stdout


def test_a_report_without_a_place_for_replays(replays: Path) -> None:
    """A divergence is reported also where no file can be written."""
    (replays / ".parity").touch()

    run = _quick("WrongKind", "test_which_file_counts", replays)

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert re.search(r"replay +none: .*\.parity cannot be written: File exists", run.stdout)


def test_last_failed_is_no_complete_run(replays: Path) -> None:
    """Flags are missed only where every test that draws cases has run."""
    spec = f"{_UNRULY}:Exits"
    selected = ("--pyargs", "parity", "-k", "test_attempts", "--profile", "quick")
    run_pytest(*selected, "--runner", spec, cwd=replays)

    again = run_pytest("--pyargs", "parity", "--lf", cwd=replays)

    assert again.returncode == pytest.ExitCode.OK, again.stdout
    assert "no case carried" not in again.stdout


def test_xdist_is_not_needed(replays: Path) -> None:
    """The kit's own dependencies do not include it."""
    run = _run("--pyargs", "parity", "--profile", "quick", "-k", "test_keys", "-p", "no:xdist", cwd=replays)

    assert run.returncode == pytest.ExitCode.OK, run.stdout + run.stderr


def test_the_wrong_kind_of_error(replays: Path) -> None:
    """The kinds are reported side by side."""
    run = _quick("WrongKind", "read_reward and not golden", replays)

    shown = run.stdout.partition("DIVERGENCE in read_reward (form): reward-file/missing: ")[2]
    assert re.search(r"^  harbor +raises RewardFileNotFoundError.*\n  \S+ +raises ValueError: ", shown, re.MULTILINE)
    assert "\n1 rule differs in form only; in " in shown


@pytest.mark.parametrize("runner", ["Partial", "make_partial", "ready_made"])
def test_what_is_not_claimed_is_not_passed(replays: Path, runner: str) -> None:
    """Absent methods and declined cases are counted, and the summary says so."""
    run = _quick(runner, "test_which_file_counts or aggregate or pass_at_k", replays)

    assert run.returncode == pytest.ExitCode.OK, run.stdout
    assert re.search(r"read_reward +[\d,]+ +[\d,]+ +[\d,]+  agrees where claimed; [\d,]+ not claimed", run.stdout)
    assert re.search(r"^not claimed: aggregate, pass_at_k, ", run.stdout, re.MULTILINE)


def test_a_replay_asks_one_case(replays: Path) -> None:
    """The command that a report names asks the same case, and passes once the runner is right."""
    report = _quick("WrongKind", "test_which_file_counts", replays).stdout
    named = re.search(r"replay +pytest (--pyargs parity --replay (\S+) --runner\s+\S+)", report)
    assert named

    wrong = _run(*named[1].split(), cwd=replays)
    right = _run("--pyargs", "parity", "--replay", named[2], cwd=replays)

    assert wrong.returncode == pytest.ExitCode.TESTS_FAILED
    assert "ValueError instead of RewardFileNotFoundError" in wrong.stdout
    assert re.search(r"^not asked: aggregate, ", wrong.stdout, re.MULTILINE)
    assert "undecided" not in wrong.stdout
    assert right.returncode == pytest.ExitCode.OK
    assert re.search(r"read_reward +1 +1 +0  agrees", right.stdout)


def test_a_mistake_in_the_runner_is_reported_with_its_place(replays: Path) -> None:
    """An error that Harbor never raises has a traceback, once; a replay shows that of any error where asked to."""
    report = _quick("Misspells", "test_reward_txt or test_numeric_strings", replays)
    known = _quick("WrongKind", "test_which_file_counts", replays)
    (path,) = re.findall(r"replay +pytest --pyargs parity --replay (\S+) --runner\s+\S+WrongKind", known.stdout)
    again = _run("--pyargs", "parity", "--replay", path, "--runner", f"{_UNRULY}:WrongKind", "-vv", cwd=replays)

    assert report.stdout.count("return flaot(rewards)") == 1
    assert "NameError: name 'flaot' is not defined. Did you mean: 'float'?" in report.stdout
    assert "raised where an error above is" in report.stdout
    assert 'raise ValueError("no reward")' in again.stdout


@pytest.mark.parametrize("strict", ["ini", "python -W"])
def test_warnings_of_a_strict_project_change_no_answer(replays: Path, strict: str) -> None:
    """Whatever another project, or the command line, makes errors of."""
    (replays / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n" if strict == "ini" else "[pytest]\n")
    before = ["-W", "error"] if strict == "python -W" else []
    command = ["-m", "pytest", "-p", "no:cacheprovider", "--pyargs", "parity", "--profile", "quick"]
    selected = ["--runner", f"{_UNRULY}:Warns", "-k", "test_which_file_counts"]

    run = subprocess.run([sys.executable, *before, *command, *selected], capture_output=True, text=True, cwd=replays)

    assert run.returncode == pytest.ExitCode.OK, run.stdout
    assert "DeprecationWarning: old" in run.stdout


@pytest.mark.parametrize("option", ["--report=report.html", "--write-divergences=declared.toml"])
def test_what_is_only_collected_has_no_verdict(replays: Path, option: str) -> None:
    """`--co` lists the tests, says of nothing that it was not asked, and writes nothing."""
    run = _run("--pyargs", "parity", "--co", "-q", "-k", "aggregate", option, cwd=replays)

    assert run.returncode == pytest.ExitCode.OK, run.stdout
    assert "test_aggregate.py::test_golden" in run.stdout
    assert "verdict" not in run.stdout
    assert "not asked" not in run.stdout
    assert list(replays.iterdir()) == []


def test_a_replay_file_is_reported_from_an_edited_one(replays: Path) -> None:
    """The content hash sees any change."""
    _quick("WrongKind", "test_which_file_counts", replays)
    path = next((replays / ".parity").glob("*.json"))
    path.write_text(path.read_text().replace('"read_reward"', '"aggregate"'))

    run = _run("--pyargs", "parity", "--replay", str(path), cwd=replays)

    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert run.stderr.strip().endswith("its content does not have the hash that it names; was it edited?")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--runner", "nowhere"], "--runner takes clean-room or package.module:name, not 'nowhere'"),
        (["--runner", "no.such:Runner"], "--runner no.such:Runner: ModuleNotFoundError: No module named 'no'"),
        (["--runner", f"{_UNRULY}:Missing"], f"module '{_UNRULY}' has no attribute 'Missing'"),
        (["--runner", f"{_UNRULY}:broken_maker"], "RuntimeError: the maker is broken"),
        (["--runner", f"{_UNRULY}:not_a_runner"], "a runner has a name, and int has none"),
        (["--runner", f"{_UNRULY}:Unsupported"], "a runner has a name, and Unsupported has none"),
        (["--runner", f"{_UNRULY}:ShadyName"], f"--runner {_UNRULY}:ShadyName: RuntimeError: no name"),
        (["--replay", "x.json", "--generate-only"], "--replay asks and --generate-only does not"),
        (["--divergences", "x.toml", "--generate-only"], "--divergences asks and --generate-only does not"),
        (["--replay", "nothing.json"], "nothing.json: No such file or directory"),
        (["--seed", "one"], "'one' is not a whole number of 0 or more"),
        (["--profile", "slow"], "invalid choice: 'slow'"),
        (["--case-timeout", "1e6"], "'1e6' is too long; give less than 1,000,000 seconds"),
        (["--case-timeout", "0"], "'0' is not a number of seconds above 0"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_mistakes_on_the_command_line(replays: Path, arguments: list[str], message: str) -> None:
    """One clear line and pytest's exit code for wrong usage; never a traceback."""
    run = _run("--pyargs", "parity", *arguments, cwd=replays)

    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert message in run.stderr
    assert "Traceback" not in run.stdout + run.stderr


def test_a_damaged_replay_file(replays: Path) -> None:
    """Whatever is in the file, the message says what is wrong with it."""
    for content, message in {
        "{": "not JSON",
        "[]": "not a replay file",
        '{"format": 1}': "does not have the hash",
        '{"format": 1, "x": 1e999}': "not JSON",
    }.items():
        (replays / "bad.json").write_text(content)

        run = _run("--pyargs", "parity", "--replay", "bad.json", cwd=replays)

        assert run.returncode == pytest.ExitCode.USAGE_ERROR
        assert f"bad.json: {message}" in run.stderr.replace("its content ", "")


def test_workers_add_up(replays: Path) -> None:
    """pytest-xdist draws the same cases, and the summary counts all of them once."""
    some = f"{_FIRST_GOLDENS} or test_keys or test_attempts or test_reward_txt"
    selected = ("--pyargs", "parity", "--profile", "quick", "-k", some)
    alone = _run(*selected, cwd=replays)
    spread = _run(*selected, "-n", "2", cwd=replays)

    def table(run: subprocess.CompletedProcess[str]) -> list[str]:
        return re.findall(r"^(?:read_reward|aggregate|pass_at_k).*$", run.stdout, re.MULTILINE)

    assert alone.returncode == spread.returncode == pytest.ExitCode.OK
    assert table(alone) == table(spread)
    assert len(table(alone)) == 6


def test_the_same_seed_draws_the_same(replays: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash seed, working directory and the runner's own code do not matter; the seed does."""
    (replays / "mine.py").write_text(
        "from parity.runners import CleanRoom\nclass Mine(CleanRoom):\n    name = 'mine'\n"
        + "".join(f"    n{number} = {number}.5 + {number}\n" for number in range(1000, 1300))
    )
    selected = ("--pyargs", "parity", "--profile", "quick", "-v", "-k", "test_keys or test_reward_txt")

    def flags(hash_seed: str, *options: str, cwd: Path = replays) -> list[str]:
        monkeypatch.setenv("PYTHONHASHSEED", hash_seed)  # an interpreter reads it when it starts
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *selected, *options]
        printed = subprocess.run(command, capture_output=True, text=True, cwd=cwd).stdout
        return re.findall(r"^  \S+ +[\d,]+  .*$", printed, re.MULTILINE)

    drawn = flags("0", "--seed", "7")
    assert len(drawn) > 70
    assert drawn == flags("1", "--seed", "7", cwd=_ROOT)
    assert drawn == flags("1", "--seed", "7", "--runner", "mine:Mine")
    assert drawn != flags("0", "--seed", "8")


def test_the_default_profile(replays: Path) -> None:
    """The main job prints the summary that READMEs show; a corner that no case reaches fails a complete run.

    And what it does not reach of the wheel is left for a reason.
    """
    (replays / "more_flags.py").write_text(
        "from parity.operations.rules import FLAGS\n"
        "FLAGS['aggregate']['unheard-of'] = 'a flag that no case can carry'\n"
    )
    all_lines = place("parity/report/README.md", "summary").shown.splitlines()[1:-1]
    verdicts = place("README.md", "summary", "verdicts").shown.splitlines()[1:-1]

    run = _run("--pyargs", "parity", "-p", "more_flags", "-n", "2", "--report", "report.json", cwd=replays)

    printed = run.stdout.replace("aggregate: 28 of 29 flags", "aggregate: 28 of 28 flags").splitlines()
    assert [line for line in [*all_lines, *verdicts] if line not in printed] == []
    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "aggregate: no case carried unheard-of" in run.stdout
    assert "failed" not in run.stdout
    assert list(complaints(read_report(replays / "report.json"))) == []


def test_generate_only_asks_nobody(replays: Path) -> None:
    """The floor under the suite's speed: the same cases, and no question."""
    run = _run(
        "--pyargs", "parity", "--profile", "quick", "--generate-only", "-k", "aggregate and not golden", cwd=replays
    )

    assert run.returncode == pytest.ExitCode.OK
    assert re.search(r"aggregate +224 +0 +0  not asked", run.stdout)


def test_other_projects_are_left_alone(replays: Path) -> None:
    """A run that does not collect the suite sees nothing of the plugin but its options."""
    (replays / "test_mine.py").write_text("def test_mine():\n    pass\n")

    run = _run(cwd=replays)

    assert run.returncode == pytest.ExitCode.OK
    assert "parity reference" not in run.stdout
    assert "against harbor" not in run.stdout


def test_a_project_around_the_package_is_left_alone(replays: Path) -> None:
    """A project that has its environment in a folder of its own does not run the suite by running its tests."""
    shutil.copytree(_ROOT / "parity", replays / ".venv" / "parity", ignore=shutil.ignore_patterns("__pycache__"))
    (replays / "test_mine.py").write_text("def test_mine():\n    pass\n")
    program = "import sys; sys.path.insert(0, '.venv'); import pytest; sys.exit(pytest.main(sys.argv[1:]))"

    run = subprocess.run(
        [sys.executable, "-c", program, "-p", "no:cacheprovider"], capture_output=True, text=True, cwd=replays
    )

    assert run.returncode == pytest.ExitCode.OK
    assert "against harbor" not in run.stdout


def test_goldens_are_not_recorded_outside_a_checkout(replays: Path) -> None:
    """An installed copy refuses to overwrite what it was shipped with."""
    copied = replays / "site" / "parity"
    shutil.copytree(_ROOT / "parity", copied, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(_ROOT / "golden", copied / "golden")
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
