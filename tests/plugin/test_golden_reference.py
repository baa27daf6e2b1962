"""Tests that `--reference golden` and quick runs use recorded answers, the former even without Harbor."""

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from parity.operations import goldens
from parity.operations.aggregate import AGGREGATE
from parity.operations.aggregate.case import AggregateCase
from parity.operations.answers import Value
from parity.operations.goldens import GoldenError, read_vectors
from parity.operations.series import running_series
from parity.reference import identity, releases
from parity.reference.releases import is_as_recorded
from parity.runners import CleanRoom, Runner
from parity.runners.asking import Clock
from parity.scorer import Rewards
from parity.suite.checker import Checker
from parity.suite.golden_vectors import check_vectors
from parity.suite.replay import write_replay
from tests.faulty.aggregate.sums import AddsOneByOne
from tests.plugin.sites import run_in_site, site_without
from tests.running import Run

_VECTORS = len(read_vectors(AGGREGATE.name))
_GOLDEN = ("--pyargs", "parity", "--reference", "golden")


def test_vectors_are_compared_without_harbor(tmp_path: Path) -> None:
    """Without Harbor, vectors of the runner's operations are compared, and the summary says that nothing else is."""
    (tmp_path / "mine.py").write_text(
        "from parity.runners import CleanRoom\n"
        "class Mine:\n"
        "    name = 'mine'\n"
        "    aggregate = CleanRoom().aggregate\n"
        "    reason_code = CleanRoom().reason_code\n"
    )

    site = site_without(tmp_path / "site", "harbor", "syrupy")

    ran = run_in_site(site, *_GOLDEN, "--runner", "mine:Mine", cwd=tmp_path)

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (
        "parity reference: golden vectors recorded from harbor 0.13.1 (wheel 61f157d4ba18db6d), which is not asked"
        in (ran.stdout)
    )
    assert "parity: mine against the golden vectors of harbor 0.13.1" in ran.stdout
    assert f"aggregate             0            0      {_VECTORS}  agrees on vectors\n" in ran.stdout
    codes = len(read_vectors("reason_code"))
    next_command = f"{releases.install_command()} && pytest --pyargs parity --runner mine:Mine"
    decide = "the wheel and generated cases decide"
    assert f"right answers: aggregate {_VECTORS} of {_VECTORS}, reason_code {codes} of {codes}\n" in ran.stdout
    assert f"agrees with {_VECTORS + codes} recorded answers; {decide}: {next_command}\n" in ran.stdout
    assert "conforms" not in ran.stdout
    assert "3 passed, 9 skipped" in ran.stdout.splitlines()[-1]


def test_wrong_runner_fails_with_its_broken_rule(run: Run) -> None:
    """A wrong runner fails, and the broken rule is named, with a command that runs its vector again."""
    ran = run(*_GOLDEN, "--runner", "tests.faulty.aggregate.sums:AddsOneByOne", "-k", "aggregate")

    assert ran.returncode == pytest.ExitCode.TESTS_FAILED
    assert "DIVERGENCE in aggregate (pays out): summation/compensated" in ran.stdout
    assert f"aggregate             0            0      {_VECTORS}  diverges:" in ran.stdout
    assert re.search(rf"right answers: aggregate \d+ of {_VECTORS}\n", ran.stdout)
    first = re.search(r"^DIVERGENCE in aggregate \(.*?\): ([a-z/-]+): ", ran.stdout, re.MULTILINE)
    assert first
    assert re.search(rf"to read: \S*golden/SPEC.md#{first[1]}; \d rules broken in all\n", ran.stdout)
    command = re.search(r"^  replay +pytest (.*)$", ran.stdout, re.MULTILINE)
    assert command
    again = run(*shlex.split(command[1]))
    assert re.search(rf"^DIVERGENCE in aggregate \(.*?\): {first[1]}: ", again.stdout, re.MULTILINE)


def test_replay_of_a_case_that_is_not_a_golden_vector_is_refused(run: Run, tmp_path: Path) -> None:
    """A case that is not a golden vector has no recorded answer, so that its replay is refused."""
    case = AGGREGATE.encode(AggregateCase("mean", ({"not": 1}, {"recorded": 2})))
    path = write_replay("aggregate", case, Value({}), tmp_path)

    ran = run(*_GOLDEN, "--replay", str(path))

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "its case is not a golden vector, so harbor must answer it: leave out --reference golden" in ran.stderr


class _Asked(CleanRoom):
    """A reference that counts its calls, and may add a number to each answer."""

    def __init__(self, moved: float = 0) -> None:
        super().__init__()
        self.times, self._moved = 0, moved

    def aggregate(self, metric: str, rewards: Any) -> Rewards:
        self.times += 1
        return {key: value + self._moved for key, value in super().aggregate(metric, rewards).items()}


def _checked(reference: _Asked, runner: Runner | CleanRoom, *, verifies: bool = False) -> str:
    """Return the findings of a run, by default of a quick run."""
    checker = Checker(reference, runner, Clock(600), verifies_goldens=verifies)
    with checker.clock.installed():
        try:
            document = check_vectors(AGGREGATE, checker, running_series())
        except ExceptionGroup as group:
            return "\n".join(map(str, group.exceptions))
    assert document["vectors"] == [vector.to_entry() for vector in read_vectors(AGGREGATE.name)]
    return ""


def test_quick_run_does_not_call_the_reference_about_right_answers() -> None:
    """A quick run does not call the reference if the runner's answers are the recorded ones."""
    reference = _Asked(moved=1)

    assert _checked(reference, CleanRoom()) == ""
    assert reference.times == 0


def test_quick_run_calls_the_reference_about_wrong_answers() -> None:
    """A quick run calls the reference about wrong answers, so that the runner is not blamed for a changed reference."""
    reference, moved = _Asked(), _Asked(moved=1)

    blamed, excused = _checked(reference, AddsOneByOne()), _checked(moved, AddsOneByOne())

    assert "summation/" in blamed
    assert "THE REFERENCE MOVED" not in blamed
    assert 0 < reference.times < _VECTORS
    assert "THE REFERENCE MOVED" in excused
    assert f"Compare the environment with {releases.ENVIRONMENT_FILE}." in excused


def test_finding_about_a_moved_reference_says_what_the_runner_agrees_with() -> None:
    """If the reference no longer gives the recorded answer, the finding says which one the runner gives."""
    excused = _checked(_Asked(moved=1), CleanRoom(), verifies=True)

    assert "THE REFERENCE MOVED in aggregate" in excused
    assert "one-int/min: recorded {'min': 1}, now {'min': 2}; the runner agrees with golden" in excused


def test_finding_about_an_edited_answer_names_git_diff_first() -> None:
    """If wheel and runner agree against a recorded answer, the finding names `git diff golden` before the environment.

    A runner that agrees with the recorded answer, or with neither, leaves the environment as the explanation.
    """
    edited = _checked(_Asked(moved=1), _Asked(moved=1), verifies=True)
    moved = _checked(_Asked(moved=1), CleanRoom(), verifies=True)

    assert "THE REFERENCE MOVED in aggregate" in edited
    assert 0 < edited.index("git diff golden") < edited.index(str(releases.ENVIRONMENT_FILE))
    assert "git diff golden" not in moved


_RECORDED = "vectors: compared with their recorded answers; {} asks harbor for each again"


def test_pinned_environment_uses_the_recorded_answers(run: Run) -> None:
    """In the environment of the recording, recorded answers are used, and a line has the command that verifies them."""
    runner = ("--runner", "parity.runners:CleanRoom")
    line = _RECORDED.format(f"pytest --pyargs parity -k golden {shlex.join(runner)}")

    whole = run("--pyargs", "parity.operations.pass_at_k", *runner)
    about_vectors = run("--pyargs", "parity.operations.pass_at_k", "-k", "golden", *runner)

    assert (whole.returncode, line in whole.stdout) == (0, is_as_recorded())
    assert (about_vectors.returncode, _RECORDED.partition("{")[0] in about_vectors.stdout) == (0, False)


@pytest.mark.parametrize("package", ["pydantic", "dirhash"])
def test_changed_package_makes_another_environment(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed version of any pinned package makes another environment; missing packages do not."""
    pins = {"dirhash": "0.5.0", "harbor": "0.13.1", "pydantic": "2.14.3", "not-a-package": "1"}
    monkeypatch.setattr(releases, "pinned_versions", lambda: pins)
    same = is_as_recorded()
    monkeypatch.setitem(pins, package, "0")

    other = is_as_recorded()

    assert same == (
        sys.platform == "linux" and f"{sys.version_info.major}.{sys.version_info.minor}" in ("3.12", "3.14")
    )
    assert not other


def test_manifest_without_a_reference_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A manifest that does not name the recorded reference is refused with an error."""
    (tmp_path / "manifest.json").write_text('{"format": 2, "series": {}, "counts": {}, "questions": {}}')
    for module in (goldens, identity):
        monkeypatch.setattr(module, "golden_directory", lambda: tmp_path)

    with pytest.raises(GoldenError, match=r"manifest\.json: lacks the recorded releases; restore golden/$"):
        identity.recorded_identity()
