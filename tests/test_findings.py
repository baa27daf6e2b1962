"""Tests for merged findings: the simplest case for each rule, kind and harm, and each rule once in the terminal."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parity.operations.answers import Answer, Fault, Malformed, Value
from parity.operations.compare import Difference, compare_answers
from parity.operations.finding import GoldenFinding
from parity.operations.read_reward import READ_REWARD, only_json, only_text
from parity.operations.rules import OPERATION_OF, RULES
from parity.plugin.summary import blocks
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.suite.checker import Checker
from parity.suite.declared import StaleDeclaration
from parity.suite.display_order import place_of
from parity.suite.divergence import (
    Divergence,
    DivergenceFound,
    exception_class,
    first_line,
    shortened,
    shortened_apart,
    show_answer,
)
from parity.suite.divergence_records import divergence_record
from parity.suite.findings import Recorder, is_in_summary
from parity.suite.records import Count, DeclaredReason, DivergenceRecord
from parity.suite.replay import WrittenReplay
from parity.suite.run import Run, broken_rules

_EMPTY, _OTHER = Fault("RewardFileEmptyError"), Fault("ValueError")
_ZERO, _ONE = Value({"reward": 0.0}), Value({"reward": 1.0})


def _divergence(
    slug: str = "reward-file/missing",
    expected: Answer = _EMPTY,
    actual: Answer = _OTHER,
    content: bytes = b"1",
    vector: str | None = None,
) -> Divergence:
    difference = compare_answers(expected, actual)
    assert isinstance(difference, Difference)
    return Divergence(READ_REWARD, RULES[slug], only_text(content), expected, actual, difference, "mine", vector)


def _record(test: str = "a", declared: str | None = None, **more: Any) -> DivergenceRecord:
    reason = DeclaredReason("to-fix", declared) if declared else None
    replay = WrittenReplay("pytest …", Path(".parity/case.json"))
    return divergence_record(_divergence(**more), replay, test=test, declared=reason)


def _text_of(*records: DivergenceRecord, verbose: bool = False) -> str:
    return "\n\n".join("\n".join(lines) for lines in blocks(Run.of([], records), "mine", verbose=verbose))


def test_simplest_case_represents_its_rule_kind_and_harm() -> None:
    """The simplest case has few bytes, drawn cases come before vectors, and the case lists all tests."""
    plain = _record("b")
    others = [_record("a", content=b"22"), _record("c", content=b"333"), _record("b", vector="x")]

    for records in ([*others, plain], [plain, *reversed(others)]):
        (divergence,) = Run.of([], records).divergences

        assert divergence.vector is None
        assert divergence.case_bytes == plain.case_bytes
        assert divergence.tests == ("a", "b", "c")


def test_cases_with_another_kind_or_harm_are_kept() -> None:
    """Cases with another kind or harm are kept, rule by rule, and the worst harm of each rule first."""
    form = _record()
    hidden = _record(actual=_ZERO)
    paid = _record(actual=_ONE)
    other = _record(slug="reward-json/float", expected=_ZERO, actual=_ONE)

    divergences = Run.of([], [form, other, hidden, paid]).divergences

    assert [each.harm for each in divergences] == ["pays-out", "hides-failure", "form", "pays-out"]
    assert [each.rule for each in divergences] == [*["reward-file/missing"] * 3, "reward-json/float"]


def test_declared_divergences_are_kept_and_come_last() -> None:
    """Declared divergences come last, each with its own reason, and are not printed as divergences."""
    records = [_record(declared="one", actual=_ONE), _record(declared="two", actual=_ONE), _record()]

    divergences = Run.of([], records).divergences

    assert [each.declared and each.declared.reason for each in divergences] == [None, "one", "two"]
    assert "pays out" not in _text_of(*records)


def test_rule_is_printed_once() -> None:
    """A rule is printed once, with its worst case and a line for each further case; -v adds its source and tests."""
    entries = [_record("a"), _record("b"), _record("c", actual=_ONE)]

    text = _text_of(*entries)
    verbose = _text_of(*entries, verbose=True)

    assert text.count("DIVERGENCE") == verbose.count("DIVERGENCE") == 1
    assert text.startswith(
        "DIVERGENCE in read_reward (pays out): reward-file/missing: If there is no file, or no directory, "
    )
    assert text.endswith("also           form: ValueError instead of RewardFileEmptyError (.parity/case.json)")
    assert "  decided by     harbor.verifier." in verbose
    assert verbose.endswith("  also in        2 other tests")


def test_differing_place_is_printed_if_an_answer_is_cut() -> None:
    """The place of the difference is printed if an answer is cut, and always with -v."""
    cut = Value({str(number): 0.5 for number in range(100)})
    apart = Value({**cut.value, "50": 0.25})  # type: ignore[dict-item]

    long = _text_of(_record(expected=cut, actual=apart))
    short = _text_of(_record(expected=_ZERO, actual=_ONE))
    verbose = _text_of(_record(expected=_ZERO, actual=_ONE), verbose=True)

    assert "differs at     ['50']: 0.5 (float, 3fe0000000000000, " in long
    assert "differs at" not in short
    assert "differs at     ['reward']: 0.0 (float, " in verbose


def test_cut_answers_show_the_first_difference() -> None:
    """Answers that are cut still show their first difference."""
    same = {str(number): 0.5 for number in range(100)}
    _, _, reference, runner, *_ = _text_of(
        _record(expected=Value({**same, "50": "x"}), actual=Value({**same, "50": "y"}))
    ).splitlines()

    assert "'50': 'x'" in reference
    assert "'50': 'y'" in runner
    assert len(reference) < 500


def test_large_distance_is_shown_as_a_difference() -> None:
    """A large distance is shown as a difference, and a small distance in ULP."""
    near = _divergence(expected=Value({"a": 0.5}), actual=Value({"a": 0.5000000000000001}))
    far = _divergence(expected=Value({"a": 0.5}), actual=Value({"a": 1.0}))
    farthest = _divergence(expected=Value({"a": -1.7e308}), actual=Value({"a": 1.7e308}))

    assert first_line(near) == "another number at ['a'], 1 ULP apart"
    assert first_line(far) == "another number at ['a'], 0.5 apart"
    assert first_line(farthest).endswith(" ULP apart")


def test_milder_case_does_not_hide_a_worse_one() -> None:
    """A worse harm is reported in full, even after a simpler case."""
    mild = _record(slug="reward-text/malformed", content=b"x")

    worse = _text_of(mild, _record(slug="reward-text/padding", content=b" x", actual=_ONE))
    alike = _text_of(mild, _record(slug="reward-text/padding", content=b" x"))
    same_error = _text_of(mild, _record(slug="reward-text/float", content=b"10"))
    other_error = _text_of(mild, _record(slug="reward-text/float", content=b"10", actual=Fault("OSError")))

    assert worse.count("DIVERGENCE") == 2
    assert other_error.count("DIVERGENCE") == 2
    assert alike.count("DIVERGENCE") == same_error.count("DIVERGENCE") == 1
    assert "  stands for     perhaps reward-text/malformed" in alike


def test_ten_rules_have_a_block() -> None:
    """The ten worst rules have a block of at most eight lines, and the others a line."""
    slugs = [slug for slug, operation in OPERATION_OF.items() if operation is READ_REWARD][:14]
    slugs.sort(key=lambda slug: place_of(slug, "form", 0, 0))
    records = [_record(slug=slug, vector="x" * 9) for slug in slugs]
    run = Run.of([], [replace(each, summary=f"another answer {each.rule}") for each in records])

    *shown, rest = blocks(run, "mine", verbose=False)
    verbose = list(blocks(run, "mine", verbose=True))

    assert (len(shown), len(verbose)) == (10, 14)
    assert max(map(len, shown)) <= 8
    assert [line.split(": ")[1] for line in rest[1:]] == slugs[10:]


def test_line_of_a_rule_has_its_whole_vector() -> None:
    """The line of a rule without a block names the vector once and whole; a long line lacks the summary instead."""
    slugs = [slug for slug, operation in OPERATION_OF.items() if operation is READ_REWARD][:13]
    slugs.sort(key=lambda slug: place_of(slug, "form", 0, 0))
    names = {slugs[10]: f"{slugs[10]}/txt", slugs[11]: f"{slugs[11]}/{'x' * 100}"}
    records = [_record(slug=slug, vector=names.get(slug, "other/" + "x" * 100)) for slug in slugs]
    run = Run.of([], [replace(each, summary=f"another answer {slugs.index(each.rule)}") for each in records])

    *_, [_, *lines] = blocks(run, "mine", verbose=False)

    assert lines == [
        f"  form: {slugs[10]}/txt: another answer 10",
        f"  form: {slugs[11]}/{'x' * 100}",
        f"  form: {slugs[12]} (other/{'x' * 100})",
    ]


def test_rule_with_largest_share_of_diverging_vectors_comes_first() -> None:
    """Among rules with the same harm, the one with the largest share of diverging vectors comes first."""
    slugs = ("reward-file/missing", "reward-json/float", "reward-text/float")
    counts = [Count("vector", "displayed", rule=slug, count=n) for slug, n in zip(slugs, (1, 3, 2), strict=True)]
    counts += [Count("vector", "agrees", rule=each.rule, count=2 * each.count + 1) for each in counts]
    records = [_record(slug=slug, expected=Value({slug: 0.0}), actual=_ONE) for slug in slugs]

    printed = blocks(Run.of(counts, records), "mine", verbose=True)

    assert [head.split(": ")[1] for head, *_ in printed] == [slugs[1], slugs[2], slugs[0]]


def test_malformed_answers_have_one_block() -> None:
    """Answers with the same mistake have one block, before all others, with the simplest case that has a value."""
    line, right = '{"id": "1", "value": 1}', Value({"reward": 1.0})
    malformed = Malformed("a plain number", mistake="the line has a plain number", section="values", received=line)
    cases = {"reward-file/missing": _EMPTY, "reward-text/float": right, "reward-json/float": right}
    records = [_record(slug=slug, expected=expected, actual=malformed) for slug, expected in cases.items()]

    block, other = blocks(Run.of([], [_record(), *records]), "mine", verbose=False)

    assert block[0] == "MALFORMED ANSWERS in read_reward (3 rules): the line has a plain number"
    assert block[1:3] == ["  smallest case  reward.txt: file b'1'", "  mine           malformed answer: a plain number"]
    assert block[-1].startswith("  to read        ")
    assert block[-1].endswith("PROTOCOL.md#values")
    assert other[0].startswith("DIVERGENCE in read_reward (form): reward-file/missing")


@pytest.mark.parametrize(
    ("expected", "actual", "shown"),
    [
        ("1" * 300, "0", ("111…(300 digits)…111", "0")),
        ("1" * 300 + "7", "1" * 300 + "8", ("111…(301 digits)…117", "111…(301 digits)…118")),
        ("1" * 299 + "2" + "3" * 299, "1" * 300 + "3" * 299, None),
        (str([1] * 3000), "[]", (f"[{'1, ' * 39}1, … {' 1,' * 39} 1]", "[]")),
    ],
)
def test_long_numbers_and_lists_are_shortened(expected: str, actual: str, shown: tuple[str, str] | None) -> None:
    """The middle of a long number or list is not shown, unless the difference is there."""
    sides = shortened_apart(expected, actual)

    assert shown in (None, sides)
    assert sides[0] != sides[1]
    assert max(map(len, sides)) < 300


@pytest.mark.parametrize("text", ["1" * 9000, "x" * 9000, f"{'1' * 60}, " * 300, "x" * 3999, "short"])
def test_string_is_shortened_twice_as_once(text: str) -> None:
    """A string in a report, which is cut to a larger width, is shown as the whole string would be."""
    assert shortened(shortened(text, 4000)) == shortened(text)


def test_simplest_vector_represents_its_rule() -> None:
    """The example for a rule is the vector with the shortest description."""
    plain = _record(slug="reward-file/json-wins", vector="z", content=b"1")
    long = _record(slug="reward-file/json-wins", vector="a", content=b"1" * 20)

    (divergence,) = Run.of([], [long, plain]).divergences

    assert divergence.vector == "z"


def test_error_in_the_runner_is_one_line() -> None:
    """Without -v, an error in the runner's own code is shown in one line with its place."""
    raised = (
        "Traceback (most recent call last):",
        '  File "mine.py", line 7, in read_reward',
        "    return flaot(rewards)",
        "           ^^^^^",
        "NameError: name 'flaot' is not defined",
    )

    text = _text_of(replace(_record(), raised=raised))

    place = 'File "mine.py", line 7, in read_reward: return flaot(rewards)'
    assert text.endswith(f"raised         NameError: name 'flaot' is not defined ({place})")


def test_one_replay_file_for_each_rule_is_kept() -> None:
    """For each rule, the replay file of the divergence that is shown is kept, and the others are not."""
    records = [_record(), _record(actual=_ONE), _record(slug="reward-json/float")]
    run = Run.of([], [replace(each, replay_file=f"{number}.json") for number, each in enumerate(records)])

    kept = run.with_one_replay_a_rule()

    assert kept.replay_files == {"1.json", "2.json"}
    assert [each.replay.startswith("none: ") for each in kept.divergences] == [False, True, False]


class _Mine(CleanRoom):
    name = "mine"


def test_findings_in_a_test_are_recorded(tmp_path: Path) -> None:
    """A test's section lists its broken rules, with the worst first, and shows other errors in full."""
    checker = Checker(CleanRoom(), _Mine(), Clock(Clock.DEFAULT))
    divergences = [
        DivergenceFound(_divergence()),
        DivergenceFound(replace(_divergence(actual=_ONE), case=only_json(b"{}"))),
        DivergenceFound(_divergence(slug="reward-json/float", actual=_ZERO, vector="one")),
        DivergenceFound(_divergence(slug="reward-json/float", actual=_ZERO, content=b"12", vector="two")),
    ]
    error = ExceptionGroup("found", [*divergences, ZeroDivisionError("the test itself")])

    text = Recorder(checker, tmp_path, str).record(error)

    assert text is not None
    assert text.startswith("diverges: reward-file/missing (pays out), reward-json/float (hides failure)")
    assert "ZeroDivisionError: the test itself" in text
    assert not is_in_summary(text)
    assert is_in_summary(text.partition("\n")[0])
    assert [record.vector for record in checker.run.worst.values()].count("one") == 1
    assert len(checker.run.worst) == 3
    assert checker.run.counts == {}  # each is counted where it is found


class _AlwaysOne(CleanRoom):
    name = "mine"

    def read_reward(self, directory: Path) -> Any:
        return {"reward": 1.0}


@pytest.mark.parametrize("error", [None, KeyboardInterrupt(), "itself"])
def test_finding_counts_once_with_or_without_its_exception(error: BaseException | str | None, tmp_path: Path) -> None:
    """A divergence counts once, also if the test was interrupted, or its exception got lost."""
    checker = Checker(CleanRoom(), _AlwaysOne(), Clock(Clock.DEFAULT), shown={"read_reward": {}})
    with pytest.raises(DivergenceFound) as caught:
        checker.check(READ_REWARD, [only_text(b"")])

    Recorder(checker, tmp_path, str, repeats=False).record(caught.value if isinstance(error, str) else error)

    (record,) = checker.run.worst.values()
    assert type(caught.value) is exception_class(record.rule, record.kind, record.harm)
    assert broken_rules(checker.run.counts) == {record.rule: "pays-out"}
    assert sum(count for each, count in checker.run.counts.items() if each.outcome == "diverges") == 1


def test_complaint_about_a_declaration_disagrees(tmp_path: Path) -> None:
    """A declaration that no longer holds is a disagreement; an edited golden file is none."""
    checker = Checker(CleanRoom(), _Mine(), Clock(Clock.DEFAULT))
    recorder = Recorder(checker, tmp_path, str)

    recorder.record(GoldenFinding("edited"))
    before = checker.run.disagrees
    recorder.record(StaleDeclaration("NOT AS DECLARED: aggregate/value", "aggregate/value"))

    assert (before, checker.run.disagrees) == (False, True)


def test_divergence_without_a_replay_file_is_recorded(tmp_path: Path) -> None:
    """A divergence is recorded with the reason if no replay file can be written."""
    (tmp_path / "file").touch()
    checker = Checker(CleanRoom(), _Mine(), Clock(Clock.DEFAULT))

    Recorder(checker, tmp_path / "file", str).record(DivergenceFound(_divergence()))

    (record,) = checker.run.worst.values()
    assert "file cannot be written: File exists" in record.replay


def test_answer_is_shown_in_one_line() -> None:
    """An answer is shown in one line, even if its message has several lines."""
    fault = Fault("ValidationError", "1 validation error\nrewards\n  Input should be valid")

    line = show_answer(fault)

    assert line == "raises ValidationError: 1 validation error rewards Input should be valid"
