"""Rules for `outcome`, which derives status, score, resolved, total and the printed line from result.json."""

from parity.operations.rule import Rule

_SENTENCES = {
    "outcome/unsearchable-folder": (
        "A directory that may not be searched MUST raise PermissionError on Python 3.12 and 3.13; from 3.14 on, "
        "its file MUST count as missing."
    ),
    "outcome/missing": (
        "Without the file, the status MUST be `failed`, with score 0.0, 0 of 0 resolved and the reason code "
        "harbor_result_missing."
    ),
    "outcome/unreadable": (
        "A file that exists but cannot be read, is empty or is undecodable MUST give the same numbers, with "
        "the reason code harbor_result_malformed."
    ),
    "outcome/not-json": (
        "Text that is not JSON, or beyond the limits of its parser, MUST be malformed: no part of it counts."
    ),
    "outcome/duplicate-key": "If a key occurs twice, its last value MUST count.",
    "outcome/wrong-shape": (
        "The document, `stats`, `evals`, each group and each metric MUST be objects, and `metrics` a list; "
        "null is malformed."
    ),
    "outcome/absent-members": (
        'An absent `stats`, `evals` or `metrics` MUST count as empty, and so MUST `metrics` of `""` and `{}`.'
    ),
    "outcome/bad-count": (
        "A count that is nan, infinite, a list or object with members, or text that is not an integer, MUST "
        "make result.json malformed."
    ),
    "outcome/count": (
        "The count true MUST be 1, a fraction MUST be cut off, and text MUST be read as Python's `int` reads it."
    ),
    "outcome/falsy-count": "A count that is absent, null, false or empty MUST be 0.",
    "outcome/digit-limit": "A total of more than 4300 digits cannot be printed and MUST raise ValueError.",
    "outcome/beyond-double": (
        "`n_total_trials` beyond the largest double MUST make result.json malformed, whatever the score is; "
        "other counts MAY be that large."
    ),
    "outcome/resolved-of-planned": (
        "resolved MUST be a share of `n_total_trials` alone: if that is 0, resolved is 0, whatever the total is."
    ),
    "outcome/bad-value": "A metric value that `float` refuses MUST make result.json malformed; it MUST NOT be skipped.",
    "outcome/mean-key": "In a metric with the key `mean`, other keys MUST NOT count.",
    "outcome/metric-value": "true and false MUST be 1.0 and 0.0, and text MUST be read as Python's `float` reads it.",
    "outcome/non-finite": (
        "A score that is nan or infinite, or that becomes infinite when multiplied by `n_total_trials`, MUST "
        "make result.json malformed."
    ),
    "outcome/half-to-even": (
        "resolved MUST be score times `n_total_trials`, rounded to the nearest integer, ties to even."
    ),
    "outcome/compensated": "Values MUST be added as `sum` adds floats: neither one by one nor exactly.",
    "outcome/unit-interval": "A score MAY be negative or above 1, and so MAY resolved be; they MUST NOT be clipped.",
    "outcome/flat-mean": (
        "The score MUST be one mean over all values of all metrics and groups; metrics and groups MUST NOT be"
        " averaged first."
    ),
    "outcome/no-values": "Without any metric value, the score MUST be 0.0.",
    "outcome/status": (
        "The status MUST be `completed` if no trial has errored, and `failed` otherwise; the score does not matter."
    ),
    "outcome/total": "The total MUST be `n_total_trials`, or completed and errored trials together if that is 0.",
    "outcome/line": (
        "The line MUST be `BASE_BENCHMARK_RESULT=` and the other fields as `json.dumps` prints them with sorted keys."
    ),
    "outcome/fields": "The answer MUST have six fields; the score is a float, and the numbers of trials are ints.",
}

RULES = [Rule(slug, sentence, source="scoring description, section 5") for slug, sentence in _SENTENCES.items()]
