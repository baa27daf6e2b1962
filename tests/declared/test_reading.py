"""Tests that a file of declared divergences is read, and that every mistake in it is refused in one line."""

from pathlib import Path

import pytest

from parity.suite.declared import DeclarationsError, read_all_declarations, read_declarations
from parity.suite.declared.writing import entry_text

_RULE = "aggregate/missing-key-is-zero"
_CASE = '{"metric": "mean", "rewards": [{"a": 1}]}'
_ROW = '{ withholds = ["second/mean", "second/max"], cases = { form = \'{"metric": "mean", "rewards": [{"a": 1}]}\' } }'


def _text(
    row: str = _ROW, *, rule: str = _RULE, head: str = 'class = "by-design"\nreason = "keys are left out"'
) -> str:
    return f'[[divergence]]\n{head}\n[divergence.rules]\n"{rule}" = {row}\n'


def _file(directory: Path, *texts: str) -> Path:
    path = directory / "declared.toml"
    path.write_text("".join(texts))
    return path


def test_entry_is_read(tmp_path: Path) -> None:
    """Class, reason, vectors and cases of an entry are read; plain JSON numbers are accepted in cases."""
    (entry,) = read_declarations(_file(tmp_path, _text()))

    assert (entry.class_, entry.reason) == ("by-design", "keys are left out")
    assert [*entry.vectors()] == [
        (_RULE, "withholds", f"{_RULE}/second/mean"),
        (_RULE, "withholds", f"{_RULE}/second/max"),
    ]
    assert [*entry.cases()] == [(_RULE, "form", {"metric": "mean", "rewards": [{"a": {"int": "1"}}]})]


def test_place_has_line_and_column(tmp_path: Path) -> None:
    """An entry gives file, line and column of itself and of its keys, and not of a rule that begins alike."""
    rows = (
        '"reward-json/nesting-held" = { form = ["1300-arrays"] }\n"reward-json/nesting" = { form = ["100000-arrays"] }'
    )
    path = _file(tmp_path, _text(), f'[[divergence]]\nclass = "to-fix"\nreason = "deep"\n[divergence.rules]\n{rows}\n')

    first, second = read_declarations(path)

    assert (first.place(), first.place(_RULE), first.place(_RULE, "withholds")) == (
        f"{path}:1:1",
        f"{path}:5:1",
        f"{path}:5:37",
    )
    assert (second.place("class"), second.place("reward-json/nesting")) == (f"{path}:7:1", f"{path}:11:1")


def test_entry_round_trips(tmp_path: Path) -> None:
    """An entry is unchanged after it is written and read."""
    (entry,) = read_declarations(_file(tmp_path, _text()))
    path = tmp_path / "written.toml"
    path.write_text(entry_text(entry))

    (again,) = read_declarations(path)

    assert again.model_dump() == entry.model_dump()


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ('{ withholds = ["second/men"] }', f":5:50: {_RULE}: unknown golden vector second/men; remove or correct it"),
        ("{ withholds = [] }", f":5:37: {_RULE}, withholds: no golden vector; name one, or remove the key"),
        ("{}", f":5:1: {_RULE}: no golden vector and no case; name one, or remove the rule"),
        ("{ cases = {} }", f":5:1: {_RULE}: no golden vector and no case; name one, or remove the rule"),
        (
            '{ pays = ["second/mean"] }',
            f":5:37: {_RULE}, pays: unknown harm pays; expected one of pays-out, withholds, ",
        ),
        ('{ withholds = "second/mean" }', f":5:37: {_RULE}, withholds: must be an array of names"),
        ('["second/mean"]', f':5:1: {_RULE}: must be a table such as {{ pays-out = ["name"] }}'),
        ("{ cases = { form = 1 } }", f":5:47: {_RULE}, cases, form: must be a string of JSON"),
        ("{ cases = { form = '[' } }", f":5:47: {_RULE}, cases, form: must be a string of JSON"),
        ("{ cases = { form = '{}' } }", f":5:47: {_RULE}: not a case of aggregate: "),
        (
            "{ cases = { form = '" + _CASE.replace("mean", "mode") + "' } }",
            f":5:47: {_RULE}: not a case of aggregate: ",
        ),
    ],
)
def test_mistake_in_a_row_is_refused(row: str, complaint: str, tmp_path: Path) -> None:
    """Every mistake in a row is refused in one line, with file, line, column, rule and remedy."""
    path = _file(tmp_path, _text(row))

    with pytest.raises(DeclarationsError) as refused:
        read_declarations(path)

    assert str(refused.value).startswith(f"{path}{complaint}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (_text(rule="aggregate/no"), ":5:1: unknown rule aggregate/no; golden/SPEC.md lists the rules"),
        (_text(head='class = "wontfix"\nreason = "x"'), ":2:1: class: Input should be 'to-fix', 'by-design' or 'ref"),
        (_text(head='class = "to-fix"\nreason = 1'), ":3:1: reason: Input should be a valid string"),
        (_text(head='class = "to-fix"\nreason = " "'), ":3:1: the entry has no reason yet; say why the runner differs"),
        (_text(head='class = "to-fix"'), ":1:1: the entry lacks reason"),
        (_text(head='reason = "x"'), ":1:1: the entry lacks class"),
        ('[[divergence]]\nclass = "to-fix"\nreason = "x"\n', ":1:1: the entry lacks rules"),
        (
            '[[divergence]]\nclass = "to-fix"\nreason = "x"\n[divergence.rules]\n',
            ":1:1: the entry has no rule; add one",
        ),
        (
            _text(head='class = "to-fix"\nreason = "x"\nsince = "1.0"'),
            ":4:1: unknown key since; the keys of an entry are class, reason and rules",
        ),
        (
            '[[divergence]]\nrule = "aggregate/value"\ndifference = "other-value"\n',
            ":1:1: an entry of an earlier version; draft a new file with --write-divergences, without this one",
        ),
    ],
)
def test_mistake_in_an_entry_is_refused(text: str, complaint: str, tmp_path: Path) -> None:
    """Every mistake in an entry is refused in one line, with file, line, column and remedy."""
    path = _file(tmp_path, text)

    with pytest.raises(DeclarationsError) as refused:
        read_declarations(path)

    assert str(refused.value).startswith(f"{path}{complaint}")
    assert "\n" not in str(refused.value)


def test_file_without_entries_declares_nothing(tmp_path: Path) -> None:
    """A file may have no entry, such as a draft for a runner without divergences."""
    assert read_declarations(_file(tmp_path, "# Where nothing differs.\n")) == ()


def test_entry_without_a_reason_can_be_revised(tmp_path: Path) -> None:
    """A file whose entries have no reasons yet is read if it is drafted again."""
    path = _file(tmp_path, _text(head='class = "to-fix"\nreason = ""'))

    (entry,) = read_declarations(path, revising=True)

    assert entry.reason == ""


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"[[divergence]\n", "not TOML: "),
        (b"\xff\n", "not UTF-8; save it as UTF-8"),
        (b"[divergence]\n", "it may contain only [[divergence]] tables; remove everything else"),
        (b"divergence = [1]\n", "it may contain only [[divergence]] tables; remove everything else"),
        (b"divergence = [{}]\n", "begin every entry with its own line [[divergence]]"),
        (b"[[divergence]]\nvectors = " + b"[" * 100_000, "not a file of declared divergences: nested too deeply"),
        (b"[[divergence]]\n[runner]\n", "it may contain only [[divergence]] tables; remove everything else"),
    ],
)
def test_file_that_is_not_a_declarations_file_is_refused(content: bytes, complaint: str, tmp_path: Path) -> None:
    """A file that is not a file of declared divergences is refused in one line."""
    path = tmp_path / "declared.toml"
    path.write_bytes(content)

    with pytest.raises(DeclarationsError) as refused:
        read_declarations(path)

    assert str(refused.value).startswith(f"{path}: {complaint}")
    assert "\n" not in str(refused.value)


def test_missing_file_is_refused(tmp_path: Path) -> None:
    """A missing file is refused in one line."""
    with pytest.raises(DeclarationsError, match=r"nowhere\.toml: No such file or directory; name a file of declared"):
        read_declarations(tmp_path / "nowhere.toml")


def test_vector_that_is_listed_twice_is_refused(tmp_path: Path) -> None:
    """A vector stands under one harm of one reason, in all files together; a rule and harm may have two reasons."""
    path = _file(tmp_path, _text())
    other, twice = tmp_path / "other.toml", tmp_path / "twice.toml"
    other.write_text(_text('{ withholds = ["second/min"] }'))
    twice.write_text(_text('{ form = ["second/max"] }'))

    entries = read_all_declarations([path, other])
    with pytest.raises(DeclarationsError) as refused:
        read_all_declarations([path, other, twice])

    assert len(entries) == 2
    assert str(refused.value) == (
        f"{twice}:5:45: {_RULE}/second/max is listed a second time; the first is at {path}:5:65; keep one"
    )
