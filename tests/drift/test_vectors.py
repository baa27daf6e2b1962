"""The vectors with different answers in two releases, by rule and harm."""

from collections.abc import Sequence
from pathlib import Path

from parity.drift.shown import drift_lines
from parity.drift.vectors import OperationDrift, by_rule, chosen_vectors, compare_releases
from parity.runners import CleanRoom, Unsupported
from parity.scorer.values import Rewards
from tests.drift.fake_releases import OLD, release
from tests.faulty.aggregate.sums import AddsOneByOne


def _drifts(runner: object, *chosen: str) -> list[OperationDrift]:
    return compare_releases(OLD, release(runner), chosen_vectors(chosen), lambda operation, vectors: None)


def test_a_release_like_the_other_moves_nothing() -> None:
    """Between equal releases, every vector is answered and none differs."""
    (drift,) = _drifts(CleanRoom(), "pass_at_k")

    assert (drift.name, drift.answered, drift.moved) == ("pass_at_k", 112, [])


def test_what_moves_is_put_down_to_its_rule() -> None:
    """A difference is reported under its rule, with its harm and the smallest case."""
    (found,) = by_rule(_drifts(AddsOneByOne(), "summation/compensated/"))

    assert (found.rule.slug, found.harm) == ("summation/compensated", "withholds")
    worst = [moved for moved in found.moved if moved.divergence.harm == "withholds"]
    assert found.smallest.size == min(moved.size for moved in worst)
    assert len(worst) < len(found.moved)


class _Generous(CleanRoom):
    """A release that adds in a loop, and gives everybody two."""

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        return AddsOneByOne().aggregate(metric, rewards)

    def read_reward(self, directory: Path) -> Rewards | None:
        return {"reward": 2.0}


def test_the_worst_comes_first() -> None:
    """The worst harm comes first, whatever the order of the operations."""
    found = by_rule(_drifts(_Generous(), "summation/compensated/cancel/", "reward-file/empty"))

    assert [each.harm for each in found] == ["pays-out", "withholds"]


class _Early:
    """A release with one metric of one operation."""

    name = "early"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        if metric != "mean":
            raise Unsupported("it has only means")
        return CleanRoom().aggregate(metric, rewards)


def test_what_a_release_does_not_have_is_named() -> None:
    """An operation or vector that a release lacks is named with the reason, and not counted as different."""
    drifts = _drifts(_Early(), "summation/mixed/", "pass-at-k/eligible/")

    aggregate, pass_at_k = drifts
    assert list(aggregate.lacking) == [("harbor 2.0", "it has only means")]
    assert aggregate.answered > 0
    assert (list(pass_at_k.lacking), pass_at_k.answered) == ([("harbor 2.0", "it has no pass_at_k")], 0)
    assert aggregate.moved == pass_at_k.moved == []


def test_what_no_release_decides_is_not_asked() -> None:
    """Operations that no release of Harbor decides are not asked."""
    asked = chosen_vectors(["outcome", "reason", "harbor_env"])

    assert not {"outcome", "reason_code"} & asked.keys()
    assert {each.case.scoring for each in asked["harbor_env"]} == {"harbor"}


def test_the_text() -> None:
    """The text has the rules with both answers, then the operations, then the total."""
    drifts = _drifts(AddsOneByOne(), "summation/compensated/ten-tenths/mean", "pass-at-k/eligible/")

    lines = list(drift_lines(OLD, release(AddsOneByOne()), drifts))

    assert lines[0].startswith("last bits: summation/compensated: ")
    assert [line.split("  ")[1] for line in lines[1:4]] == ["smallest case", "harbor 1.0", "harbor 2.0"]
    assert lines[-1] == (
        f"harbor 2.0 answers 1 of {sum(drift.answered for drift in drifts)} vectors differently from harbor 1.0: "
        "1 rule differs in last bits only"
    )
