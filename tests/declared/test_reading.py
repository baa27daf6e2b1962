"""Reading a file of declared divergences: valid entries, and one line for every mistake."""

import json
from pathlib import Path

import pytest

import parity
from parity.operations.aggregate import AggregateCase
from parity.operations.read_reward import READ_REWARD, only_text
from parity.suite.declared import DeclarationsError, read_all_declarations, read_declarations

_WITNESS = {"metric": "mean", "rewards": [{"a": {"int": "1"}, "b": {"int": "2"}}, {"a": {"int": "1"}}]}
_ENTRY = {
    "operation": '"aggregate"',
    "flags": '["missing-key"]',
    "difference": '"error-for-value"',
    "class": '"by-design"',
    "reason": '"keys that are missing are left out"',
    "witness": f"'{json.dumps(_WITNESS)}'",
    "reference": """'{"value": {"a": {"f64": "3ff0000000000000"}}}'""",
    "runner": """'{"fault": {"kind": "KeyError"}}'""",
}


def _file(folder: Path, *entries: dict[str, str]) -> Path:
    path = folder / "declared.toml"
    path.write_text("".join("[[divergence]]\n" + "".join(f"{k} = {v}\n" for k, v in each.items()) for each in entries))
    return path


def test_an_entry(tmp_path: Path) -> None:
    """Every part of an entry is read, with the line number of each key."""
    path = _file(tmp_path, _ENTRY, {**_ENTRY, "flags": '["several-keys"]'})

    first, second = read_declarations(path)

    assert (first.name, second.name) == (
        "aggregate[missing-key] error-for-value",
        "aggregate[several-keys] error-for-value",
    )
    assert (first.class_, first.reason) == ("by-design", "keys that are missing are left out")
    assert first.witness == AggregateCase("mean", ({"a": 1, "b": 2}, {"a": 1}))
    assert first.runner == {"fault": {"kind": "KeyError"}}
    assert (first.difference, first.harm) == ("error-for-value", "withholds")
    assert (first.at(), first.at("runner"), second.at("reference")) == (f"{path}:1", f"{path}:9", f"{path}:17")


def test_nothing_declared(tmp_path: Path) -> None:
    """A file of comments alone declares nothing."""
    path = tmp_path / "declared.toml"
    path.write_text("# Where my-runner scores otherwise than harbor 0.13.1.\n")

    assert read_declarations(path) == ()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"operation": '"score"'}, ":2: there is no operation 'score'; there are read_reward, "),
        ({"flags": '"missing-key"'}, ":3: flags takes a list of flags"),
        ({"flags": "[1]"}, ":3: flags takes a list of flags"),
        (
            {"flags": '["missing-keys"]'},
            ":3: aggregate has no flag 'missing-keys'; parity/operations/aggregate/README.md lists them",
        ),
        ({"flags": '["no-rewards"]'}, ":7: the witness does not carry no-rewards, so it is not in the region"),
        (
            {"difference": '"other"'},
            ":4: difference takes one of value-for-error, error-for-value, other-error, other-",
        ),
        ({"difference": "[]"}, ":4: difference takes one of value-for-error, error-for-value, other-error, other-"),
        (
            {"difference": '"other-value"'},
            ':4: the witness diverges in another way; change the line to: difference = "error-for-value"',
        ),
        ({"class": '"wontfix"'}, ":5: class takes one of to-fix, by-design, reference-bug, not 'wontfix'"),
        ({"reason": '" "'}, ":6: reason takes a text that says why"),
        ({"witness": "'{'"}, ":7: witness: not JSON in a text; write it again with --write-divergences"),
        ({"witness": "1"}, ":7: witness: not JSON in a text"),
        (
            {"witness": """'{"metric": "mean"}'"""},
            ":7: witness: an aggregate case: rewards is missing; write it again with",
        ),
        ({"reference": "'[]'"}, ":8: reference: an answer takes a value, or a fault with a kind"),
        ({"runner": """'{"value": {"f64": "1"}}'"""}, ":9: runner: f64 takes sixteen hex digits"),
        (
            {"runner": """'{"value": NaN}'"""},
            ':9: runner: a plain number, NaN, where {"f64":"7ff8000000000000"} should be',
        ),
        (
            {"runner": """'{"value": {"a": 0.5}}'"""},
            ':9: runner: a plain number, 0.5, where {"f64":"3fe0000000000000"} should be; write it again with --write-',
        ),
        ({"reference": """'{"value": {"a": 1}}'"""}, ':8: reference: a plain number, 1, where {"int":"1"} should be'),
        (
            {"witness": """'{"metric": "mean", "rewards": [{"a": 1}]}'"""},
            ':7: witness: a plain number, 1, where {"int":"1"} should be',
        ),
        (
            {"witness": """'{"metric": "median", "rewards": []}'"""},
            ":7: witness: an aggregate case takes one of the metrics mean, max, min, sum, not 'median'",
        ),
        ({"operation": "[]"}, ":2: there is no operation []; there are read_reward, "),
        ({"class": "[]"}, ":5: class takes one of to-fix, by-design, reference-bug, not []"),
        ({"reference": """'{"crash": true}'"""}, ":8: reference: an answer takes a value, or a fault with a kind"),
        ({"runner": """'{"unsupported": true}'"""}, ":9: runner: an answer takes a value, or a fault with a kind"),
        ({"runner": """'{"value": null, "fault": {"kind": "x"}}'"""}, ":9: runner: an answer takes a value, or a"),
        (
            {"runner": _ENTRY["reference"]},
            ":9: reference and runner give the same answer, so nothing diverges; remove the entry",
        ),
        ({"since": '"1.0"'}, ":10: an entry has no key since; its keys are operation, flags, difference, class, "),
    ],
)
def test_refused(change: dict[str, str], complaint: str, tmp_path: Path) -> None:
    """Every mistake in an entry gives one line with the file, the line and the allowed values."""
    path = _file(tmp_path, {**_ENTRY, **change})

    with pytest.raises(DeclarationsError) as refused:
        read_declarations(path)

    assert str(refused.value).startswith(f"{path}{complaint}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("key", [key for key in _ENTRY if key != "difference"])
def test_nothing_is_optional(key: str, tmp_path: Path) -> None:
    """An entry that lacks a key is refused."""
    path = _file(tmp_path, {name: value for name, value in _ENTRY.items() if name != key})

    with pytest.raises(DeclarationsError, match=f"declared.toml:1: the entry lacks {key}$"):
        read_declarations(path)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"[[divergence]\n", "not TOML: "),
        (b"\xff\n", "not UTF-8; save it as UTF-8"),
        (b"[divergence]\n", "it may hold only tables [[divergence]]; remove everything else"),
        (b"divergence = [1]\n", "it may hold only tables [[divergence]]; remove everything else"),
        (b"divergence = [{}]\n", "begin every entry with its own line [[divergence]]"),
        (b"[[divergence]]\nflags = " + b"[" * 100_000, "not a file of declared divergences: nested too deeply"),
        (b"[[divergence]]\n[runner]\n", "it may hold only tables [[divergence]]; remove everything else"),
    ],
)
def test_no_such_file(content: bytes, complaint: str, tmp_path: Path) -> None:
    """A file that is not a file of declarations is refused in one line."""
    path = tmp_path / "declared.toml"
    path.write_bytes(content)

    with pytest.raises(DeclarationsError) as refused:
        read_declarations(path)

    assert str(refused.value).startswith(f"{path}: {complaint}")
    assert "\n" not in str(refused.value)


def test_absent(tmp_path: Path) -> None:
    """A missing file is refused in one line."""
    with pytest.raises(DeclarationsError, match=r"nowhere\.toml: No such file or directory; name a file of declared"):
        read_declarations(tmp_path / "nowhere.toml")


_CRASH = """'{"crash": true}'"""
_UNUSUAL = """'{"unusual": "Decimal"}'"""
_HIGHER = """'{"value": {"a": {"f64": "4000000000000000"}}}'"""


@pytest.mark.parametrize(
    ("runner", "difference"),
    [
        (_ENTRY["runner"], "error-for-value"),
        (_HIGHER, "other-value"),
        ("""'{"value": {"a": {"int": "1"}}}'""", "other-type"),
        (_UNUSUAL, "other-type"),
        (_CRASH, "no-answer"),
    ],
)
def test_an_old_file(runner: str, difference: str, tmp_path: Path) -> None:
    """An entry without a kind of difference is refused with the line to add; a draft adds the kind."""
    old = {key: value for key, value in _ENTRY.items() if key != "difference"}
    path = _file(tmp_path, {**old, "runner": runner})

    with pytest.raises(DeclarationsError) as refused:
        read_all_declarations([path])
    (entry,) = read_all_declarations([path], revising=True)

    assert str(refused.value) == (
        f'{path}:1: the entry lacks difference; add the line difference = "{difference}", '
        "or revise the whole file with --write-divergences"
    )
    assert (entry.difference, entry.is_dated) == (difference, True)


@pytest.mark.parametrize("difference", ["other-type", "other-value"])
def test_an_answer_that_no_file_holds(difference: str, tmp_path: Path) -> None:
    """If the file does not hold the runner's exact answer, the kind is read, and the harm is unknown."""
    path = _file(tmp_path, {**_ENTRY, "runner": _UNUSUAL, "difference": f'"{difference}"'})

    (entry,) = read_declarations(path)

    assert (entry.difference, entry.harm) == (difference, None)


def test_one_region_one_entry(tmp_path: Path) -> None:
    """A second entry for the same kind and region is refused."""
    path = _file(tmp_path, _ENTRY, _ENTRY)
    message = rf"toml:10: a second entry for aggregate\[missing-key\] error-for-value, as at {path}:1; keep one"

    for revising in (False, True):
        with pytest.raises(DeclarationsError, match=message):
            read_all_declarations([path], revising=revising)


def test_one_region_one_entry_in_all_files(tmp_path: Path) -> None:
    """A second entry in another file, or in a file that is named twice, is refused."""
    path = _file(tmp_path, _ENTRY)
    other = tmp_path / "other.toml"
    other.write_text(path.read_text())

    for second in (other, path):
        with pytest.raises(DeclarationsError, match=rf"{second}:1: a second entry for .*, as at {path}:1; keep one"):
            read_all_declarations([path, second])


_WIDER = {**_ENTRY, "flags": "[]"}
_WITHHOLDS = {"difference": '"other-value"', "runner": """'{"value": {"a": {"f64": "0000000000000000"}}}'"""}
_PAYS_OUT = {"difference": '"other-value"', "runner": _HIGHER}


@pytest.mark.parametrize(
    ("wider", "narrower"),
    [
        ({}, {}),
        (_PAYS_OUT, _WITHHOLDS),
        ({"difference": '"no-answer"', "runner": _CRASH}, _PAYS_OUT),
    ],
)
def test_redundant(wider: dict[str, str], narrower: dict[str, str], tmp_path: Path) -> None:
    """An entry beside a wider one that allows as much is refused, in any order; a draft drops it."""
    path = _file(tmp_path, {**_ENTRY, **narrower}, {**_WIDER, **wider})

    with pytest.raises(DeclarationsError) as refused:
        read_all_declarations([path])

    narrow, wide = read_all_declarations([path], revising=True)
    assert str(refused.value) == (
        f"{path}:1: {narrow.name} is redundant beside {wide.name} at {path}:10, which allows as much; keep one"
    )


@pytest.mark.parametrize(
    ("wider", "narrower"),
    [(_WITHHOLDS, _PAYS_OUT), ({}, _PAYS_OUT), (_PAYS_OUT, {}), ({}, {"runner": _CRASH, "difference": '"no-answer"'})],
)
def test_not_redundant(wider: dict[str, str], narrower: dict[str, str], tmp_path: Path) -> None:
    """An entry that allows another kind, or more harm, than a wider one is accepted."""
    path = _file(tmp_path, {**_ENTRY, **narrower}, {**_WIDER, **wider})

    assert len(read_all_declarations([path])) == 2


def test_a_repeated_piece_is_counted_by_a_plain_number(tmp_path: Path) -> None:
    """The count of a repeated piece is a plain number, the only one on the wire."""
    case = only_text(b"1" * 70)
    witness = f"'{json.dumps(READ_REWARD.encode(case))}'"
    change = {"operation": '"read_reward"', "flags": "[]", "witness": witness}
    path = _file(tmp_path, {**_ENTRY, **change})

    (entry,) = read_declarations(path)

    assert '"times": 70' in witness
    assert entry.witness == case


_BRIDGES = Path(parity.__file__).parent / "runners" / "bridges" / "divergences"


@pytest.mark.parametrize("path", sorted(_BRIDGES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_files_of_the_bridges_can_be_read(path: Path) -> None:
    """Every entry in the bridges' files can be read."""
    entries = path.read_text(encoding="utf-8").count("[[divergence]]")

    assert len(read_declarations(path)) == entries


_OF_BRIDGES = Path(parity.__file__).parent / "runners" / "bridges" / "divergences"


@pytest.mark.parametrize("path", sorted(_OF_BRIDGES.glob("*.toml")), ids=lambda path: path.stem)
def test_files_of_bridges_are_read(path: Path) -> None:
    """No entry of a bridge is malformed, or redundant beside another one."""
    assert read_all_declarations([path])
