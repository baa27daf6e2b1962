"""Claims in public documents that the wheel contradicts, each with golden vectors that prove the contradiction."""

from dataclasses import dataclass

from parity.operations.answers import Fault, Value
from parity.operations.goldens import Vector, read_vectors
from parity.operations.rules import OPERATION_OF
from parity.scorer.series import Series

_SPEC = "scoring description"
_ENV = "HarborEnv's documentation"


@dataclass(frozen=True)
class Erratum:
    """One claim in a document that the wheel contradicts."""

    rule: str
    """The slug of the rule that the claim contradicts."""

    document: str
    claim: str
    vectors: tuple[str, ...]
    """The ids of golden vectors for the rule's operation whose recorded answers contradict the claim."""

    claimed: str
    """The answer to the first vector if the claim were right, as `answers` writes it."""

    @property
    def answers(self) -> str:
        """Return the recorded answers to the vectors in words.

        Raises:
            KeyError: an id in `vectors` does not exist.
        """
        return "; ".join(f"`{name}` gives {answer}" for name, answer in self._answers().items())

    @property
    def is_refuted(self) -> bool:
        """Return whether the recorded answer to the first vector is not the claimed one."""
        return self._answers()[self.vectors[0]] != f"`{self.claimed}`"

    def _answers(self) -> dict[str, str]:
        vectors = {vector.id: vector for vector in read_vectors(OPERATION_OF[self.rule].name)}
        return {name: _answer(vectors[name]) for name in self.vectors}


def _answer(vector: Vector) -> str:
    older, newer = (_in_words(vector, series) for series in (Series.PY312, Series.PY314))
    return older if older == newer else f"{older} on Python 3.12 and 3.13, and {newer} on 3.14"


def _in_words(vector: Vector, series: Series) -> str:
    match vector.answer(series):
        case Value(value):
            return f"`{value!r}`"
        case Fault(kind):
            return f"`{kind}`"
        case other:
            raise AssertionError(other)


ERRATA = [
    Erratum(
        "reward-json/bad-value",
        _SPEC,
        "reward.json is returned verbatim and its values are not validated",
        (
            'reward-json/bool-is-float/json/{"reward":%20true}',
            "reward-json/number-string/string/0.5",
            "reward-json/integer-string/string/%201_0",
            'reward-json/bad-value/json/{"reward":%201,%20"detail":%20"x"}',
        ),
        "{'reward': True}",
    ),
    Erratum(
        "reward-json/null-is-none",
        _SPEC,
        "rewards are None only where the trial failed before or within verification",
        ("reward-json/null-is-none/json/null",),
        "VerifierOutputParseError",
    ),
    Erratum(
        "reward-json/object-only",
        _SPEC,
        "whatever is wrong with a reward file is one of three errors",
        (
            "reward-json/object-only/json/[1]",
            "reward-file/directory-is-an-error/json-directory",
            "reward-json/nesting/100000-arrays",
        ),
        "VerifierOutputParseError",
    ),
    Erratum(
        "reason-code/not-found",
        _SPEC,
        "the message of a missing reward file contains “missing”",
        (
            "reason-code/not-found/"
            "No%20reward%20file%20found%20at%20%2Flogs%2Fverifier%2Freward.txt%20or%20%2Flogs%2Fverifier%2Freward.json",
        ),
        "'harbor_reward_missing'",
    ),
    Erratum(
        "summation/compensated",
        _SPEC,
        "a sum adds floats one by one from the left",
        ("summation/compensated/ten-tenths/mean",),
        "{'mean': 0.09999999999999999}",
    ),
    Erratum(
        "summation/compensated",
        _SPEC,
        "max, min and sum are exact",
        ("summation/compensated/sevens/sum",),
        "{'sum': 4.9}",
    ),
    Erratum(
        "summation/mixed",
        _SPEC,
        "the same algorithm in CPython gives the same bits",
        ("summation/mixed/cancel-ints/sum",),
        "{'sum': 0.0}",
    ),
    Erratum(
        "reward-text/digits",
        _SPEC,
        "the same text always gives the same float",
        ("reward-text/digits/txt/%F0%90%B5%81",),
        "{'reward': 1.0}",
    ),
    Erratum(
        "pass-at-k/estimator",
        _SPEC,
        "pass@2 of 1 success in 5 attempts is 0.4",
        ("pass-at-k/estimator/1-of-5",),
        "{'agent__model__set': {2: 0.4, 4: 0.8, 5: 1.0}}",
    ),
    Erratum(
        "reason-code/parse-error",
        _SPEC,
        'a text with “reward” is a parse error where `"parse" in lowered or "malformed"` holds, which is always',
        ("reason-code/otherwise-none/no%20reward",),
        "'harbor_reward_parse_error'",
    ),
    Erratum(
        "reward-file/json-wins",
        _ENV,
        "reward.txt is preferred, reward.json is the fallback",
        ("reward-file/json-wins/json", "reward-file/json-wins/json-malformed"),
        "{'reward': 1.0}",
    ),
    Erratum(
        "reward-number/unit-interval",
        _ENV,
        "a reward lies between 0.0 and 1.0",
        (
            "reward-number/unit-interval/txt/-1",
            "reward-number/non-finite/txt/1e309",
            "reward-number/non-finite/txt/nan",
        ),
        "VerifierOutputParseError",
    ),
    Erratum(
        "reward-file/missing",
        _ENV,
        "a missing reward file scores 0.0",
        ("reward-file/missing/no-files",),
        "{'reward': 0.0}",
    ),
    Erratum(
        "reward-text/malformed",
        _ENV,
        "an invalid number or invalid JSON scores 0.0",
        ("reward-text/malformed/txt/pass", "reward-json/malformed/json/{"),
        "{'reward': 0.0}",
    ),
    Erratum(
        "reward-json/keys-are-verbatim",
        _ENV,
        'reward.json has the form `{"reward": 0.85}`',
        (
            'reward-json/keys-are-verbatim/json/{"reward":%201,%20"speed":%200.5}',
            "reward-json/empty-object/json/{}",
        ),
        "{'reward': 1}",
    ),
]
