"""Golden vectors of `outcome`, with answers that were derived by hand from the scoring description, section 5.

Each row has the content of the file, and its result: the score as it is printed, resolved and total. The status is
`completed` unless the row has another one; a malformed file always has the same answer.
"""

from collections.abc import Iterator

from parity.operations.outcome.state_vectors import byte_vectors, limit_vectors, series_vectors, state_vectors
from parity.operations.outcome.vectors_by_hand import MALFORMED, counted, one_group, outcome_of, short_name, vector_of
from parity.operations.vector import Vector, named

# By rule: rows of one group's metrics, n_total_trials, score and resolved.
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
        ('[{"mean": ".5"}]', 4, "0.5", 2), ('[{"mean": "+.5\\n"}]', 4, "0.5", 2), ('[{"mean": "\\u0661"}]', 4, "1.0", 4), ('[{"mean": "\\u00a01"}]', 4, "1.0", 4), ('[{"a": "1", "b": 0}]', 4, "0.5", 2), ('[{"mean": "-0"}]', 4, "0.0", 0),
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

# No key but `mean` is preferred to others, and nothing is rounded before the end.
_METRICS["outcome/flat-mean"] += [(f'[{{"{key}": 1, "x": 0}}]', 4, "0.5", 2) for key in ("reward", "score", "accuracy", "total", "value", "avg", "average", "mean_reward")]  # fmt: skip
_METRICS["outcome/flat-mean"] += [('[{"x": 0, "reward": 1}]', 4, "0.5", 2), ('[{"mean": 1}' + ', {"mean": 0}' * 39 + "]", 40, "0.025", 1), ("[{" + ", ".join(f'"k{n}": {int(n < 3)}' for n in range(24)) + "}]", 8, "0.125", 1)]  # fmt: skip
_METRICS["outcome/flat-mean"] += [(f'[{{"{key}": 1, "x": 0}}]', 4, "0.5", 2) for key in ("Mean", "MEAN", "reward_mean", "x.mean", "mean/reward", "mean@1")]  # fmt: skip
_METRICS["outcome/half-to-even"] += [('[{"mean": 0.4999999}]', 3, "0.4999999", 1), ('[{"mean": 0.5000001}]', 5, "0.5000001", 3), ('[{"mean": 0.49999999999999994}]', 1, "0.49999999999999994", 0), ('[{"mean": 0.4999999999}]', 1, "0.4999999999", 0), ('[{"mean": 0.1666666}]', 3, "0.1666666", 0), ('[{"mean": 0.8333334}]', 3, "0.8333334", 3), ('[{"mean": 0.0000004}]', 1250000, "4e-07", 0), ('[{"mean": 0.0000004}]', 3750000, "4e-07", 2)]  # fmt: skip

# Rule to metrics of one group, of 5 trials, that make the file malformed.
_BAD_METRICS: dict[str, list[str]] = {
    "outcome/non-finite": [
        '[{"mean": NaN}]', '[{"mean": Infinity}]', '[{"mean": -Infinity}]', '[{"mean": 1e400}]', '[{"mean": "nan"}]', '[{"mean": "inf"}]', '[{"a": 1, "b": NaN}]', '[{"mean": 1}, {"mean": NaN}]', '[{"a": Infinity, "b": -Infinity}]',
        '[{"a": 1e308, "b": 1e308}]', '[{"mean": 1e308}]', '[{"mean": -1e308}]', '[{"mean": "1e999"}]',
    ],
    "outcome/bad-value": [
        '[{"mean": null}]', '[{"mean": []}]', '[{"mean": {}}]', '[{"mean": "x"}]', '[{"mean": ""}]', '[{"mean": " "}]', '[{"mean": "true"}]', '[{"mean": "0x1"}]', '[{"mean": "1__0"}]', '[{"mean": "\\u001c1"}]', '[{"mean": "\\ud800"}]',
        '[{"a": 1, "b": null}]', '[{"mean": 1}, {"mean": null}]', '[{"mean": null, "a": 1}]', '[{"mean": 1' + "0" * 309 + "}]",
    ],
    "outcome/wrong-shape": ["null", "0", "1", "true", "false", '"mean"', '"x"', '{"mean": 1}', '{"a": {"mean": 1}}', "[null]", "[1]", "[0.5]", '["mean"]', '[""]', '[["mean"]]', "[[]]", '[[["mean", 1]]]', '[{"mean": 1}, null]', "[true]"],
    "outcome/not-json": ['[{"mean": 0.5},]', '[{mean: 0.5}]', "[{'mean': 0.5}]", '[{"mean": .5}]', '[{"mean": 5.}]', '[{"mean": 01}]', '[{"mean": +1}]', '[{"mean": nan}]', '[{"mean": -NaN}]', '[{"mean": 0.5}] // ok', '[{"mean": "\t"}]', '[{"mean": True}]'],
}  # fmt: skip

# By rule: rows of n_total_trials, n_completed_trials and n_errored_trials, `-` for none; status, resolved and total.
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
        ('"4"', "0", "0", "completed", 2, 4), ('" 1_0 "', "0", "0", "completed", 5, 10), ('"+4"', "0", "0", "completed", 2, 4), ('"-4"', "0", "0", "completed", -2, -4), ('"007"', "0", "0", "completed", 4, 7), ('"\\u0664"', "0", "0", "completed", 2, 4), ("2", "2", '"0"', "completed", 1, 2), ("2", "2", '"1"', "failed", 1, 2),
        ("0", '"3"', "true", "failed", 0, 4), ("0", "2.9", "2.9", "failed", 0, 4), ('"9007199254740993"', "0", "0", "completed", 4503599627370496, 9007199254740993), ("1e22", "0", "0", "completed", 5000000000000000000000, 10000000000000000000000),
    ],
}  # fmt: skip

# Counts that make the file malformed, beside a score of 0.5.
_BAD_COUNTS = ["NaN", "[0]", '"x"', '"1.0"', "Infinity", "1e400", '{"n": 1}', '" "', '"1__0"', '"_1"', '"0x2"', '"\\u00b2"', '"\\ud800"', '"\\u001c2"']  # fmt: skip

# By rule: rows of a whole document, status, score, resolved and total.
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

_TWELVE = ", ".join(f'"agent-{n}__set": {{"metrics": [{{"mean": {int(n in (5, 9, 11))}}}]}}' for n in range(12))
_WHOLE["outcome/flat-mean"].append((f'{{"n_total_trials": 4, "stats": {{"evals": {{{_TWELVE}}}}}}}', "completed", "0.25", 1, 4))  # fmt: skip
# Counts beside those that decide.
_WHOLE["outcome/status"] += [
    (f'{{"n_total_trials": 2, "stats": {{"n_completed_trials": 2, "n_errored_trials": {errored}, {count}, "evals": {{"g": {{"n_trials": 9, "n_errors": {errors}, "metrics": [{{"mean": 0.5}}], "exception_stats": {{{kinds}}}}}}}}}}}', status, "0.5", 1, 2)
    for errored, errors, kinds, count, status in [
        ("0", "1", '"ValueError": ["a"]', '"n_cancelled_trials": 0', "completed"), ("1", "0", "", '"n_cancelled_trials": 0', "failed"), ("0", "0", "", '"n_cancelled_trials": 1', "completed"),
        ("0", "0", "", '"n_running_trials": 1', "completed"), ("0", "0", "", '"n_pending_trials": 1', "completed"), ("0", "0", "", '"n_retries": 1', "completed"), ("0", "0", "", '"n_failed_trials": 1', "completed"),
    ]
]  # fmt: skip

# Names that older results had, and groups none of whose trials was rewarded.
_WHOLE["outcome/absent-members"] += [
    ('{"n_total_trials": 4, "stats": {"n_trials": 4, "n_errors": 1, "evals": {"g": {"metrics": [{"mean": 0.5}]}}}}', "completed", "0.5", 2, 4),
    ('{"stats": {"n_trials": 4, "evals": {"g": {"metrics": [{"mean": 0.5}]}}}}', "completed", "0.5", 0, 0),
    ('{"trial_results": [{}, {}], "stats": {"evals": {"g": {"metrics": [{"mean": 0.5}]}}}}', "completed", "0.5", 0, 0),
]  # fmt: skip
_WHOLE["outcome/flat-mean"] += [
    (f'{{"n_total_trials": 4, "stats": {{"evals": {{"g": {{"metrics": [{{"mean": 0.0}}], "n_trials": 0, "n_errors": {errors}}}, "h": {{"metrics": [{{"mean": 1.0}}], "n_trials": 2}}}}}}}}', "completed", "0.5", 2, 4)
    for errors in (0, 2)
]  # fmt: skip

# Rule to whole documents that are malformed.
_BAD_WHOLE: dict[str, list[str]] = {
    "outcome/wrong-shape": [
        "null", "[]", "[{}]", "0", "1", "0.5", "true", "false", '""', '"x"', "NaN", '{"stats": null}', '{"stats": []}', '{"stats": ""}', '{"stats": 0}', '{"stats": false}', '{"stats": "x"}', '{"stats": {"evals": null}}', '{"stats": {"evals": []}}', '{"stats": {"evals": ""}}', '{"stats": {"evals": 0}}',
        '{"stats": {"evals": {"g": null}}}', '{"stats": {"evals": {"g": []}}}', '{"stats": {"evals": {"g": 1}}}', '{"stats": {"evals": {"g": "metrics"}}}', '{"stats": {"evals": {"g": {"metrics": [{"mean": 1}]}, "h": null}}}', '{"n_total_trials": 3, "stats": null}',
    ],
    "outcome/not-json": ["{", '{"n_total_trials": 1', '{"n_total_trials": 1}}', '{"n_total_trials": 1} {}', '{"n_total_trials": 1}\n{"n_total_trials": 2}', "BASE_BENCHMARK_RESULT={}", "{}\0", "\xa0{}"],
    "outcome/unreadable": [" ", "\n", "\t\r\n"],
    "outcome/duplicate-key": ['{"stats": {}, "stats": null}', '{"n_total_trials": 1, "n_total_trials": "x"}'],
}  # fmt: skip

_BAD_WHOLE["outcome/not-json"] += [f'{{"n_total_trials": 1, "a{control}b": 1}}' for control in "\t\n\x1f"]
_BAD_WHOLE["outcome/not-json"] += ['{"n_total_trials": 1, "a": "b\tc"}', '{"n_total_trials": 1, "a": "b\nc"}']


def _metric_vectors() -> Iterator[Vector]:
    for rule, rows in _METRICS.items():
        for metrics, planned, score, resolved in rows:
            answer = outcome_of("completed", score, resolved, planned)
            yield vector_of(rule, f"{short_name(metrics)}*{planned}", one_group(metrics, planned), answer)
    for rule, all_metrics in _BAD_METRICS.items():
        for metrics in all_metrics:
            yield vector_of(rule, f"metrics/{short_name(metrics)}", one_group(metrics, 5), MALFORMED)


def _count_vectors() -> Iterator[Vector]:
    for rule, rows in _COUNTS.items():
        for planned, completed, errored, status, resolved, total in rows:
            answer = outcome_of(status, "0.5", resolved, total)
            yield vector_of(
                rule, short_name(f"{planned},{completed},{errored}"), counted(planned, completed, errored), answer
            )
    rule = "outcome/bad-count"
    for count in _BAD_COUNTS:
        yield vector_of(rule, f"planned/{short_name(count)}", counted(count, "1", "0"), MALFORMED)
    for count in _BAD_COUNTS[:4]:  # the other two are read in the same way
        yield vector_of(rule, f"completed/{short_name(count)}", counted("1", count, "0"), MALFORMED)
        yield vector_of(rule, f"errored/{short_name(count)}", counted("1", "1", count), MALFORMED)


def _whole_vectors() -> Iterator[Vector]:
    for rule, rows in _WHOLE.items():
        for document, status, score, resolved, total in rows:
            name = f"document/{short_name(document) if len(document) > 250 else named(document)}"
            yield vector_of(rule, name, document, outcome_of(status, score, resolved, total))
    for rule, documents in _BAD_WHOLE.items():
        for document in documents:
            yield vector_of(rule, f"malformed/{named(document)}", document, MALFORMED)


VECTORS: list[Vector] = [
    *state_vectors(),
    *series_vectors(),
    *byte_vectors(),
    *_metric_vectors(),
    *_count_vectors(),
    *_whole_vectors(),
    *limit_vectors(),
]
