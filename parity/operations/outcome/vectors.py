"""Golden vectors of `outcome`, with answers that were derived by hand from the scoring description, section 5.

A row has what the file holds, and beside it what comes of it: the score as it is printed, resolved and total.
Where no other answer is given, the status is `completed`; a malformed file always has the same answer.
"""

from collections.abc import Iterator

from parity.operations.answers import Answer, Fault, Value
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.outcome.case import ResultFile, result_file
from parity.operations.vector import Vector, named
from parity.scorer.series import Series


def _value(status: str, score: str, resolved: int, total: int, reason_code: str | None = None) -> Value:
    code = "null" if reason_code is None else f'"{reason_code}"'
    fields = f'"reason_code": {code}, "resolved": {resolved}, "score": {score}, "status": "{status}", "total": {total}'
    return Value(
        {
            "status": status,
            "score": float(score),
            "resolved": resolved,
            "total": total,
            "reason_code": reason_code,
            "line": f"BASE_BENCHMARK_RESULT={{{fields}}}",
        }
    )


_MISSING = _value("failed", "0.0", 0, 0, "harbor_result_missing")
_MALFORMED = _value("failed", "0.0", 0, 0, "harbor_result_malformed")


def _always(answer: Answer) -> dict[Series, Answer]:
    return dict.fromkeys(Series, answer)


# Rule to rows of one group's metrics, n_total_trials, score and resolved.
_METRICS: dict[str, list[tuple[str, int, str, int]]] = {
    "outcome/fields": [
        ('[{"mean": 1.0}]', 2, "1.0", 2), ('[{"mean": 0.0}]', 2, "0.0", 0), ('[{"mean": 0.5}]', 2, "0.5", 1), ('[{"mean": 1}]', 3, "1.0", 3), ('[{"mean": 0}]', 3, "0.0", 0),
        ('[{"mean": 0.6666666666666666}]', 3, "0.6666666666666666", 2), ('[{"mean": 0.3333333333333333}]', 3, "0.3333333333333333", 1), ('[{"mean": 0.1}]', 10, "0.1", 1), ('[{"mean": 0.875}]', 8, "0.875", 7),
    ],
    "outcome/half-to-even": [
        ('[{"mean": 0.5}]', 1, "0.5", 0), ('[{"mean": 0.5}]', 3, "0.5", 2), ('[{"mean": 0.5}]', 5, "0.5", 2), ('[{"mean": 0.5}]', 7, "0.5", 4), ('[{"mean": 0.25}]', 2, "0.25", 0), ('[{"mean": 0.25}]', 6, "0.25", 2),
        ('[{"mean": 0.25}]', 10, "0.25", 2), ('[{"mean": 0.75}]', 2, "0.75", 2), ('[{"mean": 0.75}]', 6, "0.75", 4), ('[{"mean": 0.125}]', 4, "0.125", 0), ('[{"mean": 0.125}]', 12, "0.125", 2), ('[{"mean": 1.5}]', 1, "1.5", 2),
        ('[{"mean": 2.5}]', 1, "2.5", 2), ('[{"mean": -0.5}]', 1, "-0.5", 0), ('[{"mean": -0.5}]', 3, "-0.5", -2), ('[{"mean": -0.5}]', 5, "-0.5", -2), ('[{"mean": -2.5}]', 1, "-2.5", -2), ('[{"mean": 0.1}]', 5, "0.1", 0), ('[{"mean": 0.7}]', 5, "0.7", 4), ('[{"mean": 0.3}]', 5, "0.3", 2),
    ],
    "outcome/mean-key": [
        ('[{"mean": 0.25, "speed": 1}]', 4, "0.25", 1), ('[{"speed": 1, "mean": 0.25}]', 4, "0.25", 1), ('[{"mean": 0, "a": 1, "b": 1}]', 4, "0.0", 0), ('[{"mean": 0.5, "note": "x"}]', 4, "0.5", 2), ('[{"mean": 0.5, "detail": null}]', 4, "0.5", 2),
        ('[{"mean": 0.5, "nan": NaN}]', 4, "0.5", 2), ('[{"mean": 1, "max": 0}, {"mean": 0, "max": 1}]', 4, "0.5", 2), ('[{"mean": "0.5", "max": []}]', 4, "0.5", 2),
    ],
    "outcome/flat-mean": [
        ('[{"max": 1}]', 4, "1.0", 4), ('[{"min": 0}]', 4, "0.0", 0), ('[{"sum": 3}]', 4, "3.0", 12), ('[{"correctness": 1, "speed": 0.5}]', 4, "0.75", 3), ('[{"correctness": 0.5, "speed": 0.75}]', 4, "0.625", 2),
        ('[{"a": 1, "b": 0, "c": 0}]', 3, "0.3333333333333333", 1), ('[{"Mean": 0.5}]', 4, "0.5", 2), ('[{"means": 0.5, "a": 1}]', 4, "0.75", 3), ('[{"mean ": 0.5, "a": 1}]', 4, "0.75", 3), ('[{"": 1}]', 4, "1.0", 4), ('[{"mean": 1}, {"max": 0}]', 4, "0.5", 2),
        ('[{"mean": 1}, {"a": 0, "b": 0}]', 3, "0.3333333333333333", 1), ('[{"mean": 1}, {}]', 4, "1.0", 4), ('[{"mean": 0.5}, {"mean": 0.5}, {"mean": 1}]', 3, "0.6666666666666666", 2), ('[{"me\\u0061n": 0.25, "b": 1}]', 4, "0.25", 1), ('[{"mean": 0}, {"a": 1, "b": 1, "c": 1}]', 4, "0.75", 3),
    ],
    "outcome/metric-value": [
        ('[{"mean": true}]', 4, "1.0", 4), ('[{"mean": false}]', 4, "0.0", 0), ('[{"a": true, "b": false}]', 4, "0.5", 2), ('[{"mean": "0.5"}]', 4, "0.5", 2), ('[{"mean": "1"}]', 4, "1.0", 4), ('[{"mean": " 1_0 "}]', 4, "10.0", 40),
        ('[{"mean": "1e-1"}]', 10, "0.1", 1), ('[{"mean": ".5"}]', 4, "0.5", 2), ('[{"mean": "+.5\\n"}]', 4, "0.5", 2), ('[{"mean": "\\u0661"}]', 4, "1.0", 4), ('[{"mean": "\\uff10.\\uff15"}]', 4, "0.5", 2), ('[{"mean": "\\u00a01"}]', 4, "1.0", 4), ('[{"a": "1", "b": 0}]', 4, "0.5", 2), ('[{"mean": "-0"}]', 4, "0.0", 0),
    ],
    "outcome/compensated": [
        ('[{"mean": 0.1}, {"mean": 0.2}]', 2, "0.15000000000000002", 0), ('[{"a": 0.1, "b": 0.1, "c": 0.1, "d": 0.1, "e": 0.1, "f": 0.1, "g": 0.1, "h": 0.1, "i": 0.1, "j": 0.1}]', 10, "0.1", 1), ('[{"a": 1e16, "b": 1.0, "c": -1e16}]', 3, "0.3333333333333333", 1),
        ('[{"a": 1e16, "b": 1, "c": 1, "d": -1e16}]', 4, "0.5", 2), ('[{"a": 10000000000000000, "b": 1, "c": 1, "d": -10000000000000000}]', 4, "0.5", 2), ('[{"a": 1.0, "b": 1e100, "c": 1.0, "d": -1e100}]', 4, "0.5", 2), ('[{"mean": 1e100}, {"mean": 1}, {"mean": -1e100}]', 3, "0.3333333333333333", 1), ('[{"a": 9007199254740993}]', 1, "9007199254740992.0", 9007199254740992),
        ('[{"a": 1e16, "b": 1.0, "c": 1e-16, "d": -1e16, "e": 1.0}]', 5, "0.4", 2), ('[{"a": -0.0, "b": -0.0}]', 4, "0.0", 0), ('[{"mean": -0.0}]', 4, "0.0", 0), ('[{"a": -5e-324, "b": 0}]', 4, "-0.0", 0),
    ],
    "outcome/unit-interval": [
        ('[{"mean": 2}]', 4, "2.0", 8), ('[{"mean": -1}]', 4, "-1.0", -4), ('[{"mean": -0.25}]', 4, "-0.25", -1), ('[{"mean": 1e16}]', 1, "1e+16", 10000000000000000), ('[{"mean": 1e15}]', 1, "1000000000000000.0", 1000000000000000), ('[{"mean": 1.0000000000000002}]', 4, "1.0000000000000002", 4),
        ('[{"mean": 1e22}]', 1, "1e+22", 10000000000000000000000), ('[{"mean": 100}, {"mean": -100}]', 4, "0.0", 0),
    ],
    "outcome/line": [
        ('[{"mean": 1e-05}]', 4, "1e-05", 0), ('[{"mean": 0.0001}]', 4, "0.0001", 0), ('[{"mean": 5e-324}]', 4, "5e-324", 0), ('[{"mean": 0.30000000000000004}]', 4, "0.30000000000000004", 1), ('[{"mean": 1e-7}]', 10000000, "1e-07", 1), ('[{"mean": 0.1000}]', 4, "0.1", 0), ('[{"mean": 2.5e-1}]', 4, "0.25", 1),
    ],
    "outcome/no-values": [("[]", 4, "0.0", 0), ("[{}]", 4, "0.0", 0), ("[{}, {}]", 5, "0.0", 0)],
    "outcome/absent-members": [('""', 4, "0.0", 0), ("{}", 4, "0.0", 0)],
}  # fmt: skip

# Rule to metrics of one group, of 5 trials, that make the file malformed.
_BAD_METRICS: dict[str, list[str]] = {
    "outcome/non-finite": [
        '[{"mean": NaN}]', '[{"mean": Infinity}]', '[{"mean": -Infinity}]', '[{"mean": 1e400}]', '[{"mean": "nan"}]', '[{"mean": "inf"}]', '[{"mean": "-Infinity"}]', '[{"a": 1, "b": NaN}]', '[{"mean": 1}, {"mean": NaN}]', '[{"a": Infinity, "b": -Infinity}]',
        '[{"a": 1e308, "b": 1e308}]', '[{"mean": 1e308}]', '[{"mean": -1e308}]', '[{"mean": "1e999"}]',
    ],
    "outcome/bad-value": [
        '[{"mean": null}]', '[{"mean": []}]', '[{"mean": [1]}]', '[{"mean": {}}]', '[{"mean": {"mean": 1}}]', '[{"mean": "x"}]', '[{"mean": ""}]', '[{"mean": " "}]', '[{"mean": "true"}]', '[{"mean": "1,5"}]', '[{"mean": "0x1"}]', '[{"mean": "1__0"}]', '[{"mean": "\\u001c1"}]', '[{"mean": "\\ud800"}]',
        '[{"a": 1, "b": null}]', '[{"a": null, "b": 1}]', '[{"mean": 1}, {"mean": null}]', '[{"a": [], "b": 1}]', '[{"mean": null, "a": 1}]', '[{"a": "high"}]', '[{"mean": 1' + "0" * 309 + "}]", '[{"mean": -1' + "0" * 400 + "}]",
    ],
    "outcome/wrong-shape": ["null", "0", "1", "true", "false", '"mean"', '"x"', '{"mean": 1}', '{"a": {"mean": 1}}', "[null]", "[1]", "[0.5]", '["mean"]', '[""]', '[["mean"]]', "[[]]", '[[["mean", 1]]]', '[{"mean": 1}, null]', "[true]"],
    "outcome/not-json": ['[{"mean": 0.5},]', '[{"mean": 0.5]', '[{mean: 0.5}]', "[{'mean': 0.5}]", '[{"mean": .5}]', '[{"mean": 5.}]', '[{"mean": 01}]', '[{"mean": +1}]', '[{"mean": nan}]', '[{"mean": -NaN}]', '[{"mean": 0.5}] // ok', '[{"mean": 1_0}]', '[{"mean": "\t"}]', '[{"mean": True}]'],
}  # fmt: skip

# Rule to rows of n_total_trials, n_completed_trials and n_errored_trials, `-` for none; status, resolved and total.
# The score is 0.5.
_COUNTS: dict[str, list[tuple[str, str, str, str, int, int]]] = {
    "outcome/status": [
        ("2", "2", "0", "completed", 1, 2), ("2", "1", "1", "failed", 1, 2), ("2", "0", "2", "failed", 1, 2), ("2", "0", "0", "completed", 1, 2), ("9", "2", "0", "completed", 4, 9), ("0", "0", "0", "completed", 0, 0),
        ("2", "2", "-1", "failed", 1, 2), ("2", "2", "1", "failed", 1, 2), ("2", "2", "100000000000000000000", "failed", 1, 2), ("2", "2", "-0", "completed", 1, 2),
    ],
    "outcome/total": [("2", "5", "0", "completed", 1, 2), ("2", "5", "3", "failed", 1, 2), ("-3", "5", "0", "completed", -2, -3), ("9007199254740993", "1", "0", "completed", 4503599627370496, 9007199254740993), ("20000000000000000000", "1", "0", "completed", 10000000000000000000, 20000000000000000000)],
    "outcome/resolved-of-planned": [
        ("0", "4", "0", "completed", 0, 4), ("-", "4", "0", "completed", 0, 4), ("null", "4", "2", "failed", 0, 6), ("0.5", "4", "0", "completed", 0, 4), ('"0"', "4", "1", "failed", 0, 5), ("0", "4", "-4", "failed", 0, 0), ("0", "9007199254740993", "0", "completed", 0, 9007199254740993), ("false", "3", "0", "completed", 0, 3), ("-0", "3", "0", "completed", 0, 3),
    ],
    "outcome/falsy-count": [
        ("2", "2", "null", "completed", 1, 2), ("2", "2", "-", "completed", 1, 2), ("2", "2", "false", "completed", 1, 2), ("2", "2", '""', "completed", 1, 2), ("2", "2", "0.0", "completed", 1, 2), ("2", "2", "-0.0", "completed", 1, 2), ("2", "2", "[]", "completed", 1, 2), ("2", "2", "{}", "completed", 1, 2),
        ("0", "null", "2", "failed", 0, 2), ("0", "-", "2", "failed", 0, 2), ("[]", "3", "0", "completed", 0, 3), ("{}", "3", "0", "completed", 0, 3), ('""', "3", "0", "completed", 0, 3), ("0.0", "3", "0", "completed", 0, 3), ("-", "-", "-", "completed", 0, 0), ("2", "[]", "0", "completed", 1, 2),
    ],
    "outcome/count": [
        ("true", "0", "0", "completed", 0, 1), ("2", "2", "true", "failed", 1, 2), ("2.9", "0", "0", "completed", 1, 2), ("-2.9", "0", "0", "completed", -1, -2), ("2", "2", "0.9", "completed", 1, 2), ("2", "2", "-0.9", "completed", 1, 2), ("2", "2", "1.0", "failed", 1, 2), ("4e0", "0", "0", "completed", 2, 4), ("1e2", "0", "0", "completed", 50, 100),
        ('"4"', "0", "0", "completed", 2, 4), ('" 1_0 "', "0", "0", "completed", 5, 10), ('"+4"', "0", "0", "completed", 2, 4), ('"-4"', "0", "0", "completed", -2, -4), ('"007"', "0", "0", "completed", 4, 7), ('"\\u0664"', "0", "0", "completed", 2, 4), ('"\\uff14\\n"', "0", "0", "completed", 2, 4), ("2", "2", '"0"', "completed", 1, 2), ("2", "2", '"1"', "failed", 1, 2),
        ("0", '"3"', "true", "failed", 0, 4), ("0", "2.9", "2.9", "failed", 0, 4), ('"9007199254740993"', "0", "0", "completed", 4503599627370496, 9007199254740993), ("1e22", "0", "0", "completed", 5000000000000000000000, 10000000000000000000000),
    ],
}  # fmt: skip

# Rule to a member beside a score of 0.5 that makes the file malformed.
_BAD_COUNTS = ["NaN", "Infinity", "-Infinity", "1e400", "[0]", "[1]", '{"n": 1}', '"x"', '"1.0"', '"1e3"', '" "', '"1__0"', '"_1"', '"0x2"', '"nan"', '"1,000"', '"2 trials"', '"\\u00b2"', '"\\ud800"', '"\\u001c2"']  # fmt: skip

# Rule to rows of a whole document, status, score, resolved and total.
_WHOLE: dict[str, list[tuple[str, str, str, int, int]]] = {
    "outcome/absent-members": [
        ("{}", "completed", "0.0", 0, 0), (" {} \n", "completed", "0.0", 0, 0), ('{"n_total_trials": 3}', "completed", "0.0", 0, 3), ('{"stats": {}}', "completed", "0.0", 0, 0), ('{"n_total_trials": 3, "stats": {"evals": {}}}', "completed", "0.0", 0, 3), ('{"n_total_trials": 3, "stats": {"evals": {"g": {}}}}', "completed", "0.0", 0, 3),
        ('{"stats": {"n_errored_trials": 2}}', "failed", "0.0", 0, 2), ('{"stats": {"n_completed_trials": 2}}', "completed", "0.0", 0, 2), ('{"n_total_trials": 2, "stats": {"evals": {"g": {"metrics": [{"mean": 1}]}, "h": {}}}}', "completed", "1.0", 2, 2), ('{"evals": {"g": {"metrics": [{"mean": 1}]}}}', "completed", "0.0", 0, 0), ('{"n_completed_trials": 3, "n_errored_trials": 3}', "completed", "0.0", 0, 0),
        ('{"note": "\\ud800", "n_total_trials": 1}', "completed", "0.0", 0, 1), ('{"N_TOTAL_TRIALS": 3}', "completed", "0.0", 0, 0),
    ],
    "outcome/no-values": [
        ('{"n_total_trials": 3, "stats": {"n_completed_trials": 3, "evals": {"a__m__org__set": {"metrics": []}}}}', "completed", "0.0", 0, 3), ('{"n_total_trials": 3, "stats": {"n_errored_trials": 3, "evals": {"a__d": {"metrics": []}}}}', "failed", "0.0", 0, 3),
        ('{"n_total_trials": 3, "stats": {"evals": {"a__d": {"metrics": [], "pass_at_k": {"2": 1.0}, "reward_stats": {"reward": {"1.0": ["t"]}}}}}}', "completed", "0.0", 0, 3),
    ],
    "outcome/flat-mean": [
        ('{"n_total_trials": 4, "stats": {"evals": {"g": {"metrics": [{"mean": 1}]}, "h": {"metrics": [{"mean": 0}]}}}}', "completed", "0.5", 2, 4), ('{"n_total_trials": 4, "stats": {"evals": {"g": {"metrics": [{"mean": 1}]}, "h": {"metrics": [{"a": 0, "b": 0, "c": 0}]}}}}', "completed", "0.25", 1, 4),
        ('{"n_total_trials": 3, "stats": {"evals": {"g": {"metrics": [{"mean": 1}, {"mean": 1}]}, "h": {"metrics": [{"mean": 0}]}}}}', "completed", "0.6666666666666666", 2, 3), ('{"n_total_trials": 4, "stats": {"evals": {"g": {"metrics": []}, "h": {"metrics": [{"mean": 1}]}}}}', "completed", "1.0", 4, 4),
        ('{"n_total_trials": 4, "stats": {"evals": {"g": {"metrics": [{"mean": 1}], "n_trials": 3}, "h": {"metrics": [{"mean": 0}], "n_trials": 1}}}}', "completed", "0.5", 2, 4), ('{"n_total_trials": 4, "stats": {"evals": {"": {"metrics": [{"mean": 1}]}}}}', "completed", "1.0", 4, 4),
    ],
    "outcome/status": [('{"n_total_trials": 2, "stats": {"n_completed_trials": 2, "n_errored_trials": 0, "evals": {"g": {"metrics": [{"mean": 0.0}]}}}}', "completed", "0.0", 0, 2), ('{"n_total_trials": 2, "stats": {"n_completed_trials": 2, "evals": {"g": {"metrics": [{"mean": 0.0}]}}}}', "completed", "0.0", 0, 2), ('{"n_total_trials": 2, "stats": {"n_errored_trials": 1, "evals": {"g": {"metrics": [{"mean": 1.0}]}}}}', "failed", "1.0", 2, 2), ('{"n_total_trials": 2, "n_errored_trials": 1, "stats": {}}', "completed", "0.0", 0, 2)],
    "outcome/duplicate-key": [
        ('{"n_total_trials": 3, "n_total_trials": 4}', "completed", "0.0", 0, 4), ('{"n_total_trials": 3, "n_total_trials": 0}', "completed", "0.0", 0, 0), ('{"stats": null, "stats": {}}', "completed", "0.0", 0, 0), ('{"stats": {"n_errored_trials": 1, "n_errored_trials": 0}}', "completed", "0.0", 0, 0), ('{"stats": {"n_errored_trials": 1}, "stats": {}}', "completed", "0.0", 0, 0),
        ('{"n_total_trials": 4, "stats": {"evals": {"g": {"metrics": [{"mean": 0, "mean": 1}]}}}}', "completed", "1.0", 4, 4), ('{"n_total_trials": 4, "stats": {"evals": {"g": {"metrics": [{"mean": 1}]}, "g": {"metrics": [{"mean": 0.5}]}}}}', "completed", "0.5", 2, 4), ('{"n_total_trials": 4, "stats": {"evals": {"g": {"metrics": [{"a": 1, "b": 0, "a": 0}]}}}}', "completed", "0.0", 0, 4), ('{"n_total_trials": "x", "n_total_trials": 1}', "completed", "0.0", 0, 1),
    ],
}  # fmt: skip

# Rule to whole documents that are malformed.
_BAD_WHOLE: dict[str, list[str]] = {
    "outcome/wrong-shape": [
        "null", "[]", "[{}]", "0", "1", "0.5", "true", "false", '""', '"x"', "NaN", '{"stats": null}', '{"stats": []}', '{"stats": ""}', '{"stats": 0}', '{"stats": false}', '{"stats": "x"}', '{"stats": {"evals": null}}', '{"stats": {"evals": []}}', '{"stats": {"evals": ""}}', '{"stats": {"evals": 0}}',
        '{"stats": {"evals": {"g": null}}}', '{"stats": {"evals": {"g": []}}}', '{"stats": {"evals": {"g": 1}}}', '{"stats": {"evals": {"g": "metrics"}}}', '{"stats": {"evals": {"g": {"metrics": [{"mean": 1}]}, "h": null}}}', '{"n_total_trials": 3, "stats": null}',
    ],
    "outcome/not-json": ["{", "}", '{"n_total_trials": 1', '{"n_total_trials": 1}}', '{"n_total_trials": 1} {}', '{"n_total_trials": 1}\n{"n_total_trials": 2}', "BASE_BENCHMARK_RESULT={}", "{}\0", "undefined", "{}{}", "\xa0{}", '{"stats": {"evals": {"g": {"metrics": [{"mean": 0.', "# empty", "<html>"],
    "outcome/unreadable": [" ", "\n", "\t\r\n"],
    "outcome/duplicate-key": ['{"stats": {}, "stats": null}', '{"n_total_trials": 1, "n_total_trials": "x"}'],
}  # fmt: skip


def _one_group(metrics: str, planned: int) -> str:
    stats = f'{{"n_completed_trials": {planned}, "n_errored_trials": 0, "evals": {{"g": {{"metrics": {metrics}}}}}}}'
    return f'{{"n_total_trials": {planned}, "stats": {stats}}}'


def _counted(planned: str, completed: str, errored: str) -> str:
    counts = {"n_completed_trials": completed, "n_errored_trials": errored}
    members = "".join(f'"{name}": {count}, ' for name, count in counts.items() if count != "-")
    first = "" if planned == "-" else f'"n_total_trials": {planned}, '
    return f'{{{first}"stats": {{{members}"evals": {{"g": {{"metrics": [{{"mean": 0.5}}]}}}}}}}}'


def _vector(rule: str, name: str, document: str, answer: Answer) -> Vector:
    return Vector(rule, name, result_file(document.encode()), _always(answer))


def _short(text: str) -> str:
    return named(text if len(text) < 90 else f"{text[:30]}...{len(text)}")


def _metric_vectors() -> Iterator[Vector]:
    for rule, rows in _METRICS.items():
        for metrics, planned, score, resolved in rows:
            answer = _value("completed", score, resolved, planned)
            yield _vector(rule, f"{_short(metrics)}*{planned}", _one_group(metrics, planned), answer)
    for rule, all_metrics in _BAD_METRICS.items():
        for metrics in all_metrics:
            yield _vector(rule, f"metrics/{_short(metrics)}", _one_group(metrics, 5), _MALFORMED)


def _count_vectors() -> Iterator[Vector]:
    for rule, rows in _COUNTS.items():
        for planned, completed, errored, status, resolved, total in rows:
            answer = _value(status, "0.5", resolved, total)
            yield _vector(
                rule, _short(f"{planned},{completed},{errored}"), _counted(planned, completed, errored), answer
            )
    for count in _BAD_COUNTS:
        rule = "outcome/bad-count"
        yield _vector(rule, f"planned/{_short(count)}", _counted(count, "1", "0"), _MALFORMED)
        yield _vector(rule, f"completed/{_short(count)}", _counted("1", count, "0"), _MALFORMED)
        yield _vector(rule, f"errored/{_short(count)}", _counted("1", "1", count), _MALFORMED)


def _whole_vectors() -> Iterator[Vector]:
    for rule, rows in _WHOLE.items():
        for document, status, score, resolved, total in rows:
            yield _vector(rule, f"document/{named(document)}", document, _value(status, score, resolved, total))
    for rule, documents in _BAD_WHOLE.items():
        for document in documents:
            yield _vector(rule, f"malformed/{named(document)}", document, _MALFORMED)


def _limit_vectors() -> Iterator[Vector]:
    """Integers and nesting at the limits of the interpreter."""
    rule = "outcome/beyond-double"
    for digits in (310, 4300):
        nines, without_metrics = "9" * digits, '{"n_total_trials": ' + "9" * digits + "}"
        yield _vector(rule, f"planned/{digits}-digits", _counted(nines, "1", "0"), _MALFORMED)
        yield _vector(rule, f"planned/{digits}-digits-as-text", _counted(f'"{nines}"', "1", "0"), _MALFORMED)
        yield _vector(rule, f"planned/{digits}-digits-without-metrics", without_metrics, _MALFORMED)
        errored = _value("failed", "0.5", 1, 2)
        yield _vector(rule, f"errored/{digits}-digits", _counted("2", "1", nines), errored)
        yield _vector(rule, f"errored/{digits}-digits-as-text", _counted("2", "1", f'"{nines}"'), errored)
        completed = _value("completed", "0.5", 0, int(nines))
        yield _vector(rule, f"completed/{digits}-digits", _counted("0", nines, "0"), completed)
    largest = str((2**53 - 1) * 2**971)
    yield _vector(
        rule,
        "planned/largest-double",
        _counted(largest, "1", "0"),
        _value("completed", "0.5", int(largest) // 2, int(largest)),
    )
    rule = "outcome/digit-limit"
    nines = "9" * 4300
    yield _vector(rule, "sum-of-4301-digits", _counted("0", nines, "1"), Fault("ValueError"))
    yield _vector(rule, "sum-of-4301-digits-both-long", _counted("-", nines, nines), Fault("ValueError"))
    yield _vector(rule, "sum-of-4301-digits-negative", _counted("0", f"-{nines}", "-1"), Fault("ValueError"))
    yield _vector(rule, "not-printed", _counted("2", nines, "1"), _value("failed", "0.5", 1, 2))
    yield _vector(
        rule, "sum-of-4300-digits", _counted("0", "8" + "0" * 4299, "1"), _value("failed", "0.5", 0, 8 * 10**4299 + 1)
    )
    rule = "outcome/bad-count"
    yield _vector(rule, "errored/4301-digits-as-text", _counted("2", "1", f'"{nines}9"'), _MALFORMED)
    rule = "outcome/not-json"
    yield _vector(rule, "4301-digits", _counted(nines + "9", "1", "0"), _MALFORMED)
    yield _vector(rule, "4301-digits-elsewhere", '{"extra": ' + nines + "9}", _MALFORMED)
    yield _vector(rule, "100000-arrays", "[" * 100_000, _MALFORMED)
    yield _vector(
        "outcome/absent-members",
        "300-arrays-elsewhere",
        '{"extra": ' + "[" * 300 + "]" * 300 + "}",
        _value("completed", "0.0", 0, 0),
    )


def _byte_vectors() -> Iterator[Vector]:
    plain = _one_group('[{"mean": 0.5}]', 2).encode()
    for name, content in {
        "latin-1": b'{"\xe9": 1}',
        "lone-byte": b"\xff",
        "surrogate": b'{"\xed\xa0\x80": 1}',
        "cut": b'{"\xe2\x80',
    }.items():
        yield Vector("outcome/unreadable", f"bytes/{name}", result_file(content), _always(_MALFORMED))
    for name, content in {
        "utf-8": b"\xef\xbb\xbf" + plain,
        "utf-16": plain.decode().encode("utf-16"),
        "utf-16-be": b"\xfe\xff" + plain.decode().encode("utf-16-be"),
    }.items():
        yield Vector("outcome/not-json", f"mark/{name}", result_file(content), _always(_MALFORMED))


def _state_vectors() -> Iterator[Vector]:
    plain = FileState("file", _one_group('[{"mean": 0.5}]', 2).encode())
    for name, case in {
        "no-file": ResultFile(ABSENT),
        "no-folder": ResultFile(plain, "absent"),
        "folder-is-a-file": ResultFile(plain, "file"),
        "dangling-link": ResultFile(FileState("dangling-link")),
        "looping-link": ResultFile(FileState("looping-link")),
    }.items():
        yield Vector("outcome/missing", name, case, _always(_MISSING))
    for name, state in {
        "directory": FileState("directory"),
        "unreadable": FileState("unreadable", plain.content),
        "empty": FileState("file"),
        "empty-link": FileState("link"),
    }.items():
        yield Vector("outcome/unreadable", name, ResultFile(state), _always(_MALFORMED))
    yield Vector(
        "outcome/fields",
        "link",
        ResultFile(FileState("link", plain.content)),
        _always(_value("completed", "0.5", 1, 2)),
    )


def _series_vectors() -> Iterator[Vector]:
    """Where the interpreter series differ; sums do not, because every value is made a float first."""
    refused: dict[Series, Answer] = {Series.PY312: Fault("PermissionError"), Series.PY314: _MISSING}
    plain = FileState("file", b"{}")
    yield Vector("outcome/unsearchable-folder", "with-result", ResultFile(plain, "unsearchable"), refused)
    yield Vector("outcome/unsearchable-folder", "with-nothing", ResultFile(ABSENT, "unsearchable"), refused)
    for name, document, newer in [
        ("value/U+10D41", _one_group('[{"mean": "\U00010d41"}]', 4), _value("completed", "1.0", 4, 4)),
        ("value/U+1CCF5-as-escape", _one_group('[{"mean": "0.\\ud833\\udcf5"}]', 4), _value("completed", "0.5", 2, 4)),
        ("planned/U+10D44", _counted('"\U00010d44"', "1", "0"), _value("completed", "0.5", 2, 4)),
        ("errored/U+10D41", _counted("2", "1", '"\U00010d41"'), _value("failed", "0.5", 1, 2)),
    ]:
        rule = "outcome/metric-value" if name.startswith("value") else "outcome/count"
        answers: dict[Series, Answer] = {Series.PY312: _MALFORMED, Series.PY314: newer}
        yield Vector(rule, name, result_file(document.encode()), answers)


# Inputs that a careless runner changes.
_RESULT = b'{"n_total_trials": 2, "stats": {"n_completed_trials": 2, "evals": {"e": {"metrics": [{"mean": 0.5}]}}}}'
_OUTCOME = {"status": "completed", "score": 0.5, "resolved": 1, "total": 2, "reason_code": None}
_LINE = 'BASE_BENCHMARK_RESULT={"reason_code": null, "resolved": 1, "score": 0.5, "status": "completed", "total": 2}'
_UNCHANGED = {"link": ResultFile(FileState("link", _RESULT))}

VECTORS: list[Vector] = [
    *_state_vectors(),
    *_series_vectors(),
    *_byte_vectors(),
    *_metric_vectors(),
    *_count_vectors(),
    *_whole_vectors(),
    *_limit_vectors(),
    *(
        Vector("outcome/leaves-its-input-alone", name, case, dict.fromkeys(Series, Value({**_OUTCOME, "line": _LINE})))
        for name, case in _UNCHANGED.items()
    ),
]
