"""Tests under which rule a divergence is shown, and that the order of tests and declarations change no counts."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import pytest

from parity.command import main
from parity.operations.goldens import read_vectors
from parity.operations.pass_at_k import PASS_AT_K
from parity.operations.read_reward import READ_REWARD, only_json, only_text
from parity.operations.series import running_series
from parity.reference.identity import GoldenOnly
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer import Rewards, Trial
from parity.suite.checker import Checker
from parity.suite.declared import Declaration, Declarations
from parity.suite.divergence import DivergenceFound
from parity.suite.findings import Recorder
from parity.suite.golden_vectors import check_vectors
from parity.suite.report.page import page_of
from parity.suite.report.reading import read_report
from parity.suite.report.verdicts import as_markdown
from parity.suite.run import DIVERGED, Counts, comparisons, grouped, total
from parity.suite.run import Run as Found
from tests.declared.divergences import declaring
from tests.running import Run
from tests.shown.blocks import shown_rules


class OneUlpMore(CleanRoom):
    """A runner whose pass@k is the next double, unless it is 0 or 1."""

    name = "one-ulp"

    def pass_at_k(self, trials: Sequence[Trial]) -> Any:
        right = super().pass_at_k(trials)
        return {key: {k: self._next(each) for k, each in group.items()} for key, group in right.items()}

    def _next(self, estimate: float) -> float:
        return math.nextafter(estimate, 2) if 0 < estimate < 1 else estimate


def _findings(checker: Checker, operation: Any) -> list[DivergenceFound]:
    """Ask all golden vectors of an operation, and return the divergences."""
    with checker.clock.installed(), pytest.raises(ExceptionGroup) as caught:
        check_vectors(operation, checker, running_series())
    return [each for each in caught.value.exceptions if isinstance(each, DivergenceFound)]


def _counts_of(rule: str, checker: Checker) -> Counts:
    return grouped(checker.run.counts, lambda each: each.rule)[rule]


def _against_vectors(runner: Any) -> Checker:
    return Checker(GoldenOnly(), runner, Clock(Clock.DEFAULT), verifies_goldens=False)


def test_vector_whose_rule_such_a_difference_cannot_break_is_shown_under_another() -> None:
    """One ULP in an estimate is not shown under the rule on the set of k; that rule keeps the count."""
    checker = _against_vectors(OneUlpMore())

    findings = [each for each in _findings(checker, PASS_AT_K) if "/multiples-of-five/" in str(each.divergence.vector)]

    counts = _counts_of("pass-at-k/multiples-of-five", checker)
    assert {each.divergence.rule.slug for each in findings} == {"pass-at-k/multiples-of-five"}
    assert {each.divergence.shown.slug for each in findings} <= {"pass-at-k/estimator", "pass-at-k/mean-over-tasks"}
    assert (total(counts, *DIVERGED), total(counts, "displayed")) == (len(findings), 0)


def test_one_ulp_is_shown_as_a_wrong_estimate() -> None:
    """With recorded answers alone, one ULP in the estimates is shown under the rule on the estimator first."""
    shown = shown_rules(OneUlpMore(), ["pass_at_k"])

    assert shown[0] == "pass-at-k/estimator"
    assert "pass-at-k/multiples-of-five" not in shown


class _MeansOverPresentKeys(CleanRoom):
    """A runner whose means leave out the trials that lack a key."""

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Any:
        keys = {key for each in rewards for key in each or {}}
        if metric != "mean" or len(keys) < 2:
            return super().aggregate(metric, rewards)
        columns = {key: [each[key] for each in rewards if each and key in each] for key in sorted(keys)}
        return {key: sum(column) / len(column) for key, column in columns.items()}


class _AddsInAnotherOrder(CleanRoom):
    """A runner that adds the last trial first."""

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Any:
        return super().aggregate(metric, rewards[::-1] if metric in ("mean", "sum") else rewards)


class _EscapesHtml(CleanRoom):
    """A runner that escapes the characters of HTML, as Go's encoding/json does."""

    def job_stats(self, job: Any) -> str:
        text = super().job_stats(job)
        return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@pytest.mark.parametrize(
    ("runner", "operation", "first"),
    [
        (_MeansOverPresentKeys, "aggregate", "aggregate/missing-key-is-zero"),
        (_AddsInAnotherOrder, "aggregate", "summation/mixed"),
        (_EscapesHtml, "job_stats", "result-text/unescaped"),
    ],
)
def test_mistake_is_shown_under_the_rule_about_it(runner: type[CleanRoom], operation: str, first: str) -> None:
    """A mean over the keys that are present, another order, and escapes of HTML come under their own rules first."""
    shown = shown_rules(runner(), [operation])

    assert shown[0] == first
    assert "aggregate/different-single-keys" not in shown


class _KnowsOneText(CleanRoom):
    """A runner that misreads one number, which no golden vector has, and all texts with a plus sign."""

    def read_reward(self, directory: Path) -> Rewards | None:
        path = directory / "reward.txt"
        content = path.read_bytes() if path.is_file() else b""
        if content == b"0.7654321" or (content.startswith(b"+") and content[1:].isdigit()):
            return {"reward": 1e9}
        return super().read_reward(directory)


@pytest.mark.parametrize(
    ("content", "like"),
    [(b"0.7654321", "no golden vector shows this"), (b"+0", "reward-text/spelling/txt/+1")],
)
def test_case_names_the_vector_that_shows_it(content: bytes, like: str, tmp_path: Path) -> None:
    """The report of a generated case names a golden vector that diverges in the same way, or says that none does."""
    checker = Checker(CleanRoom(), _KnowsOneText(), Clock(Clock.DEFAULT))

    with checker.clock.installed(), suppress(DivergenceFound):
        checker.check(READ_REWARD, [only_text(content)])
    Recorder(checker, tmp_path, str).record(None)

    (record,) = checker.run.divergences
    assert record.like == like


class _StringsAreOneMore(CleanRoom):
    """A runner that adds 1 to rewards in a reward.json with a string, and to those of a reward.txt with a blank."""

    def read_reward(self, directory: Path) -> Rewards | None:
        rewards = super().read_reward(directory)
        for name, sign in (("reward.json", b': "'), ("reward.txt", b" ")):
            path = directory / name
            if path.is_file() and sign in path.read_bytes():
                return {key: value + 1 for key, value in (rewards or {}).items()}
        return rewards


_CASES = [only_json(b'{"reward": "0.25"}'), only_text(b"1"), only_text(b" 1"), only_json(b'{"a": "3", "b": 1}')]


def _draw(checker: Checker) -> None:
    """Check some cases, as a test that draws them does."""
    with checker.clock.installed():
        for case in _CASES:
            with suppress(DivergenceFound):
                checker.check(READ_REWARD, [case])


def _ask_golden(checker: Checker) -> None:
    with suppress(ExceptionGroup), checker.clock.installed():
        check_vectors(READ_REWARD, checker, running_series())


def _findings_of(directory: Path, *tests: Callable[[Checker], None], apart: bool = False) -> Found:
    """Return what tests find that run in this order, each in its own process if apart."""
    first = Checker(CleanRoom(), _StringsAreOneMore(), Clock(Clock.DEFAULT), verifies_goldens=False)
    checkers = [first]
    for test in tests:
        if apart and test is not tests[0]:
            checkers.append(Checker(CleanRoom(), _StringsAreOneMore(), Clock(Clock.DEFAULT), verifies_goldens=False))
        with suppress(ExceptionGroup), checkers[-1].running(test.__name__):
            test(checkers[-1])
        Recorder(checkers[-1], directory, str).record(None)
    return reduce(or_, (each.run for each in checkers))


def _drawn(run: Found) -> Counts:
    return Counter({question: count for question, count in run.counts.items() if question.source == "drawn"})


def test_order_of_tests_does_not_matter(tmp_path: Path) -> None:
    """Vectors first, generated cases first, or each in a process of its own: counts and reported cases are the same."""
    golden_first = _findings_of(tmp_path, _ask_golden, _draw)

    assert golden_first == _findings_of(tmp_path, _draw, _ask_golden)
    assert golden_first == _findings_of(tmp_path, _draw, _ask_golden, apart=True)
    assert total(_drawn(golden_first), *DIVERGED) == 3


def test_deselected_vectors_change_no_generated_case(tmp_path: Path) -> None:
    """Without the test of the vectors, the same generated cases are reported, with the same vectors."""
    both, alone = _findings_of(tmp_path, _ask_golden, _draw), _findings_of(tmp_path, _draw)

    assert _drawn(both) == _drawn(alone) == alone.counts
    assert [bool(each.like) for each in alone.divergences] == [True, True]


@pytest.mark.parametrize("is_declared", [True, False])
def test_declared_case_is_not_shown(is_declared: bool) -> None:
    """A generated case that is declared counts as declared, although golden vectors diverge in the same way."""
    rule = "reward-json/number-string"
    entries: tuple[Declaration, ...] = (declaring({"pays-out": ["string/0.5"]}, rule=rule),) if is_declared else ()
    checker = Checker(CleanRoom(), _StringsAreOneMore(), Clock(Clock.DEFAULT), declarations=Declarations(entries))

    with checker.clock.installed():
        for _ in range(2):
            checker.check(READ_REWARD, [_CASES[0]])

    counts = _counts_of(rule, checker)
    assert (total(counts, "declared"), total(counts, *DIVERGED)) == ((2, 0) if is_declared else (0, 2))
    assert len(checker.findings) == (not is_declared)


def _in_order(text: str) -> list[str]:
    """Return the slugs of rules in a text, each once."""
    return list(dict.fromkeys(re.findall(r"\b(?:reward-\w+|pass-at-k|aggregate|summation)/[\w-]+", text)))


def test_terminal_page_and_markdown_have_one_order(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """The blocks in the terminal, the page, the table in Markdown and the list of a record have the same order."""
    suite = ("--pyargs", "parity", "--reference", "golden", "-k", "read_reward", "--report", "report.json", "-v")
    printed = run(*suite, "--runner", "tests.shown.naive:Rounds").stdout
    report = read_report(Path("report.json"))
    capsys.readouterr()

    main(["report", "report.json"])
    listed = _in_order(capsys.readouterr().out)
    blocks = [line.split(": ")[1] for line in printed.splitlines() if line.startswith("DIVERGENCE in ")]
    page = re.findall("<h3>(.*?):", page_of([report], datetime(2026, 1, 1, tzinfo=UTC)))
    table = _in_order(as_markdown([report]))

    assert len(blocks) > 2
    assert [rule for rule in listed if rule in blocks] == blocks
    assert page == listed
    assert table == listed
    assert f"SPEC.md#{blocks[0]};" in printed


def test_vectors_are_not_left_out_after_a_hang_on_a_fifo() -> None:
    """A runner that hangs if any file is a FIFO is asked all vectors without a FIFO, under whatever rule."""

    class Hangs(CleanRoom):
        def read_reward(self, directory: Path) -> Rewards | None:
            while any((directory / name).is_fifo() for name in ("reward.json", "reward.txt")):
                pass
            return super().read_reward(directory)

    checker = Checker(GoldenOnly(), Hangs(), Clock(5.0), verifies_goldens=False)
    vectors = [each for each in read_vectors("read_reward") if "fifo" in (each.case.json.kind, each.case.text.kind)]

    findings = _findings(checker, READ_REWARD)

    assert total(_counts_of("reward-file/fifo-is-empty", checker), "hung") == 1
    assert total(checker.run.counts, "hung") == 1
    assert total(checker.run.counts, "left-out") == len(vectors) - 1
    assert [each.divergence.rule.slug for each in findings] == ["reward-file/fifo-is-empty"]


def test_generated_cases_are_asked_after_a_hang_on_a_fifo() -> None:
    """After a hang that golden vectors show, a test asks all cases but those that would hang in the same way."""

    class Hangs(CleanRoom):
        hung = 0

        def read_reward(self, directory: Path) -> Rewards | None:
            if any((directory / name).is_fifo() for name in ("reward.json", "reward.txt")):
                type(self).hung += 1
                while True:
                    pass
            return super().read_reward(directory)

    fifo = next(each.case for each in read_vectors("read_reward") if each.id == "reward-file/fifo-is-empty/json-fifo")
    checker = Checker(CleanRoom(), Hangs(), Clock(5.0))

    with checker.clock.installed():
        for case in (fifo, only_text(b"1"), fifo, only_json(b"{}")):
            checker.check(READ_REWARD, [case])

    assert Hangs.hung == 2  # one generated case, one golden vector
    assert comparisons(checker.run.counts) == 3
    assert total(checker.run.counts, "left-out") == 1
