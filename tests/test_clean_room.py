"""Tests for the imports of the clean room, and for the scorer's behaviour outside the suite."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import parity
from parity.scorer import Rewards, Series, VerifierOutputParseError, aggregate, pass_at_k, read_reward

_PACKAGE = Path(parity.__file__).parent
_MODULES = sorted(_PACKAGE.rglob("*.py"))


@cache
def _imports(module: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def _beyond(directory: str, *allowed: str) -> dict[str, set[str]]:
    """Return the names that each module in a directory imports, except from the allowed packages."""

    def is_allowed(name: str) -> bool:
        return any(name == each or name.startswith(f"{each}.") for each in allowed)

    modules = [module for module in _MODULES if module.is_relative_to(_PACKAGE / directory)]
    assert modules
    beyond = {module: {name for name in _imports(module) if not is_allowed(name)} for module in modules}
    return {str(module.relative_to(_PACKAGE)): names for module, names in beyond.items() if names}


def test_only_the_reference_imports_harbor() -> None:
    """Only `parity.reference` imports Harbor."""
    importing = {module.parent for module in _MODULES if any(_root(name) == "harbor" for name in _imports(module))}

    assert importing == {_PACKAGE / "reference"}


def test_formats_need_only_pydantic() -> None:
    """The formats import only pydantic, and nothing else from the kit."""
    assert _beyond("formats", "parity.formats", "pydantic", "pydantic_core", *sys.stdlib_module_names) == {}


def test_rewards_and_stats_need_only_the_standard_library() -> None:
    """Rewards and stats need only the standard library; reading a job's files also needs the formats."""
    on_disk = "scorer/job_directory/"

    beyond = _beyond("scorer", "parity.scorer", *sys.stdlib_module_names)

    assert {module for module in beyond if not module.startswith(on_disk)} == set()
    assert _beyond(on_disk, *_OF_FILES, *sys.stdlib_module_names) == {}


_OF_FILES = "parity.scorer", "parity.formats", "pydantic", "pydantic_core"


def test_driver_needs_few_packages() -> None:
    """The driver needs only a few small packages, and nothing from the reference."""
    beyond = _beyond("driver", "dirhash", "pathspec", "pydantic", "tomli", *sys.stdlib_module_names)

    others = {module: {name for name in names if not _is_of_the_kit(name)} for module, names in beyond.items()}

    assert {module: names for module, names in others.items() if names} == {}


def _is_of_the_kit(name: str) -> bool:
    return _root(name) == "parity" and not name.startswith("parity.reference")


def _root(name: str) -> str:
    return name.partition(".")[0]


def test_importing_the_plugin_is_cheap() -> None:
    """Importing the plugin, which happens in every pytest run, loads neither Harbor nor Hypothesis."""
    heavy = ("harbor", "hypothesis", "syrupy")
    program = f"import sys, parity.plugin.entry_point; print([n for n in {heavy} if n in sys.modules])"

    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert printed.strip() == "[]"


@pytest.mark.needs("utf-8")
def test_official_series_is_the_default(tmp_path: Path) -> None:
    """By default, the scorer computes as Python 3.12 does, on any interpreter."""
    column: list[Rewards | None] = [{"reward": 1e16}, {"reward": 1}, {"reward": -1e16}]
    (tmp_path / "reward.txt").write_text("\U00010d41", encoding="utf-8")

    assert aggregate("sum", column) == {"sum": 0.0}
    assert aggregate("sum", column, series=Series.PY314) == {"sum": 1.0}
    assert read_reward(tmp_path, series=Series.PY314) == {"reward": 1.0}
    with pytest.raises(VerifierOutputParseError):
        read_reward(tmp_path)
    assert pass_at_k([]) == {}


def test_unknown_metric_is_refused() -> None:
    """An unknown metric is refused with a list of the known metrics."""
    with pytest.raises(ValueError, match="unknown metric 'other': choose one of mean, max, min, sum"):
        aggregate("other", [])


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_files_are_decoded_by_the_locale(tmp_path: Path, locale: str) -> None:
    """The scorer decodes files with the locale's encoding, like Harbor."""
    directories = [tmp_path / "accents" / "verifier", tmp_path / "ascii" / "verifier"]
    for directory, content in zip(directories, ['{"é": 1}', '{"reward": 1}'], strict=True):
        directory.mkdir(parents=True)
        (directory / "reward.json").write_text(content, encoding="utf-8")
    program = (
        "import sys; from pathlib import Path\n"
        "from parity.reference import open_reference; from parity.runners import CleanRoom\n"
        "from parity.runners.asking import ask\n"
        "both = open_reference().wheel, CleanRoom()\n"
        "answers = [ask(runner, 'read_reward', (Path(each),)) for each in sys.argv[1:] for runner in both]\n"
        "print(*(getattr(answer, 'kind', 'value') for answer in answers))"
    )
    environment = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PATH": "/usr/bin:/bin"}

    printed = subprocess.run(
        [sys.executable, "-c", program, *directories], capture_output=True, text=True, check=True, env=environment
    ).stdout

    refused = locale == "C"
    assert printed.split() == ["VerifierOutputParseError" if refused else "value"] * 2 + ["value"] * 2


@pytest.mark.parametrize(("operation", "expected"), [("harbor_env", "True"), ("run_job", "False")])
def test_slow_imports_are_done_before_the_first_case(operation: str, expected: str) -> None:
    """Slow imports for an operation are done before its first case, and not for other operations."""
    program = f"""
import sys
from parity.runners import CleanRoom
CleanRoom().load({operation!r})
print("datasets" in sys.modules)
"""

    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)

    assert loaded.stdout.strip() == expected
