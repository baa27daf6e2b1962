"""`parity init` writes working files into a project, and overwrites nothing."""

import os
import re
import subprocess
from importlib import import_module
from pathlib import Path

import pytest

from parity.command.init import LANGUAGES
from tests.running import PYTHON, run_parity, run_pytest

_ROOT = Path(__file__).parents[1]


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(_ROOT), "NO_COLOR": "1"}


def _init(folder: Path, *line: str) -> subprocess.CompletedProcess[str]:
    return run_parity("init", *line, cwd=folder, environment=_environment())


@pytest.mark.parametrize(
    "language",
    [
        "python",
        pytest.param("javascript", marks=pytest.mark.needs("node")),
        pytest.param("rust", marks=pytest.mark.needs("cargo")),
        pytest.param("go", marks=pytest.mark.needs("go")),
    ],
)
def test_what_is_written_runs(tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The suggested command checks the written runner, and the written test asks the suite."""
    folder = tmp_path / "a project"
    folder.mkdir()

    made = _init(folder, "--language", language)
    following = re.search(r"^next: (.*)$", made.stdout, re.MULTILINE)
    assert following is not None, made
    monkeypatch.setenv("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
    shell = following[1].replace("parity check-runner", f"{PYTHON} -m parity check-runner")
    checked = subprocess.run(
        shell,
        shell=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        capture_output=True,
        encoding="utf-8",
    )
    test = folder / "test_parity.py"
    # Generated cases of the sketch would take long to shrink.
    sooner = "reference='golden'" if language == "python" else "profile='quick'"
    test.write_text(test.read_text().replace("divergences=", f"operations=['aggregate'], {sooner}, divergences="))
    tested = run_pytest("-q", "-p", "no:cacheprovider", "test_parity.py", cwd=folder, environment=_environment())

    if language == "python":
        assert checked.returncode == 1, checked
        assert re.search(r"\n +withholds: aggregate/several-keys: ", checked.stdout)
        assert tested.returncode == 1, tested
        assert "AssertionError: not scored as Harbor does:" in tested.stdout
        assert "DIVERGENCE in aggregate (" in tested.stdout
    else:
        assert checked.stdout.splitlines()[-1].startswith("ready: pytest --pyargs parity --runner-cmd "), checked
        assert tested.returncode == 0, tested


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("is_package", [False, True])
def test_the_workflow(tmp_path: Path, language: str, *, is_package: bool) -> None:
    """The workflow uses inputs and files that exist, and installs the project if the runner needs it."""
    yaml = import_module("yaml")
    if is_package:
        (tmp_path / "pyproject.toml").touch()
    _init(tmp_path, "--language", language)
    inputs = yaml.safe_load((_ROOT / ".github/actions/parity/action.yml").read_text())["inputs"]

    (job,) = yaml.safe_load((tmp_path / ".github/workflows/parity.yml").read_text())["jobs"].values()

    given = job["steps"][-1]["with"]
    assert job["steps"][-1]["uses"] == "OWNER/harbor-parity/.github/actions/parity@TAG"
    assert given.keys() <= inputs.keys()
    assert (tmp_path / given["divergences"]).is_file()
    installs = [step["run"] for step in job["steps"] if step.get("run") == "pip install ."]
    assert len(installs) == (is_package and language == "python")


@pytest.mark.parametrize("name", ["test_parity.py", ".github/workflows/parity.yml"])
def test_nothing_is_overwritten(tmp_path: Path, name: str) -> None:
    """If one of the files exists, a line says so, and none is written."""
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine")

    made = _init(tmp_path)

    line = f"parity init: {name}: is there already, so nothing is written; move it away, or name another folder\n"
    assert (made.returncode, made.stdout, made.stderr) == (3, "", line)
    assert [each.relative_to(tmp_path) for each in tmp_path.rglob("*") if each.is_file()] == [Path(name)]
    assert (tmp_path / name).read_text() == "mine"


def test_another_folder(tmp_path: Path) -> None:
    """The files can be written into another folder; a missing one is a fault."""
    (tmp_path / "b c").mkdir()

    made, missed = _init(tmp_path, "b c"), _init(tmp_path, "nowhere")

    assert "\nnext: cd 'b c' && parity check-runner parity_runner:Runner\n" in made.stdout
    assert (tmp_path / "b c/test_parity.py").is_file()
    assert missed.returncode == 3
    assert missed.stderr == "parity init: nowhere: no such folder; make it, or name the folder of a project\n"
