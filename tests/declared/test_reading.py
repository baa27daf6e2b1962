"""Tests that a file of declared divergences is read, and that every mistake in it is refused in one line."""

import json
from pathlib import Path

import pytest

import parity
from parity.operations.aggregate import AggregateCase
from parity.suite.declared import DeclarationsError, read_all_declarations, read_declarations
from parity.suite.declared.writing import entry_text

_WITNESS = {"metric": "mean", "rewards": [{"a": {"int": "1"}, "b": {"int": "2"}}, {"a": {"int": "1"}}]}
_ENTRY = {
    "rule": '"aggregate/missing-key-is-zero"',
    "difference": '"error-for-value"',
    "harm": '"withholds"',
    "class": '"by-design"',
    "reason": '"keys that are missing are left out"',
    "witness": f"'{json.dumps(_WITNESS)}'",
    "reference": """'{"value": {"a": {"f64": "3ff0000000000000"}}}'""",
    "runner": """'{"fault": {"kind": "KeyError"}}'""",
    "vectors": '["aggregate/missing-key-is-zero/second/mean"]',
}


def _file(directory: Path, *entries: dict[str, str]) -> Path:
    path = directory / "declared.toml"
    path.write_text("".join("[[divergence]]\n" + "".join(f"{k} = {v}\n" for k, v in each.items()) for each in entries))
    return path


def test_entry_is_read(tmp_path: Path) -> None:
    """Every part of an entry is read, with the line number of each key."""
    path = _file(tmp_path, _ENTRY, {**_ENTRY, "harm": '"form"'})

    first, second = read_declarations(path)

    assert first.key == ("aggregate/missing-key-is-zero", "error-for-value", "withholds")
    assert (first.operation, first.class_) == ("aggregate", "by-design")
    assert first.reason == "keys that are missing are left out"
    assert first.case == AggregateCase("mean", ({"a": 1, "b": 2}, {"a": 1}))
    assert first.runner == {"fault": {"kind": "KeyError"}}
    assert first.vectors == frozenset({"aggregate/missing-key-is-zero/second/mean"})
    assert (first.at(), first.at("runner"), second.at("harm")) == (f"{path}:1", f"{path}:9", f"{path}:14")


def test_entry_round_trips(tmp_path: Path) -> None:
    """An entry is unchanged after it is written and read."""
    (entry,) = read_declarations(_file(tmp_path, _ENTRY))
    path = tmp_path / "written.toml"
    path.write_text(entry_text(entry))

    (again,) = read_declarations(path)

    assert again.model_dump() == entry.model_dump()


def test_plain_numbers_are_accepted_in_place_of_their_wire_form(tmp_path: Path) -> None:
    """A witness and its answers may be written by hand, with plain JSON numbers."""
    change = {
        "witness": """'{"metric": "mean", "rewards": [{"a": 1}]}'""",
        "reference": """'{"value": {"mean": 1.0}}'""",
    }

    (entry,) = read_declarations(_file(tmp_path, {**_ENTRY, **change}))

    assert entry.case == AggregateCase("mean", ({"a": 1},))
    assert entry.reference == {"value": {"mean": {"f64": "3ff0000000000000"}}}


def test_key_vectors_is_optional(tmp_path: Path) -> None:
    """Without the key `vectors`, it is not known which golden vectors diverge. An empty list means that none does."""
    without = {key: value for key, value in _ENTRY.items() if key != "vectors"}
    none = {**_ENTRY, "harm": '"form"', "vectors": "[]"}

    unknown, empty = read_declarations(_file(tmp_path, without, none))

    assert (unknown.vectors, empty.vectors) == (None, frozenset())


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"rule": '"aggregate/score"'}, ":2: rule: unknown rule 'aggregate/score'; golden/SPEC.md lists the rules"),
        ({"rule": "[]"}, ":2: rule: Input should be a valid string"),
        ({"difference": '"other"'}, ":3: difference: Input should be 'value-for-error', 'error-for-value', "),
        ({"harm": '"much"'}, ":4: harm: Input should be 'pays-out', 'withholds', "),
        ({"class": '"wontfix"'}, ":5: class: Input should be 'to-fix', 'by-design' or 'reference-bug'"),
        ({"reason": '" "'}, ":6: reason: "),
        ({"witness": "'{'"}, ":7: witness: must be a string of JSON"),
        ({"witness": "1"}, ":7: witness: must be a string of JSON"),
        ({"witness": f"'{'[' * 100_000}'"}, ":7: witness: must be a string of JSON"),
        ({"witness": """'{"metric": "mean"}'"""}, ":7: witness: an aggregate case: rewards is missing"),
        ({"witness": """'{"metric": "median", "rewards": []}'"""}, ":7: witness: an aggregate case must have one "),
        ({"reference": "'[]'"}, ":8: reference: an answer must have a value, or a fault with a kind"),
        ({"reference": """'{"crash": true}'"""}, ":8: reference: an answer must have a value, or a fault with a kind"),
        ({"runner": """'{"value": {"f64": "1"}}'"""}, ":9: runner: f64 must have sixteen hex digits"),
        ({"runner": """'{"unsupported": true}'"""}, ":9: runner: an answer must have a value, or a fault with a kind"),
        ({"runner": """'{"value": null, "fault": {"kind": "x"}}'"""}, ":9: runner: an answer must have a value, or a"),
        ({"vectors": '"all"'}, ":10: vectors: Input should be a valid frozenset"),
        ({"vectors": '["aggregate/value/x"]'}, ":10: vectors: aggregate/value/x is not a golden vector of aggregate"),
        (
            {"since": '"1.0"'},
            ":11: unknown key since; the keys of an entry are rule, difference, harm, class, reason, ",
        ),
        (
            {"flags": "[]"},
            ":1: the key flags is no longer supported; draft a new file with --write-divergences",
        ),
    ],
)
def test_mistake_in_an_entry_is_refused(change: dict[str, str], complaint: str, tmp_path: Path) -> None:
    """Every mistake in an entry is refused in one line, with the file, the line number and the allowed values."""
    path = _file(tmp_path, {**_ENTRY, **change})

    with pytest.raises(DeclarationsError) as refused:
        read_declarations(path)

    assert str(refused.value).startswith(f"{path}{complaint}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("key", [key for key in _ENTRY if key != "vectors"])
def test_missing_key_is_refused(key: str, tmp_path: Path) -> None:
    """An entry that lacks a key is refused."""
    path = _file(tmp_path, {name: value for name, value in _ENTRY.items() if name != key})

    with pytest.raises(DeclarationsError, match=f"declared.toml:1: the entry lacks {key}$"):
        read_declarations(path)


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


def test_duplicate_entry_is_refused(tmp_path: Path) -> None:
    """A second entry for the same rule, kind and harm is refused, in one file or in several."""
    path = _file(tmp_path, _ENTRY)
    other = tmp_path / "other.toml"
    other.write_text(path.read_text())
    message = rf"{other}:1: a second entry for \S+ error-for-value withholds; the first is at {path}:1; keep one"

    with pytest.raises(DeclarationsError, match=message):
        read_all_declarations([path, other])


_OF_BRIDGES = Path(parity.__file__).parent / "runners" / "bridges" / "divergences"


@pytest.mark.parametrize("path", sorted(_OF_BRIDGES.glob("*.toml")), ids=lambda path: path.stem)
def test_declarations_of_the_bridges_are_read(path: Path) -> None:
    """Every entry in the bridges' files of declared divergences can be read."""
    entries = path.read_text(encoding="utf-8").count("[[divergence]]")

    assert len(read_all_declarations([path])) == entries
