"""`parity explain` with words: the entries that are found, and their order."""

import re
from pathlib import Path

import pytest

from parity.command import SUBCOMMANDS, explain_sources, main
from parity.command.explain_search import Entry, search
from parity.command.explain_sources import CHECKOUT, PACKAGE
from parity.operations.rules import RULES
from parity.pytest_plugin import options


def _search(words: str) -> list[Entry]:
    return search(words, SUBCOMMANDS)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["harm"], "pays-out, a harm\n"),
        (["dockerfile"], "local, parity/driver/README.md:"),
        (["interrupted"], "Exit codes, parity/pytest_plugin/README.md:"),
        (["golden", "vector"], "Golden vectors, golden/README.md:"),
        (["hash"], "Reading a divergence, parity/report/README.md:"),
    ],
)
def test_words_are_answered(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short list has the name, the place and one line of each entry."""
    monkeypatch.chdir(CHECKOUT)

    code = main(["explain", *words])

    printed = capsys.readouterr().out
    assert code == 0
    assert re.search(f"^{re.escape(expected)}", printed, re.MULTILINE)
    assert printed.count("\n") <= 21


def test_all_words_must_occur() -> None:
    """An entry with one of two words is not found."""
    assert _search("dockerfile")
    assert not _search("dockerfile nan")


def test_a_word_may_be_the_beginning_of_another() -> None:
    """The end of a word, or its middle, finds nothing; case does not matter."""
    names = [entry.name for entry in _search("INTERRU")]

    assert names == [entry.name for entry in _search("interru")]
    assert names
    assert not _search("nterrupted")


def test_names_come_first_and_rules_before_all() -> None:
    """A rule with both words in its slug comes before a paragraph about both."""
    found = _search("json wins")

    assert found[0].name == "reward-file/json-wins"
    assert found[0].text == RULES["reward-file/json-wins"].sentence
    assert len(found) > 1


def test_the_line_has_the_word() -> None:
    """The line has the word: a long text is cut around the first word that it has."""
    found = _search("interrupted")

    assert all("interrupted" in entry.text.lower() and len(entry.text) <= 112 for entry in found)


def test_the_place_is_the_line_of_the_text() -> None:
    """A path and line lead to the paragraph that was found."""
    entry = next(entry for entry in _search("hash") if "parity/report/README.md" in entry.where)

    path, _, line = entry.where.rpartition(":")
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    assert any("hash" in each for each in lines[int(line) - 1 : int(line) + 2])


@pytest.mark.parametrize("name", ["report", "run", "score"])
def test_every_option_of_a_command_is_found(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each option in the help of a command is found by its name."""
    with pytest.raises(SystemExit):
        main([name, "--help"])
    shown = re.findall(r"^  (?:-\w(?: [A-Z]+)?, )?(--[\w-]+)", capsys.readouterr().out, re.MULTILINE)

    assert [option for option in set(shown) - {"--help"} if option not in _names(option)] == []
    assert len(shown) > 1


def test_every_option_of_the_suite_is_found() -> None:
    """The suite's options are read from their table."""
    assert [name for name in options._OPTIONS if f"--{name}" not in _names(f"--{name}")] == []


def _names(words: str) -> list[str]:
    return [name for entry in _search(words) for name in entry.name.split(", ")]


def test_an_installed_copy_searches_its_own_documents(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An installed copy searches only the READMEs of the package."""
    monkeypatch.setattr(explain_sources, "_FAULTY", tmp_path / "none")
    monkeypatch.chdir(tmp_path)

    places = [entry.where for entry in _search("golden vector") if ".md:" in entry.where]

    assert [place for place in places if not place.startswith(str(PACKAGE))] == []
    assert any(place.startswith(str(PACKAGE / "judging" / "README.md")) for place in places)
