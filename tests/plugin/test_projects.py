"""Tests that the suite has the same table and exit code in any project as in an empty directory."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from parity.operations.goldens import golden_directory
from tests.filled_once import filled_once
from tests.running import ROOT, run_pytest

_RUNNER = """
class Mine:
    name = "mine"
    def reason_code(self, text):
        return "harbor_reward_parse_error"
"""
_HAND = ("--pyargs", "parity", "--reference", "golden", "--runner", "mine:Mine", "-k", "reason_code")
_SHOWN = re.compile(r"^(?:DIVERGENCE in .*|[a-z_]+(?: +[\d,]+){3}  .*|\d+ rules? .*; in .*)$", re.MULTILINE)
_FIXTURE = "import pytest\n@pytest.fixture(autouse=True)\ndef _theirs(request, monkeypatch, tmp_path):\n    "
_ITEMS = "import pytest\ndef pytest_collection_modifyitems(items):\n    "
_REPORT = (
    "import pytest\n@pytest.hookimpl(wrapper=True, tryfirst=True)\ndef pytest_runtest_makereport(item, call):\n    "
)
_OPTIONS = "".join(f"    parser.addoption('--{name}')\n" for name in ("runner", "seed", "reference", "replay"))
_RERUN = """
from _pytest.runner import runtestprotocol
def pytest_runtest_protocol(item, nextitem):
    for attempt in range(3):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        for report in reports:
            if attempt < 2 and report.failed:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
    return True
"""


@dataclass(frozen=True)
class Project:
    """A project: its files, how the suite is called in it, and the variables of that call."""

    files: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)


def _conftest(text: str) -> Project:
    return Project({"conftest.py": text})


def _ini(*lines: str, **files: str) -> Project:
    return Project({"pytest.ini": "\n".join(["[pytest]", *lines]), **files})


def _plugin(text: str) -> Project:
    return Project({"theirs.py": text}, ("-p", "theirs"))


_PROJECTS = {
    "conftest-xfail": _conftest(_ITEMS + "[item.add_marker(pytest.mark.xfail) for item in items]"),
    "conftest-skip": _conftest(_ITEMS + "[item.add_marker('skip') for item in items]"),
    "conftest-no-items": _conftest(_ITEMS + "items.clear()"),
    "conftest-ignores": _conftest("def pytest_ignore_collect(): return True"),
    "conftest-raises": _conftest("1 / 0"),
    "conftest-syntax": _conftest("def broken(:"),
    "conftest-missing-plugin": _conftest("pytest_plugins = ['nowhere']"),
    "conftest-options": _conftest(f"def pytest_addoption(parser):\n{_OPTIONS}"),
    "conftest-passes": _conftest(_REPORT + "report = yield\n    report.outcome = 'passed'\n    return report"),
    "conftest-status": _conftest("def pytest_sessionfinish(session): session.exitstatus = 0"),
    "conftest-profile": _conftest(
        "from hypothesis import settings\n"
        "settings.register_profile('one', max_examples=1)\n"
        "settings.load_profile('one')\n"
    ),
    "fixture-raises": _conftest(_FIXTURE + "raise RuntimeError"),
    "fixture-skips": _conftest(_FIXTURE + "pytest.skip('not here')"),
    "fixture-changes-directory": _conftest(_FIXTURE + "monkeypatch.chdir(tmp_path)"),
    "fixture-freezes-time": _conftest(_FIXTURE + "monkeypatch.setattr('time.monotonic', lambda: 0.0)"),
    "fixture-forbids-sockets": _conftest(_FIXTURE + "monkeypatch.setattr('socket.socket', None)"),
    "addopts-xdist": _ini("addopts = -n 2 -x"),
    "addopts-selects": _ini(
        "addopts = -m unit --cov-fail-under=100 --strict-markers --strict-config", "markers = unit"
    ),
    "python-files": _ini("python_files = *_spec.py", "python_functions = spec_*", "python_classes = Spec"),
    "use-fixtures": _ini("usefixtures = nowhere"),
    "warnings": _ini("filterwarnings = error", "xfail_strict = true"),
    "directories": _ini("testpaths = tests", "norecursedirs = *", "cache_dir = elsewhere", "confcutdir = /"),
    "python-path": _ini("pythonpath = src", **{"src/mine.py": _RUNNER, "mine.py": "1 / 0"}),
    "pyproject": Project({"pyproject.toml": "[tool.pytest.ini_options]\naddopts = ['--nowhere']\n"}),
    "tox": Project({"tox.ini": "[pytest]\naddopts = --nowhere\n"}),
    "setup-cfg": Project({"setup.cfg": "[tool:pytest]\naddopts = --nowhere\n"}),
    "plugin-xfail": _plugin(_ITEMS + "[item.add_marker(pytest.mark.xfail) for item in items]"),
    "plugin-passes": _plugin(_REPORT + "report = yield\n    report.outcome = 'passed'\n    return report"),
    "plugin-other-report": _plugin(
        _REPORT + "yield\n    return pytest.TestReport(item.nodeid, item.location, {}, 'passed', None, call.when)"
    ),
    "plugin-swallows-report": _plugin(
        "import pytest\n@pytest.hookimpl(wrapper=True, tryfirst=True)\n"
        "def pytest_runtest_call(item):\n    try:\n        return (yield)\n    except BaseException:\n        pass\n"
    ),
    "plugin-status": _plugin(
        "import pytest\n@pytest.hookimpl(wrapper=True, tryfirst=True)\n"
        "def pytest_sessionfinish(session):\n    yield\n    session.exitstatus = 0\n"
    ),
    "plugin-shuffles": _plugin(_ITEMS + "items.reverse()"),
    "plugin-reruns": _plugin(_RERUN),
    "by-hand": Project({}, ("-x", "-p", "no:cacheprovider"), {"PYTEST_ADDOPTS": "--strict-markers"}),
}


def _write(directory: Path, files: Mapping[str, str]) -> None:
    for name, text in {"mine.py": _RUNNER, **files}.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)


def _run(directory: Path, project: Project, kit: Path = ROOT) -> "subprocess.CompletedProcess[str]":
    variables = {**os.environ, "PYTHONPATH": os.fspath(kit), **project.variables}
    return run_pytest(*_HAND, *project.arguments, cwd=directory, environment=variables)


def _verdict(ran: "subprocess.CompletedProcess[str]") -> tuple[int, list[str]]:
    """Return the exit code of a run, its divergences and its table."""
    return ran.returncode, _SHOWN.findall(ran.stdout)


@pytest.fixture(scope="session")
def verdict(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, list[str]]:
    """Return the exit code of a run in an empty directory, its divergences and its table."""

    def fill(directory: Path) -> None:
        _write(directory, {})
        code, lines = _verdict(_run(directory, Project()))
        (directory / "verdict").write_text("\n".join([str(code), *lines]))

    code, *lines = (filled_once(tmp_path_factory, "empty-project", fill) / "verdict").read_text().splitlines()
    return int(code), lines


def test_empty_directory_has_a_verdict(verdict: tuple[int, list[str]]) -> None:
    """In an empty directory, the runner diverges, and the table says so."""
    code, lines = verdict

    assert code == pytest.ExitCode.TESTS_FAILED
    assert any(re.fullmatch(r"reason_code +0 +0 +\d+  diverges: .*", line) for line in lines)


@pytest.mark.parametrize("name", _PROJECTS)
def test_verdict_is_that_of_an_empty_directory(name: str, tmp_path: Path, verdict: tuple[int, list[str]]) -> None:
    """The table and the exit code do not depend on the project that the suite is called in."""
    _write(tmp_path, _PROJECTS[name].files)

    ran = _run(tmp_path, _PROJECTS[name])

    assert _verdict(ran) == verdict, ran.stdout + ran.stderr


@pytest.mark.parametrize("place", ["project/.venv", "venv"])
def test_verdict_does_not_depend_on_the_place_of_the_environment(
    place: str, tmp_path: Path, verdict: tuple[int, list[str]]
) -> None:
    """The environment may lie inside the project, below its conftest, or beside it."""
    site, project = tmp_path / place / "site-packages", _PROJECTS["conftest-xfail"]
    ignored = shutil.ignore_patterns("__pycache__")
    _write(tmp_path / "project", project.files)
    shutil.copytree(ROOT / "parity", site / "parity", ignore=ignored)
    (site / "parity" / "golden").symlink_to(golden_directory())

    ran = _run(tmp_path / "project", project, site)

    assert _verdict(ran) == verdict, ran.stdout + ran.stderr


def test_verdict_of_workers_is_that_of_one_process(tmp_path: Path, verdict: tuple[int, list[str]]) -> None:
    """With pytest-xdist and `-x`, workers load no conftest, and the exit code is that of the divergence."""
    _write(tmp_path, {"conftest.py": "1 / 0"})

    ran = _run(tmp_path, Project(arguments=("-n", "2", "-x")))

    assert _verdict(ran)[0] == verdict[0], ran.stdout + ran.stderr
    assert _verdict(ran)[1] == verdict[1]


@pytest.mark.parametrize("setting", ["minversion = 99", "required_plugins = nowhere", "[nothing", "addopts = '"])
def test_setting_that_pytest_refuses_leaves_no_verdict(setting: str, tmp_path: Path) -> None:
    """What pytest itself refuses before it calls plugins ends the run with exit code 4."""
    _write(tmp_path, {"pytest.ini": f"[pytest]\n{setting}\n"})

    ran = _run(tmp_path, Project())

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (_FIXTURE + "pytest.skip('not here')", "Skipped: not here, at .*"),
        (_FIXTURE + "raise RuntimeError('no')", "RuntimeError: no, at .*theirs.py:4"),
        (_ITEMS + "items.clear()", "it was not run"),
        (_ITEMS + "[item.add_marker(pytest.mark.skip(reason='slow')) for item in items]", "Skipped: slow, at .*"),
        (_ITEMS + "[item.add_marker(pytest.mark.xfail(run=False)) for item in items]", "it was not run|.*NOTRUN.*"),
    ],
    ids=["skipped", "broken", "gone", "marked", "not-run"],
)
def test_test_that_does_not_get_to_its_end_leaves_no_verdict(text: str, why: str, tmp_path: Path) -> None:
    """If another plugin keeps a selected test from its end, the exit code is 4, and a line names test and place."""
    project = _plugin(text)
    _write(tmp_path, project.files)

    ran = _run(tmp_path, project)

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR, ran.stdout + ran.stderr
    line = rf"^ERROR: a test did not get to its end: \S+::test_golden \((?:{why})\)$"
    assert re.search(line, ran.stdout, re.MULTILINE), ran.stdout


def test_suite_named_in_addopts_is_refused(tmp_path: Path) -> None:
    """A project cannot run the suite by its addopts, which the suite does not read."""
    _write(tmp_path, {"pytest.ini": "[pytest]\naddopts = --pyargs parity\n"})

    ran = run_pytest(cwd=tmp_path, environment={**os.environ, "PYTHONPATH": os.fspath(ROOT)})

    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert ran.stderr.startswith("ERROR: the suite runs without a project's addopts: name it on the command line")


@pytest.mark.parametrize(
    ("by_variable", "remedy"), [(True, "unset PYTEST_ADDOPTS, or take it out there"), (False, "leave it out")]
)
def test_option_of_a_conftest_is_refused(by_variable: bool, remedy: str, tmp_path: Path) -> None:
    """An option that only the project's conftest defines is refused with the reason, and where to take it out."""
    _write(tmp_path, {"conftest.py": "def pytest_addoption(parser):\n    parser.addoption('--mine')\n"})
    project = Project({}, (), {"PYTEST_ADDOPTS": "--mine=1"}) if by_variable else Project({}, ("--mine=1",))

    ran = _run(tmp_path, project)

    why = "the suite loads no conftest of the project, and no plugin defines it"
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert ran.stderr.strip() == f"ERROR: unrecognized arguments: --mine=1: {why}; {remedy}"


def test_suite_without_its_plugin_is_refused(tmp_path: Path) -> None:
    """If the kit's plugin is not loaded, the suite's tests are not run."""
    _write(tmp_path, {})

    ran = run_pytest("-p", "no:parity", "--pyargs", "parity", cwd=tmp_path)

    assert ran.returncode == pytest.ExitCode.INTERRUPTED, ran.stdout + ran.stderr
    assert "the suite needs its plugin" in ran.stdout + ran.stderr
