"""The dependencies between the parts of the kit, which have no cycles, and the sizes of modules."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from statistics import median

import pytest

import parity
from tests.foreign_parts import foreign_parts

_PACKAGE = Path(parity.__file__).parent
_ROOMS = {
    "formats": "",
    "scorer": "formats",
    "driver": "formats scorer",
    "harbor_env": "formats driver scorer",
    "operations": "formats scorer driver harbor_env",
    "runners": "operations scorer",
    "reference": "operations runners harbor_env driver scorer",
    "judging": "operations reference runners scorer",
    "report": "judging operations reference scorer",
    "pytest_plugin": "judging report operations reference runners scorer",
    "lint": "formats driver scorer",
    "command": "lint judging operations report reference runners driver scorer formats",
}
"""The rooms that each room may import from."""

_BRIDGES = "parity.runners.bridges"
_HEAVY = ("harbor", "hypothesis", "pytest", "syrupy")


def _name(module: Path) -> str:
    return ".".join(module.relative_to(_PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


_MODULES = {
    _name(path): path for path in sorted(_PACKAGE.rglob("*.py")) if not path.name.startswith(("test_", "conftest"))
}


@cache
def _imports(module: str) -> set[str]:
    """Return the modules of the kit that a module imports anywhere in its text."""
    found = set()
    for node in ast.walk(ast.parse(_MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}": node.module for alias in node.names}
            found |= {name if name in _MODULES else package for name, package in whole.items()}
    return (found & _MODULES.keys()) - {module}


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_no_module_imports_itself_by_way_of_others() -> None:
    """No module imports itself through others, even in functions or for types.

    The package itself does not count, because it imports the public names on demand.
    """
    graph = {module: _imports(module) - {"parity"} for module in _MODULES}

    TopologicalSorter(graph).prepare()  # raises CycleError


@pytest.mark.parametrize("room", _ROOMS)
def test_a_room_imports_only_from_rooms_below_it(room: str) -> None:
    """A room imports only from the rooms in the table above, which is complete."""
    modules = [module for module in _MODULES if _room(module) == room]

    used = {_room(each) for module in modules for each in _imports(module)} - {room, ""}

    assert used <= set(_ROOMS[room].split())


def test_a_class_has_a_name_of_its_own() -> None:
    """No two classes of the kit have the same name.

    HarborEnv is the exception, because `verifiers` uses this name. Examples belong to other projects.
    """
    places: dict[str, list[str]] = {}
    for module, path in _MODULES.items():
        if module.startswith("parity.runners.examples."):
            continue
        for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            places.setdefault(name, []).append(module)

    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {
        "HarborEnv": [
            "parity.harbor_env.env",
            "parity.harbor_env.for_verifiers",
            "parity.runners.bridges.verifiers_harbor_env",
        ]
    }


def test_every_folder_is_a_room() -> None:
    """Only the package itself and its command line are outside the rooms."""
    assert {_room(module) for module in _MODULES} == {*_ROOMS, "", "__main__"}


def test_nothing_needs_a_bridge() -> None:
    """No other module imports a bridge, and the wheel does not contain them."""
    users = [each for each in _MODULES if any(name.startswith(_BRIDGES) for name in _imports(each))]

    wheel = tomllib.loads((_PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"][
        "targets"
    ]["wheel"]
    assert [each for each in users if not each.startswith(_BRIDGES)] == []
    assert wheel["exclude"] == [_BRIDGES.replace(".", "/")]


def test_modules_are_small() -> None:
    """A module has at most 300 lines, and half of the modules have at most 110."""
    folders = (_PACKAGE, _PACKAGE.parent / "tests")
    lines = {path: path.read_text(encoding="utf-8").count("\n") for folder in folders for path in folder.rglob("*.py")}

    assert [path for path, number in lines.items() if number > 300] == []
    assert median(number for path, number in lines.items() if path.is_relative_to(_PACKAGE)) <= 110


def test_the_engine_knows_no_pytest() -> None:
    """The engine does not import pytest."""
    judging = [path for name, path in _MODULES.items() if _room(name) == "judging"]

    assert [path for path in judging if "import pytest" in path.read_text(encoding="utf-8")] == []


def test_printed_commands_work_outside_a_checkout() -> None:
    """Printed commands name the suite as a module; one that needs a checkout says so."""
    texts = {
        (name, node.value)
        for name, path in _MODULES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }

    printed = {(name, text) for name, text in texts if "pytest parity/ " in text}
    assert {name for name, text in printed if "in a checkout with: pytest parity/ " not in text} == set()


def test_only_the_runners_know_which_of_them_is_a_program() -> None:
    """Only the runners' room checks whether a runner is a program."""
    outside = [path for name, path in _MODULES.items() if _room(name) != "runners"]

    asks = re.compile(r"isinstance\([^()]*PipeRunner\)")
    assert [path for path in outside if asks.search(path.read_text(encoding="utf-8"))] == []


_REPEATABLE = {
    "parity/reference/driving.py": ["patches Progress"],
    "parity/reference/recorded.py": [
        *("patches Job", "patches commands", "patches commands.console"),
        *("patches harbor_environments", "patches harbor_trials"),
    ],
}
"""Modules that replace parts of Harbor to make its answers repeatable; a comment says why no answer changes."""

_NEEDED = {
    # It imports the kit from its folder, as importlib documents.
    "parity/reference/separate/bootstrap.py": ["sys.modules"],
    "tests/driver/test_trial_plan.py": ["Trial._separate_verifier_session_id"],  # asks the wheel itself
    "tests/pytest_plugin/test_assertion.py": ["gc"],  # is about what a caller leaves to be collected
    "tests/wheel_documents.py": ["HarborJob._init_trial_configs"],  # asks the wheel itself
}


def test_nothing_of_another_package_is_patched() -> None:
    """No module patches another package, uses its private names, or tunes the interpreter; bridges may."""
    top = _PACKAGE.parent
    paths = [path for folder in (_PACKAGE, top / "tests") for path in sorted(folder.rglob("*.py"))]
    names = {path: path.relative_to(top).as_posix() for path in paths if "bridges" not in path.parts}

    found = {name: parts for path, name in names.items() if (parts := foreign_parts(path))}

    assert found == {**_REPEATABLE, **_NEEDED}


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("import gc", "gc"),
        ("import sys\nsys.modules['a'] = sys", "sys.modules"),
        ("from hypothesis.internal import entropy", "imports hypothesis.internal"),
        ("from _pytest.config import Config", "imports _pytest.config"),
        ("import rich\nrich._console", "rich._console"),
        ("from harbor.job import Job\nmock.patch.object(Job, 'run')", "patches Job"),
        ("mock.patch('datasets.arrow_dataset.Dataset')", "patches datasets.arrow_dataset.Dataset"),
        ("import tomli\nmonkeypatch.setattr(tomli, 'loads', str)", "patches tomli"),
    ],
)
def test_what_is_forbidden_is_seen(text: str, part: str, tmp_path: Path) -> None:
    """Each forbidden kind of use is found."""
    module = tmp_path / "module.py"
    module.write_text(text)

    assert foreign_parts(module) == [part]


_SERVE = """
from parity.runners.loading import load_runner
import parity.runners.pipe.serving
load_runner("clean-room")
"""
_COMMAND = """
from parity.__main__ import main
sys.argv = ["parity", *{arguments!r}]
try:
    main()
except SystemExit:
    pass
"""


def _command(*arguments: str) -> Callable[[Path], str]:
    return lambda folder: _COMMAND.format(arguments=[argument.format(folder=folder) for argument in arguments])


_PROGRAMS = {
    "serve": lambda folder: _SERVE,
    "score": _command("score", "{folder}"),
    "outcome": _command("outcome", "{folder}/result.json"),
    "explain": _command("explain", "reward-file/json-wins"),
    "run": _command("run", "{folder}", "--agent", "nop"),
}


@pytest.mark.parametrize("program", _PROGRAMS.values(), ids=_PROGRAMS)
def test_commands_need_neither_harbor_nor_pytest(program: Callable[[Path], str], tmp_path: Path) -> None:
    """The commands need neither Harbor nor pytest."""
    (tmp_path / "reward.txt").write_text("1")

    assert _loaded(program(tmp_path), _HEAVY) == "[]"


def test_an_outcome_needs_no_models(tmp_path: Path) -> None:
    """`parity outcome` does not import pydantic, which would take most of its time."""
    assert _loaded(_PROGRAMS["outcome"](tmp_path), ("pydantic",)) == "[]"


def _loaded(program: str, names: tuple[str, ...]) -> str:
    """Return which of the packages a program has imported when it ends."""
    shown = f"import sys\n{program}\nprint([name for name in {names!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", shown], input="", capture_output=True, encoding="utf-8", check=True)
    return ran.stdout.splitlines()[-1]
