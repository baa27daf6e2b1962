"""Shows the findings of `parity check-runner` about an operation: equal mistakes once, and equal wrong answers once.

Wrong answers are equal if they break the same rule in the same way. Errors of a kind that the reference never has for
the operation are equal if they are raised at the same line. Such an error is a mistake if the reference has a value.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from parity.judging.checking import Checker
from parity.judging.divergence import Divergence, shortened, show_answer
from parity.judging.harm import harm_word, rank
from parity.judging.own_errors import own_error
from parity.operations.answers import Fault, Value
from parity.operations.rules import RULES
from parity.runners.smoke import Check, Wrong

_WIDTH = 200
_NAMED = 4
"""The most vectors that are named for equal answers."""

_VARIABLE = re.compile(r"'[^']*'|\"[^\"]*\"|(?<!\w)[-+]?\d[\w.+-]*")
"""The parts that may differ between equal mistakes: quoted text and numbers."""

_FRAME = re.compile(r'^ +File "(.*)", line (\d+), in ')


@dataclass(frozen=True)
class _Judged:
    """A wrong answer with its judgement."""

    wrong: Wrong
    divergence: Divergence
    what: str
    """The harm or `MISTAKE`, and the broken rule or the error. Equal answers have equal texts."""

    is_mistake: bool

    @property
    def rank(self) -> tuple[bool, int]:
        return not self.is_mistake, rank(self.divergence.harm)


def shown_findings(found: Sequence[Check | Wrong], checker: Callable[[], Checker]) -> tuple[str, int]:
    """Return the text about one operation, and the number of mistakes in it.

    Args:
        found: the findings of the smoke test.
        checker: returns a checker that asks the runner again, to attribute wrong answers to rules.
    """
    checks = [each for each in found if isinstance(each, Check)]
    judged = sorted((_judged(each, checker()) for each in found if isinstance(each, Wrong)), key=lambda each: each.rank)
    mistakes = [each for each in checks if each.is_mistake]
    count = len(mistakes) + sum(each.is_mistake for each in judged)
    lines = [
        line for group in _groups(mistakes, lambda each: _VARIABLE.sub("…", each.message)) for line in _mistake(group)
    ]
    for check in checks:
        if not check.is_mistake:
            lines.append(f"  {check.about:<13} {check.message.removeprefix('ok: ') if count else check.message}")
    lines += [line for group in _groups(judged, lambda each: each.what) for line in _wrong(group)]
    return "".join(f"{line}\n" for line in lines), count


def _mistake(group: Sequence[Check]) -> Iterator[str]:
    first = group[0]
    yield f"  {first.about:<13} MISTAKE: {first.message}{_times(len(group))}"
    yield from _rows({"sent": first.sent, "received": first.received, "expected": first.expected})


def _wrong(group: Sequence[_Judged]) -> Iterator[str]:
    first = group[0]
    wrong, divergence = first.wrong, first.divergence
    yield f"  {'':<13} {first.what}{_times(len(group))}"
    vectors = [shortened(each.wrong.vector, 80) for each in group]
    more = f", and {len(group) - _NAMED} more" if len(group) > _NAMED else ""
    yield from _rows(
        {
            "case": shortened(wrong.operation.describe(wrong.case), _WIDTH),
            wrong.operation.authority(divergence.flags): show_answer(wrong.recorded, _WIDTH),
            divergence.runner_name: show_answer(wrong.answer, _WIDTH),
            "vector" if len(group) == 1 else "vectors": ", ".join(vectors[:_NAMED]) + more,
        }
    )


def _times(count: int) -> str:
    return f" ({count} times)" if count > 1 else ""


def _rows(rows: dict[str, str | None]) -> Iterator[str]:
    shown = {name: text for name, text in rows.items() if text}
    width = max([9, *map(len, shown)])
    yield from (f"  {'':<13} {name:<{width}} {text}" for name, text in shown.items())


def _groups[Each](items: Sequence[Each], alike: Callable[[Each], str]) -> list[list[Each]]:
    groups: dict[str, list[Each]] = {}
    for each in items:
        groups.setdefault(alike(each), []).append(each)
    return list(groups.values())


def _judged(wrong: Wrong, checker: Checker) -> _Judged:
    with checker.clock.installed():
        divergence = checker.compare(wrong.operation, wrong.case, wrong.recorded, wrong.answer, RULES[wrong.rule])
    assert divergence is not None
    harm, rule = harm_word(divergence.harm), divergence.rule
    trace = own_error(wrong.operation.name, wrong.recorded, wrong.answer)
    if not trace or not isinstance(wrong.answer, Fault):
        return _Judged(wrong, divergence, f"{harm}: {rule.slug}: {rule.sentence}", is_mistake=False)
    frames = [frame for line in trace if (frame := _FRAME.match(line))]
    at = f" at {Path(frames[-1][1]).name}:{frames[-1][2]}" if frames else ""
    whose = wrong.operation.authority(divergence.flags)
    is_mistake = isinstance(wrong.recorded, Value)
    what = f"it raises {wrong.answer.kind}{at}, an error that {whose} never has there"
    return _Judged(wrong, divergence, f"{'MISTAKE' if is_mistake else harm}: {what}", is_mistake=is_mistake)
