"""The rules: one normative sentence each, under a stable slug.

A rule lives here and is implemented once, in `parity.scorer`. Each one names where the wheel decides it.
A divergence is put down to a rule of its operation whose flags the case carries and whose aspect the difference
has, in this order, so special rules stand before the general ones; `parity.attribution` says how.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from parity.compare import Aspect


@dataclass(frozen=True)
class Rule:
    """One thing that a runner must get right."""

    slug: str
    operation: str
    sentence: str
    source: str
    """Module of the wheel, or of what it builds on, that decides."""

    flags: frozenset[str]
    """The rule is in question where a case carries one of these; empty for always."""

    aspects: frozenset[Aspect]
    """The rule is in question where answers differ in one of these; empty for any."""


def _rules(operation: str, source: str, *rows: tuple[str, str, str] | tuple[str, str, str, str]) -> Iterable[Rule]:
    """Rows of slug, flags, sentence and, optionally, aspects; names separated by blanks."""
    for slug, flags, sentence, *aspects in rows:
        named = frozenset(" ".join(aspects).split())
        yield Rule(slug, operation, sentence, source, frozenset(flags.split()), named)  # type: ignore[arg-type]


_FILES = _rules(
    "read_reward",
    "harbor.verifier.verifier",
    ("reward-file/fifo-is-empty", "fifo", "A FIFO has size zero, so it is an empty reward file; it is never opened."),
    (
        "reward-file/dangling-link-is-absent",
        "dangling-link looping-link",
        "A link that leads nowhere, or to itself, does not exist.",
    ),
    ("reward-file/link-is-followed", "symlink", "A link to a file elsewhere is that file."),
    (
        "reward-file/directory-is-an-error",
        "directory",
        "A directory in place of the file that counts raises IsADirectoryError.",
    ),
    (
        "reward-file/unreadable-is-an-error",
        "unreadable",
        "A file that may not be read raises PermissionError, not a parse error.",
    ),
    (
        "reward-file/unsearchable-folder",
        "unsearchable-folder",
        "A folder that may not be searched raises PermissionError on Python 3.12 and 3.13; from 3.14 on its files are missing.",
    ),
    (
        "reward-file/json-wins",
        "json-over-txt",
        "reward.json decides whenever it exists, also when it is empty or malformed; reward.txt is then ignored.",
    ),
    (
        "reward-file/missing",
        "no-reward-file missing-folder file-as-folder",
        "No file, or no folder, raises RewardFileNotFoundError.",
    ),
    ("reward-file/empty-is-zero-bytes", "empty-file", "A file of zero bytes raises RewardFileEmptyError."),
    (
        "reward-file/white-space-is-not-empty",
        "whitespace-only",
        "A file of white space only is not empty: it is a parse error.",
    ),
    (
        "reward-file/undecodable-is-a-parse-error",
        "invalid-utf8",
        "Bytes that the encoding does not allow are a parse error.",
    ),
    (
        "reward-file/byte-order-mark-is-a-parse-error",
        "byte-order-mark",
        "A byte order mark is not skipped: it is a parse error.",
    ),
)

_JSON = _rules(
    "read_reward",
    "json",
    (
        "reward-json/nesting",
        "deep-nesting",
        "JSON nested beyond the interpreter's stack raises RecursionError, which is not a parse error.",
    ),
    ("reward-json/digit-limit", "many-digits", "An integer of more than 4300 digits is a parse error."),
    (
        "reward-json/malformed",
        "json-malformed",
        "Text that is not JSON is a parse error: no comments, single quotes, trailing commas or trailing text.",
    ),
)

_VALIDATION = _rules(
    "read_reward",
    "harbor.models.verifier.result",
    ("reward-json/null-is-none", "null-document", "The document `null` gives no rewards and no error."),
    (
        "reward-json/object-only",
        "json-not-object",
        "A document that is neither an object nor null raises ValidationError.",
    ),
    ("reward-json/empty-object", "empty-object", "`{}` gives rewards without any key, not an error and not null."),
    (
        "reward-json/duplicate-key",
        "duplicate-key",
        "Of a key that is named twice the last value counts, at the place of the first.",
    ),
    ("reward-json/key-order", "several-keys", "Keys keep the order of the file.", "order"),
    (
        "reward-json/bad-value",
        "null-value nested-value bad-string",
        "A value that is neither a number nor reads as one raises ValidationError, whatever the other keys hold.",
    ),
    (
        "reward-json/keys-are-verbatim",
        "unusual-key lone-surrogate",
        "All keys are kept as they are, and none is required.",
        "keys fault",
    ),
    (
        "reward-json/integer-string",
        "integer-string",
        "A string that is no float but an int by pydantic's own grammar, such as ` 1_0`, gives that int.",
    ),
    (
        "reward-json/number-string",
        "number-string",
        "A string that reads as a float by pydantic's own grammar gives that float, also where it looks like an int.",
    ),
    ("reward-json/bool-is-float", "bool-value", "true is 1.0 and false is 0.0."),
    ("reward-json/constants", "json-constant", "NaN, Infinity and -Infinity are numbers."),
    ("reward-json/big-integers", "int-beyond-2**53", "An int of any size up to 4300 digits is kept exactly."),
    (
        "reward-json/int-stays-int",
        "int-value",
        "An integer stays an int, `-0` being the int 0, and `1.0` stays a float.",
    ),
)

_TEXT = _rules(
    "read_reward",
    "float",
    (
        "reward-text/digits",
        "unicode-digits",
        "Every decimal digit of the interpreter's Unicode version counts as a digit.",
    ),
    (
        "reward-text/separators",
        "separator-control",
        "U+001C to U+001F are white space only where the text has a non-ASCII character.",
    ),
    ("reward-text/unicode-padding", "text-unicode-padding", "Unicode white space around the number is skipped."),
    ("reward-text/padding", "text-padding", "ASCII white space and line ends around the number are skipped."),
    (
        "reward-text/malformed",
        "text-malformed nul-character",
        "Text that is not one number is a parse error: no fraction, percentage, comma, hex or second number.",
    ),
    ("reward-text/underscore", "text-underscore", "One underscore between two digits is allowed."),
    (
        "reward-number/non-finite",
        "non-finite",
        "nan, inf and infinity in any case are numbers, and what is too large becomes inf.",
    ),
    (
        "reward-number/rounding",
        "long-decimal subnormal-value",
        "A decimal is rounded to the nearest double, ties to even, however long it is.",
    ),
    ("reward-number/sign-of-zero", "negative-zero", "`-0` is -0.0."),
    (
        "reward-number/unit-interval",
        "outside-unit-interval",
        "A reward may be negative or above 1; nothing is clipped.",
    ),
    (
        "reward-text/spelling",
        "text-exponent text-bare-point text-plus",
        "Exponents, a plus sign, `.5` and `5.` are allowed.",
    ),
    ("reward-json/float", "float-value", "A JSON number with a fraction or an exponent is a float."),
    ("reward-text/float", "", "reward.txt gives one float under the key `reward`, also where the text is an integer."),
)

_EXTREMES = _rules(
    "aggregate",
    "max and min",
    (
        "extreme/first-of-equals",
        "tie-across-types tie-of-zeros",
        "Of equal numbers max and min return the first, with its type and sign.",
    ),
)

_SHAPE = _rules(
    "aggregate",
    "harbor.metrics.base",
    (
        "aggregate/no-trials",
        "no-rewards",
        "Without trials mean raises ZeroDivisionError, max and min raise ValueError, and sum is the int 0.",
    ),
    (
        "aggregate/different-single-keys",
        "different-single-keys",
        "Trials with one key each, but not the same, count as several keys.",
    ),
    (
        "aggregate/key-order",
        "several-keys",
        "Several keys come in code point order, not in file, UTF-16 or caseless order.",
        "order",
    ),
    ("aggregate/several-keys", "several-keys", "With several reward keys, the answer is keyed by them.", "keys"),
    ("aggregate/single-key", "", "With one reward key or none, the answer has one key: the metric's name.", "keys"),
    ("aggregate/empty-is-zero", "empty-rewards", "A trial whose rewards are `{}` counts as 0."),
    ("aggregate/null-is-zero", "null-reward", "A trial without rewards counts as the int 0; it is not left out."),
    ("aggregate/missing-key-is-zero", "missing-key", "A trial that lacks a key counts as the int 0 under it."),
)

_SUMMATION = _rules(
    "aggregate",
    "sum",
    (
        "summation/beyond-double",
        "int-beyond-double",
        "An int beyond the largest double that meets a float, or is divided, raises OverflowError.",
    ),
    (
        "summation/beyond-long",
        "int-beyond-long",
        "An int that does not fit 64 bits ends compensation on Python 3.12 and 3.13, and does not from 3.14 on.",
    ),
    (
        "extreme/nan",
        "nan-value",
        "Comparisons with nan are false, so a nan stays only where it comes first; in a sum it gives nan.",
    ),
    (
        "summation/infinite",
        "infinite-value sum-overflows",
        "Infinities add up as IEEE 754 says; no correction is applied to them.",
    ),
    (
        "summation/mixed",
        "mixed-int-float",
        "An int that follows a float is added without compensation on Python 3.12 and 3.13, and with it from 3.14 on.",
    ),
    ("summation/integers", "int-beyond-2**53", "Ints are added exactly, without a detour by doubles."),
    ("summation/sign-of-zero", "negative-zero", "A sum starts from the int 0, so a sum of -0.0 alone is 0.0."),
    (
        "summation/compensated",
        "inexact-sum inexact-compensation cancelling-sum",
        "Floats are added with Neumaier's compensation: neither one by one nor exactly.",
    ),
    ("aggregate/type", "", "A mean is a float, a sum or extreme of ints is an int.", "type"),
    ("aggregate/value", "", "A metric is computed over all trials, and a mean is divided by their number."),
)

_PASS = _rules(
    "pass_at_k",
    "harbor.utils.pass_at_k",
    (
        "pass-at-k/colliding-keys",
        "colliding-keys double-underscore",
        "Trials whose names give the same evals key are one group.",
    ),
    ("pass-at-k/empty-names", "empty-model empty-source", "An empty model or source counts as absent."),
    (
        "pass-at-k/absent-names",
        "no-model no-source",
        "Without a model the key is agent and dataset; without a source the dataset is `adhoc`.",
        "keys",
    ),
    (
        "pass-at-k/no-single",
        "single-attempt",
        "pass@1 is never given: a group without an eligible k is left out.",
        "keys",
    ),
    (
        "pass-at-k/fewest-attempts",
        "uneven-attempts",
        "k goes up to the fewest attempts that any task of the group has.",
        "keys",
    ),
    ("pass-at-k/empty-disables", "empty-rewards", "A trial whose rewards are `{}` disables pass@k for its group."),
    (
        "pass-at-k/several-keys-disable",
        "several-keys",
        "A trial with several reward keys disables pass@k for its group.",
    ),
    ("pass-at-k/binary-only", "not-binary", "A reward other than 0 and 1 disables pass@k for its group."),
    ("pass-at-k/null-fails", "null-reward", "A trial without rewards is a failed attempt."),
    ("pass-at-k/float-binary", "float-binary", "1.0, 0.0 and -0.0 are binary too."),
    ("pass-at-k/any-key", "unusual-key", "The one reward key may have any name."),
    (
        "pass-at-k/multiples-of-five",
        "k-of-five",
        "k is every power of two from 2 on and every multiple of five, in ascending order.",
        "keys order",
    ),
    (
        "pass-at-k/mean-over-tasks",
        "several-tasks",
        "A group's pass@k is the mean of its tasks', added as `sum` adds; each task weighs the same.",
    ),
    ("pass-at-k/eligible", "", "k is 2 or more, and is an int.", "keys"),
    (
        "pass-at-k/estimator",
        "",
        "A task's pass@k is 1 minus the product of k quotients (failed - i) / (tried - i), from the left.",
    ),
)

RULES: dict[str, Rule] = {
    rule.slug: rule
    for group in (_FILES, _JSON, _VALIDATION, _TEXT, _EXTREMES, _SHAPE, _SUMMATION, _PASS)
    for rule in group
}
"""Every rule by its slug, in the order in which divergences are put down to them."""


def rules_in_question(operation: str, flags: frozenset[str], aspect: Aspect) -> Iterator[Rule]:
    """The rules of the operation that a difference of this aspect, in a case with these flags, can break.

    The first is the likeliest; the last has no flags, so that there always is one.
    """
    for rule in RULES.values():
        carries = not rule.flags or bool(rule.flags & flags)
        if rule.operation == operation and carries and decides(rule, aspect):
            yield rule


def decides(rule: Rule, aspect: Aspect) -> bool:
    """Whether the rule is about answers that differ in this aspect."""
    return not rule.aspects or aspect in rule.aspects
