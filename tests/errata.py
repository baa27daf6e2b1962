"""Claims of public documents that the wheel contradicts. Each row is shown by asking the wheel."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.answers import Fault, Value
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.operation import Operation
from parity.operations.pass_at_k import PASS_AT_K, PassAtKCase
from parity.operations.read_reward import READ_REWARD, RewardFolder, only_json, only_text
from parity.operations.vector import named
from parity.reference.consumer import DescribedConsumer
from parity.reference.wheel import Wheel
from parity.runners import CleanRoom
from parity.runners.asking import ask
from parity.scorer import Number, Series, Trial, exact_sum

SPEC = "scoring description"
ENV = "HarborEnv's documentation"

type Shown = Callable[[Wheel], str]


@dataclass(frozen=True)
class Erratum:
    """One claim, and the wheel's behaviour."""

    rule: str
    """The slug of the rule that it contradicts."""

    document: str
    claim: str
    shown: Shown
    """Asks the wheel and returns its behaviour in words."""


def _answer[Case](wheel: Wheel | CleanRoom, operation: Operation[Case], case: Case) -> str:
    with operation.arguments(case) as arguments:
        match ask(wheel, operation.name, arguments):
            case Value(value):
                return f"`{value!r}`"
            case Fault(kind):
                return f"`{kind}`"
            case other:
                raise AssertionError(other)


def _json(*documents: str) -> Shown:
    return lambda wheel: "; ".join(
        f"`{document}` gives {_answer(wheel, READ_REWARD, only_json(document.encode()))}" for document in documents
    )


def _text(*texts: str) -> Shown:
    return lambda wheel: "; ".join(
        f"`{text}` gives {_answer(wheel, READ_REWARD, only_text(text.encode()))}" for text in texts
    )


def _folder(what: str, folder: RewardFolder) -> Shown:
    return lambda wheel: f"{what} gives {_answer(wheel, READ_REWARD, folder)}"


def _metric(metric: str, numbers: Sequence[Number], spelled: str) -> Shown:
    rewards = tuple({"reward": number} for number in numbers)
    return lambda wheel: f"{metric} of `{spelled}` is {_answer(wheel, AGGREGATE, AggregateCase(metric, rewards))}"


def _pass_at_2_of_5(wheel: Wheel) -> str:
    trials = tuple(Trial("a", None, "d", "task", {"reward": passed}) for passed in (1, 0, 0, 0, 0))
    return f"1 of 5 gives {_answer(wheel, PASS_AT_K, PassAtKCase(trials))}"


def _message_of_a_missing_file(wheel: Wheel) -> str:
    with READ_REWARD.arguments(RewardFolder(ABSENT, ABSENT)) as (folder,):
        answer = ask(wheel, "read_reward", (folder,))
        assert isinstance(answer, Fault)
        return f"it says `{answer.message.replace(str(folder), '…')}`"


def _malformed_read_literally(wheel: Wheel) -> str:
    code = DescribedConsumer().reason_code("no reward at all")
    read = 'read literally that is every text with “reward”; the kit reads `"malformed" in lowered`'
    return f"{read}, so that `no reward at all` gets `{code}`"


def _both_series(_: Wheel) -> str:
    values = [1e16, 1, 1, -1e16]
    older, newer = (exact_sum(values, series) for series in Series)
    if sum(values) != (newer if Series.running() is Series.PY314 else older):
        raise AssertionError("the interpreter's own sum is neither")
    return f"`sum([1e16, 1, 1, -1e16])`, and so the metric, is `{older}` on 3.12 and 3.13, and `{newer}` on 3.14"


def _all(*shown: Shown) -> Shown:
    return lambda wheel: "; ".join(show(wheel) for show in shown)


def _digits_of_both_series(wheel: Wheel) -> str:
    case = only_text("\U00010d41".encode())
    answers = {series: _answer(CleanRoom(series), READ_REWARD, case) for series in Series}
    if _answer(wheel, READ_REWARD, case) != answers[Series.running()]:
        raise AssertionError("the interpreter's own float gives neither")
    return f"U+10D41 gives {answers[Series.PY312]} on 3.12 and 3.13, and {answers[Series.PY314]} on 3.14"


_DIRECTORY = RewardFolder(FileState("directory"), ABSENT)
_BOTH = RewardFolder(FileState("file", b'{"reward": 0.25}'), FileState("file", b"1"))
_MALFORMED = RewardFolder(FileState("file", b"{"), FileState("file", b"1"))

ERRATA = [
    Erratum(
        "reward-json/bad-value",
        SPEC,
        "reward.json is returned verbatim and its values are not validated",
        _json('{"reward": true}', '{"reward": "1.5"}', '{"reward": " 1_0"}', '{"reward": 1, "note": "x"}'),
    ),
    Erratum(
        "reward-json/null-is-none",
        SPEC,
        "rewards are None only where the trial failed before or within verification",
        _json("null"),
    ),
    Erratum(
        "reward-json/object-only",
        SPEC,
        "whatever is wrong with a reward file is one of three errors",
        _all(
            _json("[1]"),
            _folder("a directory named reward.json", _DIRECTORY),
            _folder("100,000 times `[`", only_json(b"[" * 100_000)),
        ),
    ),
    Erratum(
        "reason-code/not-found",
        SPEC,
        "the message of a missing reward file contains “missing”",
        _message_of_a_missing_file,
    ),
    Erratum(
        "summation/compensated",
        SPEC,
        "a sum adds floats one by one from the left",
        _metric("mean", [0.1] * 10, "[0.1] * 10"),
    ),
    Erratum("summation/compensated", SPEC, "max, min and sum are exact", _metric("sum", [0.1, 0.2], "[0.1, 0.2]")),
    Erratum("summation/mixed", SPEC, "the same algorithm in CPython gives the same bits", _both_series),
    Erratum("reward-text/digits", SPEC, "the same text always gives the same float", _digits_of_both_series),
    Erratum("pass-at-k/estimator", SPEC, "pass@2 of 1 success in 5 attempts is 0.4", _pass_at_2_of_5),
    Erratum(
        "reason-code/parse-error",
        SPEC,
        'a text with “reward” is a parse error where `"parse" in lowered or "malformed"` holds',
        _malformed_read_literally,
    ),
    Erratum(
        "reward-file/json-wins",
        ENV,
        "reward.txt is preferred, reward.json is the fallback",
        _all(_folder('`1` beside `{"reward": 0.25}`', _BOTH), _folder("`1` beside `{`", _MALFORMED)),
    ),
    Erratum("reward-number/unit-interval", ENV, "a reward lies between 0.0 and 1.0", _text("-1", "1e400", "nan")),
    Erratum(
        "reward-file/missing",
        ENV,
        "a missing reward file scores 0.0",
        _folder("an empty folder", RewardFolder(ABSENT, ABSENT)),
    ),
    Erratum(
        "reward-text/malformed", ENV, "an invalid number or invalid JSON scores 0.0", _all(_text("pass"), _json("{"))
    ),
    Erratum(
        "reward-json/keys-are-verbatim",
        ENV,
        'reward.json has the form `{"reward": 0.85}`',
        _json('{"accuracy": 0.5, "speed": 2}', "{}"),
    ),
]


def row_name(erratum: Erratum) -> str:
    """Return a short name for a test's id."""
    return named(erratum.claim)[:60]
