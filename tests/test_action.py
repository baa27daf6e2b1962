"""Tests for the GitHub Action: its steps run in another project's directory, as on GitHub."""

import os
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.running import PYTHON, run_pytest

_ROOT = Path(__file__).parents[1]
_ACTION = _ROOT / ".github/actions/parity"
_MINE = """
class Mine:
    name = "mine"
    def reason_code(self, text):
        return None
"""


@dataclass(frozen=True)
class Done:
    """The results of an action that a workflow can see."""

    code: int
    printed: str
    outputs: dict[str, str]
    summary: str


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project's directory with a runner that returns no reason codes."""
    directory = tmp_path / "project"
    directory.mkdir()
    (directory / "mine.py").write_text(_MINE)
    return directory


def _action() -> dict[str, Any]:
    action: dict[str, Any] = import_module("yaml").safe_load((_ACTION / "action.yml").read_text())
    return action


def _run(project: Path, **options: str) -> Done:
    """Run the commands in the action's file with these inputs."""
    action = _action()
    inputs = {name: each["default"] for name, each in action["inputs"].items()} | {"python": sys.executable} | options
    temporary = project.parent / "runner"
    temporary.mkdir(exist_ok=True)
    files = {name: temporary / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for path in files.values():
        path.unlink(missing_ok=True)  # each step has files of its own
    contexts = {f"inputs.{name}": value for name, value in inputs.items()}
    contexts |= {"github.job": "check", "strategy.job-index": "3"}
    (step,) = [each for each in action["runs"]["steps"] if "run" in each]
    variables = {
        name: re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda match: contexts[match[1]], value)
        for name, value in step["env"].items()
    }
    ambient = {"GITHUB_ACTION_PATH": _ACTION, "RUNNER_TEMP": temporary, "PYTHONPATH": _ROOT, **files}
    run = subprocess.run(
        [step["shell"], "-e", "-c", step["run"]],
        cwd=project,
        env={**os.environ, **variables, **{name: str(value) for name, value in ambient.items()}},
        capture_output=True,
        text=True,
    )
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    return Done(
        run.returncode, run.stdout + run.stderr, outputs, files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
    )


@pytest.mark.needs("awk")
def test_diverging_runner_fails_the_step(project: Path) -> None:
    """If the runner diverges, the step fails, the outputs and the summary show it, and all results are kept."""
    done = _run(project, runner="mine:Mine", operations="reason_code", profile="quick")

    assert done.code == 1, done.printed
    results = Path(done.outputs.pop("results"))
    assert done.outputs.pop("artifact") == results.name == "harbor-parity-mine-Mine-check-3"
    assert done.outputs == {"verdict": "diverges", "agreeing": "0", "diverging": "1", "declared": "0", "conforms": ""}
    head, _, row, *_ = done.summary.splitlines()
    assert head == "| runner | reference | verdict | conforms to | asked | kit |"
    assert row.startswith(
        r"| mine | harbor 0.13.1 | diverges: no answer of the right shape to reason\_code | undecided: "
    )
    assert "```" not in done.summary
    assert {each.name for each in results.iterdir()} >= {"report.json", "page.html", "junit.xml", "output.txt"}


@pytest.mark.needs("awk")
def test_agreeing_program_passes_without_harbor(project: Path) -> None:
    """A program can be tested instead of a Python runner, and without Harbor."""
    command = f"{PYTHON} -m parity serve clean-room"
    done = _run(project, command=command, operations="pass_at_k reason_code", reference="golden")

    assert done.code == 0, done.printed
    assert Path(done.outputs.pop("results"), "page.html").is_file()
    assert re.fullmatch(r"harbor-parity-[\w.-]+-check-3", done.outputs.pop("artifact"))
    assert done.outputs == {"verdict": "agrees", "agreeing": "2", "diverging": "0", "declared": "0", "conforms": ""}
    assert re.search(r"^\| clean-room \|.*\| agrees with [\d,]+ recorded answers \|", done.summary, re.MULTILINE)


def test_missing_runner_fails_the_step(project: Path) -> None:
    """The step fails if the workflow passes neither a runner nor a command."""
    done = _run(project, operations="pass_at_k")

    message = "harbor-parity: nothing is tested; give the input runner or command"
    assert (done.code, done.printed, done.summary) == (4, f"::error::{message}\n", f"{message}\n")
    assert done.outputs.pop("results")
    assert done.outputs.pop("artifact") == "harbor-parity-check-3"
    assert done.outputs == {"verdict": "failed", "agreeing": "0", "diverging": "0", "declared": "0"}


_TWO = """
class Right:
    name = "right"
    def reason_code(self, text):
        from parity.runners import CleanRoom
        return CleanRoom().reason_code(text)

class Wrong:
    name = "wrong"
    def reason_code(self, text):
        return "timeout"
"""


_XFAIL = """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.xfail)
"""


def test_action_can_be_used_twice_in_a_job(project: Path) -> None:
    """Two steps of one job have verdicts, summaries and artifacts of their own, whatever a conftest marks."""
    (project / "two.py").write_text(_TWO)
    (project / "conftest.py").write_text(_XFAIL)
    options = {"operations": "reason_code", "reference": "golden"}

    steps = [_run(project, runner=f"two:{name}", **options) for name in ("Right", "Wrong", "Right")]
    named = _run(project, runner="two:Right", artifact="a/b:c", **options)

    assert [(step.code, step.outputs["verdict"]) for step in [*steps, named]] == [
        (0, "agrees"), (1, "diverges"), (0, "agrees"), (0, "agrees"),
    ]  # fmt: skip
    assert [step.outputs["artifact"] for step in [*steps, named]] == [
        "harbor-parity-two-Right-check-3",
        "harbor-parity-two-Wrong-check-3",
        "harbor-parity-two-Right-check-3-2",
        "a-b-c",
    ]
    assert [Path(step.outputs["results"]).name for step in steps] == [step.outputs["artifact"] for step in steps]
    assert ["| right |" in step.summary for step in steps] == [True, False, True]


def test_artifact_has_the_name_of_the_output() -> None:
    """The upload takes its name and its files from the outputs of the step that runs the suite."""
    (upload,) = [each for each in _action()["runs"]["steps"] if "upload-artifact" in each.get("uses", "")]

    assert upload["with"] == {
        "name": "${{ steps.suite.outputs.artifact }}", "path": "${{ steps.suite.outputs.results }}",
    }  # fmt: skip


def test_step_passes_if_the_divergence_is_declared(project: Path) -> None:
    """If the runner diverges as declared, the step passes without an annotation."""
    suite = ("--pyargs", "parity", "-k", "reason_code", "--runner", "mine:Mine")
    run_pytest(*suite, "--write-divergences", "declared.toml", cwd=project)
    drafted = project / "declared.toml"
    drafted.write_text(drafted.read_text().replace('reason = ""', 'reason = "one code is enough"'))

    done = _run(project, runner="mine:Mine", operations="reason_code", profile="quick", divergences="declared.toml")

    assert done.code == 0, done.printed
    assert done.outputs.pop("results")
    assert done.outputs.pop("artifact")
    assert done.outputs == {"verdict": "agrees", "agreeing": "0", "diverging": "0", "declared": "1", "conforms": ""}
    assert not re.search(r"^::", done.printed, re.MULTILINE)


def test_row_that_is_not_what_happens_is_an_annotation(project: Path) -> None:
    """A declared rule that no longer diverges becomes an annotation on its row."""
    declared = """
        [[divergence]]
        class = "to-fix"
        reason = "it was slow"
        [divergence.rules]
        "reason-code/no-text" = { invents-failure = ["null"] }
    """
    (project / "declared.toml").write_text(textwrap.dedent(declared).lstrip())

    done = _run(project, runner="mine:Mine", operations="reason_code", reference="golden", divergences="declared.toml")

    assert done.code == 1, done.printed
    line = "::error file=declared.toml,line=5,col=1::not as declared: reason-code/no-text"
    assert line in done.printed.splitlines()


def test_error_in_a_file_is_an_annotation(project: Path) -> None:
    """An error in a divergences file becomes an annotation on its line."""
    (project / "declared.toml").write_text('[[divergence]]\noperation = "pass_at_l"\n')

    done = _run(project, runner="mine:Mine", divergences="declared.toml")

    assert done.code == 4
    assert done.outputs["verdict"] == "failed"
    assert done.summary.startswith("```\n")
    assert re.search(r"^::error file=declared\.toml,line=1,col=1::the entry lacks ", done.printed, re.MULTILINE)


def test_file_that_is_not_toml_is_an_annotation(project: Path) -> None:
    """An error without a place in a divergences file becomes an annotation on the file."""
    (project / "declared.toml").write_text("reason: none\n")

    done = _run(project, runner="mine:Mine", divergences="declared.toml")

    assert done.code == 4
    assert "Traceback" not in done.printed
    assert re.search(r"^::error file=declared\.toml::not TOML: ", done.printed, re.MULTILINE)
