"""Tests for `parity explain`: the evidence for a rule, and unknown names."""

import pytest

from parity.command import main
from parity.operations.evidence import read_evidence
from parity.operations.rules import RULES


def _explained(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["explain", name]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def _refused(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["explain", name])
    out, err = capsys.readouterr()
    assert (ended.value.code, out, err.count("\n")) == (2, "", 1)
    return err


def test_every_rule_is_explained_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    """The explanation of a rule shows all of its evidence."""
    for slug, evidence in read_evidence().items():
        explained = _explained(slug, capsys).splitlines()

        assert explained[:2] == [f"{slug}, a rule of {evidence.operation}", f"  {evidence.sentence}"]
        rows = {line[2:15].strip(): line[15:] for line in explained[3:] if line[2:15].strip()}
        assert rows["decided by"] == evidence.function
        assert rows["clean room"] == evidence.clean_room[0]
        assert rows["vectors"].startswith(f"{len(evidence.vectors)}: {evidence.vectors[0]}")
        assert rows.get("broken by") == next(iter(evidence.faulty_runners), None)
        assert rows.keys() >= {"holds in", "vectors"}


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("reward-file/json-wins", "0.7.0 to 0.22.0"),
        ("reason-code/lower-case", "no release of Harbor decides it"),
    ],
)
def test_explanation_lists_the_releases(slug: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The explanation lists the releases that answer all of the rule's vectors as 0.13.1 does."""
    assert f"  holds in     {expected}\n" in _explained(slug, capsys)


def test_beginning_of_slugs_is_refused_with_suggestions(capsys: pytest.CaptureFixture[str]) -> None:
    """The beginning of a slug is refused in one line with the first ten slugs that begin like that."""
    number = sum(slug.startswith("job-stats/") for slug in RULES)

    few, many = _refused("extreme/", capsys), _refused("job-stats/", capsys)

    assert few == (
        "parity explain: no rule is called 'extreme/'; did you mean extreme/first-of-equals, extreme/nan?; "
        "see parity explain --help\n"
    )
    assert f" and {number - 10} more?" in many


def test_unknown_name_is_refused_with_similar_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown name is refused in one line with similar names."""
    assert _refused("reward-file/jsonwins", capsys).startswith(
        "parity explain: no rule is called 'reward-file/jsonwins'; did you mean reward-file/json-wins"
    )


def test_control_characters_in_a_name_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown name is refused with its control characters escaped."""
    assert _refused("\x1b[2J\n", capsys) == (
        "parity explain: no rule is called '\\x1b[2J\\n'; see parity explain --help\n"
    )
