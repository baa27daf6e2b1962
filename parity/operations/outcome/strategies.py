"""Contents of result.json: documents as Harbor writes them, documents with a wrong member, and malformed text."""

import json
from typing import Any

from hypothesis import strategies as st

from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.files.json_strategies import number_strings
from parity.operations.files.number_strategies import choose, finite_floats, floats, halfway_decimals, hard_ints
from parity.operations.files.text_strategies import encoded, invalid_bytes, spelled
from parity.operations.outcome.case import ResultFile

type Document = dict[str, Any]
type DocumentPath = tuple[str | int, ...]
"""The steps from a document to one of its members."""

_tame = st.sampled_from([0.0, 1.0, 0.5, 0.25, 0.75, 1 / 3, 2 / 3, 0.1, 0.2, 0.7, 0, 1])
_signed = st.sampled_from([-0.5, 1.5, 2.5, -1.0, 1e16, -1e16, 1.0, 0.1, -0.3, 1e100, -1e100])
_values = choose(_tame, _tame, _signed, st.floats(-2, 2))
_any_values = choose(
    _values,
    floats,
    st.sampled_from([True, False, None, [], {}, [1], 1e308, 1.7976931348623157e308, 5e-324, -5e-324, 2**1024]),
    choose(spelled, number_strings, halfway_decimals, st.sampled_from(["\u0661", "\U00010d41", " 1_0 ", "nan"])),
)

_metric_keys = st.sampled_from(["max", "min", "sum", "reward", "accuracy", "speed", "Mean", "means", "mea\u0146"])


def _metrics(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Document]:
    """Draw metrics with the key `mean`, with reward keys, with both or without any."""
    return choose(
        st.builds(lambda value: {"mean": value}, values),
        st.builds(lambda key, value: {key: value}, _metric_keys, values),
        st.dictionaries(_metric_keys, values, max_size=4),
        st.builds(
            lambda others, value, first: {"mean": value, **others} if first else {**others, "mean": value},
            st.dictionaries(_metric_keys, values, min_size=1, max_size=2),
            values,
            st.booleans(),
        ),
    )


def _groups(values: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[Document]:
    names = st.sampled_from(["agent__adhoc", "agent__model__set", "a__b__c__d", ""])
    group = st.builds(lambda metrics: {"metrics": metrics, "n_trials": 1}, st.lists(_metrics(values), max_size=most))
    return st.dictionaries(names, group, max_size=3)


_many_groups: st.SearchStrategy[Document] = st.lists(_tame, min_size=5, max_size=12).map(
    lambda values: {f"agent-{number}__set": {"metrics": [{"mean": value}]} for number, value in enumerate(values)}
)
_counts = st.integers(0, 12)
_odd_counts = st.sampled_from([1, 3, 5, 7, 9, 11])


def _document(planned: Any, completed: Any, errored: Any, evals: Any) -> Document:
    stats = {"n_completed_trials": completed, "n_errored_trials": errored, "evals": evals}
    return {"id": "0", "n_total_trials": planned, "stats": stats}


result_objects: st.SearchStrategy[Document] = st.builds(
    _document,
    choose(_counts, _odd_counts),
    _counts,
    choose(st.just(0), _counts),
    choose(_groups(_values, 2), _groups(_tame, 4), _many_groups),
)
"""Documents without any mistake."""

_one_value = st.builds(
    lambda value: {"g": {"metrics": [{"mean": value}]}},
    choose(st.sampled_from([0.5, 1.5, 2.5, 0.25, -0.5, -1.5, 1e308, -1.7e308]), _any_values, finite_floats),
)
_hard_sums = st.sampled_from(
    [
        [-5e-324, 0.0], [0.0, -5e-324], [0.0, -5e-324, 0.0], [-5e-324, 0, 0], [1e16, 1.0, 1e-16, -1e16, 1.0],
        [1.0, 1e100, 1.0, -1e100], [1e16, 1, 1, -1e16], [1e100, 1e16, 1.0, -1e100, -1e16],
        [1e100, 1e16, 1.0, 1.0, -1e16, -1e100], [0.1] * 10, [1e308, 1e308, -1e308], [-0.0],
    ]
)  # fmt: skip
_sums = choose(
    st.lists(choose(_tame, _signed, finite_floats), min_size=2, max_size=8),
    st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.7, -0.3, 1e-16, 1.0]), min_size=2, max_size=10),
    _hard_sums,
).map(lambda values: {"g": {"metrics": [{"mean": value} for value in values]}})
_numbered = st.builds(
    _document,
    choose(_odd_counts, st.integers(1, 60)),
    st.just(1),
    st.just(0),
    choose(_one_value, _sums, _groups(_any_values, 2)),
)

result_numbers: st.SearchStrategy[bytes] = choose(result_objects, _numbered).map(lambda d: json.dumps(d).encode())
"""Documents with metric values that are hard to read, to add or to round."""

_huge = st.sampled_from([10**19, 10**309, 10**4299, 2**53 + 1, 2**63, -(10**310)])
_odd_things = choose(
    st.sampled_from(
        [None, True, True, False, "", "x", "mean", [], {}, [1], [{}], {"mean": 1}, {"a": {}}, 0, 1, 0.0, -0.0]
    ),
    st.sampled_from([0.5, -0.5, 1.5, 2.9, -2.9, 1e16, float("nan"), float("inf"), -1, -3, True, True]),
    choose(hard_ints, _huge),
    st.sampled_from(
        ["0", "3", " 1_0 ", "+2", "-4", "1.5", "1e3", "nan", "\u0663", "\U00010d41", "1__0", "٣\x1f", "0x3"]
    ),
    st.integers(4298, 4301).map(lambda digits: "7" * digits),
)
_METRICS: DocumentPath = ("stats", "evals", "g", "metrics")
_PLACES: tuple[DocumentPath, ...] = (
    ("n_total_trials",),
    ("n_total_trials",),
    ("stats", "n_completed_trials"),
    ("stats", "n_errored_trials"),
    ("stats", "n_errored_trials"),
    ("stats",),
    ("stats", "evals"),
    ("stats", "evals", "g"),
    _METRICS,
    _METRICS,
    (*_METRICS, 0),
    (*_METRICS, 0, "mean"),
)
_ABSENT: Any = object()


def _replaced(document: Any, place: DocumentPath, thing: Any) -> Any:
    """Return the document with one member replaced, or removed."""
    if not place:
        return thing
    step, *rest = place
    if isinstance(document, list):
        return [_replaced(document[0], tuple(rest), thing), *document[1:]] if thing is not _ABSENT or rest else []
    if thing is _ABSENT and not rest:
        return {key: value for key, value in document.items() if key != step}
    return {**document, step: _replaced(document[step], tuple(rest), thing)}


_base = st.builds(
    lambda planned, completed, errored, value: _document(
        planned, completed, errored, {"g": {"metrics": [{"mean": value}]}}
    ),
    choose(st.just(0), _counts),
    _counts,
    choose(st.just(0), _counts),
    _tame,
)
_place_and_thing = choose(
    st.tuples(st.sampled_from(_PLACES), choose(_odd_things, _odd_things, st.sampled_from([_ABSENT, _ABSENT, None]))),
    st.tuples(st.sampled_from(_PLACES), _odd_things),
    st.tuples(st.just(_METRICS), st.sampled_from(["", {}, None, _ABSENT, [], "mean"])),
)


def _with_changes(document: Any, changes: list[tuple[DocumentPath, Any]]) -> Any:
    """Return the document with several members replaced or removed."""
    for place, thing in sorted(changes, key=lambda change: len(change[0]), reverse=True):
        document = _replaced(document, place, thing)
    return document


def _only_one_a_branch(changes: list[tuple[DocumentPath, Any]]) -> bool:
    """Return whether no changed place lies inside another."""
    places = [place for place, _ in changes]
    return all(one[: len(other)] != other for i, one in enumerate(places) for j, other in enumerate(places) if i != j)


_odd = st.builds(
    _with_changes, _base, st.lists(_place_and_thing, min_size=1, max_size=2).filter(_only_one_a_branch)
).map(json.dumps)

_doubles = st.sampled_from(
    [
        ("{", '{"n_total_trials": 5, '),
        ('"stats": {', '"stats": {"n_errored_trials": 1, '),
        ('"stats": {', '"stats": {"n_completed_trials": null, "evals": {}, '),
        ("{", '{"stats": null, '),
        ('"g": {', '"g": {"metrics": [{"mean": 0.125}], '),
        ('"mean": ', '"mean": "x", "mean": '),
    ]
)
_doubled = st.builds(lambda document, double: json.dumps(document).replace(double[0], double[1], 1), _base, _doubles)
_too_long_together = st.builds(
    lambda completed, errored: json.dumps({"stats": {"n_completed_trials": completed, "n_errored_trials": errored}}),
    st.sampled_from([10**4299, 10**4300 - 1, 9 * 10**4299]),
    st.sampled_from([10**4300 - 1, 9 * 10**4299, 1, 0, "9" * 4300]),
)

result_members: st.SearchStrategy[bytes] = choose(
    _odd, _odd, _odd, _odd, _odd, _doubled, choose(_doubled, _too_long_together)
).map(str.encode)
"""Documents with one or two members that are absent, repeated, or of another type."""

_texts = st.builds(json.dumps, _base)
_truncated = st.builds(lambda text, length: text[: length % len(text)].encode(), _texts, st.integers(0, 200))
_wrong_documents = st.sampled_from(["null", "[]", "[{}]", "1", "0", "true", '"x"', '""', "NaN", "{}", " {}\n"])
_beside = st.sampled_from(
    [
        "{'n_total_trials': 1}", '{"n_total_trials": 1,}', '{"n_total_trials": 01}', '{"n_total_trials": 1} {}',
        '{"n_total_trials": nan}', "BASE_BENCHMARK_RESULT={}", "", " ", "\n", "{}\0",
    ]
)  # fmt: skip
_limits = st.sampled_from(
    [
        "[" * 100_000, '{"stats":' * 100_000, '{"extra": ' + "[" * 400 + "]" * 400 + "}",
        '{"n_total_trials": ' + "7" * 4300 + "}", '{"n_total_trials": ' + "7" * 4301 + "}",
        '{"extra": ' + "7" * 4301 + ', "n_total_trials": 1}',
    ]
)  # fmt: skip

result_neighbours: st.SearchStrategy[bytes] = choose(
    _truncated,
    choose(_wrong_documents, _beside, _limits, _limits).map(str.encode),
    encoded(_texts),
    st.builds(lambda text, extra: text.encode()[:-1] + extra + b"}", _texts, invalid_bytes),
)
"""Contents that are not a result.json, or only almost one."""

_contents = choose(st.sampled_from([b"{}", b"null", b"", b"{"]), result_numbers, result_neighbours)
_states = choose(
    st.builds(FileState, st.sampled_from(["file", "file", "link", "unreadable"]), _contents),
    st.sampled_from([ABSENT, FileState("dangling-link"), FileState("looping-link"), FileState("directory")]),
)

result_states: st.SearchStrategy[ResultFile] = st.builds(
    ResultFile, _states, st.sampled_from(["folder"] * 9 + ["absent", "file", "unsearchable"])
)
"""result.json in every state, with many contents."""
