"""A file of declared divergences: what it takes, and the one line for everything that it does not."""

import json
from pathlib import Path

import pytest

from parity.declared import DeclarationsError, read_all_declarations, read_declarations
from parity.operations import READ_REWARD, AggregateCase, only_text

_WITNESS = {"metric": "mean", "rewards": [{"a": {"int": "1"}, "b": {"int": "2"}}, {"a": {"int": "1"}}]}
_ENTRY = {
    "operation": '"aggregate"',
    "flags": '["missing-key"]',
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
    """All of an entry is read, with the line on which each key stands."""
    path = _file(tmp_path, _ENTRY, {**_ENTRY, "flags": "[]"})

    first, second = read_declarations(path)

    assert (first.name, second.name) == ("aggregate[missing-key]", "aggregate[any]")
    assert (first.class_, first.reason) == ("by-design", "keys that are missing are left out")
    assert first.witness == AggregateCase("mean", ({"a": 1, "b": 2}, {"a": 1}))
    assert first.runner == {"fault": {"kind": "KeyError"}}
    assert (first.at(), first.at("runner"), second.at("reference")) == (f"{path}:1", f"{path}:8", f"{path}:15")


def test_nothing_declared(tmp_path: Path) -> None:
    """A file of comments declares nothing, but is no mistake where it says so."""
    path = tmp_path / "declared.toml"
    path.write_text("# Where my-runner scores otherwise than harbor 0.13.1.\n")

    assert read_declarations(path) == ()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"operation": '"score"'}, ":2: there is no operation 'score'; there are read_reward, "),
        ({"flags": '"missing-key"'}, ":3: flags takes a list of flags"),
        ({"flags": "[1]"}, ":3: flags takes a list of flags"),
        ({"flags": '["missing-keys"]'}, ":3: aggregate has no flag 'missing-keys'; the README lists them"),
        ({"flags": '["no-rewards"]'}, ":6: the witness does not carry no-rewards, so it is not in the region"),
        ({"class": '"wontfix"'}, ":4: class takes one of to-fix, by-design, reference-bug, not 'wontfix'"),
        ({"reason": '" "'}, ":5: reason takes a text that says why"),
        ({"witness": "'{'"}, ":6: witness: not JSON in a text; write it again with --write-divergences"),
        ({"witness": "1"}, ":6: witness: not JSON in a text"),
        (
            {"witness": """'{"metric": "mean"}'"""},
            ":6: witness: an aggregate case takes a metric and",
        ),
        ({"reference": "'[]'"}, ":7: reference: an answer takes a value, or a fault with a kind"),
        ({"runner": """'{"value": {"f64": "1"}}'"""}, ":8: runner: f64 takes sixteen hex digits"),
        (
            {"runner": """'{"value": NaN}'"""},
            ':8: runner: a plain number, NaN, where {"f64":"7ff8000000000000"} should be',
        ),
        (
            {"runner": """'{"value": {"a": 0.5}}'"""},
            ':8: runner: a plain number, 0.5, where {"f64":"3fe0000000000000"} should be; write it again with --write-',
        ),
        ({"reference": """'{"value": {"a": 1}}'"""}, ':7: reference: a plain number, 1, where {"int":"1"} should be'),
        (
            {"witness": """'{"metric": "mean", "rewards": [{"a": 1}]}'"""},
            ':6: witness: a plain number, 1, where {"int":"1"} should be',
        ),
        (
            {"witness": """'{"metric": "median", "rewards": []}'"""},
            ":6: witness: there is no metric 'median'; there are mean, max, min, sum",
        ),
        ({"operation": "[]"}, ":2: there is no operation []; there are read_reward, "),
        ({"class": "[]"}, ":4: class takes one of to-fix, by-design, reference-bug, not []"),
        ({"reference": """'{"crash": true}'"""}, ":7: reference: an answer takes a value, or a fault with a kind"),
        ({"runner": """'{"unsupported": true}'"""}, ":8: runner: an answer takes a value, or a fault with a kind"),
        ({"runner": """'{"value": null, "fault": {"kind": "x"}}'"""}, ":8: runner: an answer takes a value, or a"),
        ({"runner": _ENTRY["reference"]}, ":8: reference and runner answer alike, so nothing diverges"),
        ({"since": '"1.0"'}, ":9: since is no key of an entry; there are operation, flags, class, reason, "),
    ],
)
def test_refused(change: dict[str, str], complaint: str, tmp_path: Path) -> None:
    """Every mistake in an entry is one line that names the file, the line and what is taken."""
    path = _file(tmp_path, {**_ENTRY, **change})

    with pytest.raises(DeclarationsError) as refused:
        read_declarations(path)

    assert str(refused.value).startswith(f"{path}{complaint}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("key", _ENTRY)
def test_nothing_is_optional(key: str, tmp_path: Path) -> None:
    """An entry without one of its keys is refused."""
    path = _file(tmp_path, {name: value for name, value in _ENTRY.items() if name != key})

    with pytest.raises(DeclarationsError, match=f"declared.toml:1: the entry lacks {key}$"):
        read_declarations(path)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"[[divergence]\n", "not TOML: "),
        (b"\xff\n", "not UTF-8; save it as that"),
        (b"[divergence]\n", "it takes nothing but tables [[divergence]]"),
        (b"divergence = [1]\n", "it takes nothing but tables [[divergence]]"),
        (b"divergence = [{}]\n", "write every entry under a line [[divergence]] of its own"),
        (b"[[divergence]]\nflags = " + b"[" * 100_000, "not such a file: it is nested too deeply"),
        (b"[[divergence]]\n[runner]\n", "it takes nothing but tables [[divergence]]"),
    ],
)
def test_no_such_file(content: bytes, complaint: str, tmp_path: Path) -> None:
    """What is no file of declarations is refused in one line."""
    path = tmp_path / "declared.toml"
    path.write_bytes(content)

    with pytest.raises(DeclarationsError) as refused:
        read_declarations(path)

    assert str(refused.value).startswith(f"{path}: {complaint}")
    assert "\n" not in str(refused.value)


def test_absent(tmp_path: Path) -> None:
    """So is a file that is not there."""
    with pytest.raises(DeclarationsError, match=r"nowhere\.toml: No such file or directory; name a file of declared"):
        read_declarations(tmp_path / "nowhere.toml")


def test_one_region_one_entry(tmp_path: Path) -> None:
    """Two entries for one region are one too many."""
    path = _file(tmp_path, _ENTRY, _ENTRY)
    told = rf"toml:9: a second entry for aggregate\[missing-key\], as at {path}:1; keep one"

    with pytest.raises(DeclarationsError, match=told):
        read_all_declarations([path])


def test_one_region_one_entry_in_all_files(tmp_path: Path) -> None:
    """So are two in two files, or one file that is named twice."""
    path = _file(tmp_path, _ENTRY)
    other = tmp_path / "other.toml"
    other.write_text(path.read_text())

    for second in (other, path):
        with pytest.raises(DeclarationsError, match=rf"{second}:1: a second entry for .*, as at {path}:1; keep one"):
            read_all_declarations([path, second])


def test_a_repeated_piece_is_counted_by_a_plain_number(tmp_path: Path) -> None:
    """The one plain number that the wire knows is taken."""
    case = only_text(b"1" * 70)
    witness = f"'{json.dumps(READ_REWARD.encode(case))}'"
    path = _file(tmp_path, {**_ENTRY, "operation": '"read_reward"', "flags": "[]", "witness": witness})

    (entry,) = read_declarations(path)

    assert '"times": 70' in witness
    assert entry.witness == case
