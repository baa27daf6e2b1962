"""Tests of the table of bridges: its rows, adapters and declared divergences, and what the top README says of them."""

import ast
import re
from pathlib import Path

import pytest

from parity.suite.declared import read_all_declarations
from parity.suite.declared.writing import entry_text
from tests.bridges.table import Bridge, bridges, declarations

_ADAPTERS = Path(__file__).with_name("adapters")
_README = Path(__file__).parents[2] / "README.md"


def _source(bridge: Bridge) -> Path:
    return _ADAPTERS / f"{bridge.adapter.partition(':')[0]}.py"


@pytest.mark.parametrize("name", bridges())
def test_declarations_of_the_bridges_are_read(name: str) -> None:
    """A bridge's declarations can be read, and stand as they would be written, on lines of at most 120 columns."""
    text = declarations(name).read_text(encoding="utf-8")

    entries = read_all_declarations([declarations(name)])

    assert text.partition("\n\n")[2] == "".join(map(entry_text, entries)).removeprefix("\n")
    assert max(map(len, text.splitlines())) <= 120


def test_each_file_of_declarations_has_a_row() -> None:
    """No file of declared divergences is without a row in the table."""
    files = Path(__file__).with_name("declared").iterdir()

    assert {path.name for path in files} == {declarations(name).name for name in bridges()}


@pytest.mark.parametrize(("name", "bridge"), bridges().items(), ids=bridges())
def test_name_of_a_bridge_ends_in_the_release_that_is_installed(name: str, bridge: Bridge) -> None:
    """A bridge's name ends in the release of its package, without the suffix of a development release."""
    assert name.endswith(f"-{bridge.release.partition('.dev')[0]}")


@pytest.mark.parametrize("bridge", bridges().values(), ids=bridges())
def test_adapter_of_a_bridge_is_a_class(bridge: Bridge) -> None:
    """The adapter in each row is a class in a module of `adapters`."""
    tree = ast.parse(_source(bridge).read_text(encoding="utf-8"))

    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}

    assert bridge.adapter.partition(":")[2] in classes


def test_adapters_import_little_from_the_kit() -> None:
    """Adapters import almost nothing from the kit, so that they also run without the kit's dependencies."""
    modules = {
        node.module
        for path in _ADAPTERS.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and re.match(r"(parity|tests)\.", node.module)
    }

    assert {name for name in modules if not name.startswith("tests.bridges.adapters.")} == {"parity.runners.runner"}


def test_top_readme_gives_the_number_of_readers_of_reward_files() -> None:
    """Both numbers of readers in the top README are the number of rows whose adapter reads reward files."""
    count = sum("def read_reward(" in _source(bridge).read_text(encoding="utf-8") for bridge in bridges().values())

    numbers = re.findall(r"each of the (\d+)|of (\d+) other runners", _README.read_text(encoding="utf-8"))

    assert [max(pair) for pair in numbers] == [str(count)] * 2


_SHOWN = {
    "an empty reward.json, and a reward.txt `1`": "reward-file/json-wins/json-empty",
    'reward.json `{"reward": false}`': 'reward-json/bool-is-float/json/{"reward":%20false}',
    'reward.json `{"reward": "1"}`': "reward-json/number-string/string/1",
}
"""The golden vector of each row in the top README's table of released runners."""


@pytest.mark.parametrize(("row", "vector"), _SHOWN.items(), ids=_SHOWN.values())
def test_top_readme_gives_the_number_of_readers_that_differ(row: str, vector: str) -> None:
    """The number in a row is that of the files that declare the row's vector."""
    text = _README.read_text(encoding="utf-8")
    files = [read_all_declarations([declarations(name)]) for name in bridges()]

    count = sum(any(vector == each for entry in entries for _, _, each in entry.vectors()) for entries in files)

    assert re.search(rf"^\| {re.escape(row)} \| [^|]* \| {count} \| ", text, flags=re.MULTILINE)
