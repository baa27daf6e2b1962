"""The output and the exit codes of `parity drift OLD NEW`."""

import json
import sys

import pytest

from parity.command import drift_show, main
from parity.runners import CleanRoom
from tests.drift.fake_releases import opening
from tests.faulty.aggregate.sums import AddsOneByOne


@pytest.fixture
def releases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Provide two releases; the newer one adds in a loop."""
    monkeypatch.setattr(drift_show, "opened", opening(AddsOneByOne()))


def test_nothing_moves(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without differences, the output has one line for each operation and one in all, and the exit code is 0."""
    monkeypatch.setattr(drift_show, "opened", opening(CleanRoom()))

    code = main(["drift", "1.0", "2.0", "-k", "pass_at_k"])

    out, err = capsys.readouterr()
    assert code == 0
    assert out.splitlines() == [
        "pass_at_k  0 of 112 vectors",
        "harbor 2.0 answers all 112 vectors of both as harbor 1.0 does",
    ]
    assert err.count("\n") == 1


@pytest.mark.usefixtures("releases")
def test_something_moves(capsys: pytest.CaptureFixture[str]) -> None:
    """With a difference, the output begins with its rule, and the exit code is 1."""
    code = main(["drift", "1.0", "2.0", "-k", "summation/compensated/"])

    assert code == 1
    assert capsys.readouterr().out.startswith("withholds: summation/compensated: ")


@pytest.mark.usefixtures("releases")
def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints one object with every vector that has different answers."""
    code = main(["drift", "1.0", "2.0", "--json", "-k", "summation/compensated/"])

    document = json.loads(capsys.readouterr().out)
    (rule,) = document["rules"]
    (operation,) = document["operations"]
    assert code == 1
    assert (document["old"]["label"], document["new"]["label"]) == ("harbor 1.0", "harbor 2.0")
    assert len(rule["vectors"]) == operation["moved"]
    assert rule["smallest"] in [vector["id"] for vector in rule["vectors"]]


def test_no_such_vector(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown vector is a usage error, before any release is started."""
    with pytest.raises(SystemExit) as ended:
        main(["drift", "0.13.1", "0.13.1", "-k", "no-such-rule"])

    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("name", ["0.0.1", "no/such/python"])
def test_a_release_that_cannot_be_asked(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A release that cannot be asked gives one line that names it, and exit code 3."""
    code = main(["drift", name, "0.13.1", "-k", "summation/"])

    out, err = capsys.readouterr()
    assert (code, out) == (3, "")
    assert err.startswith(f"parity drift: {name}: ")
    assert err.count("\n") == 1


def test_this_harbor_against_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """One interpreter can be compared with itself; the two processes have different labels."""
    code = main(["drift", sys.executable, sys.executable, "-k", "reward-file/json-wins"])

    out, err = capsys.readouterr()
    assert code == 0, err
    assert " [2] answers all " in out
