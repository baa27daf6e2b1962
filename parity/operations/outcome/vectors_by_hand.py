"""Functions that build golden vectors of `outcome`; the answers come from the scoring description, not a wheel."""

from parity.operations.answers import Answer, Value
from parity.operations.outcome.case import result_file
from parity.operations.vector import Vector, named
from parity.scorer.series import Series


def outcome_of(status: str, score: str, resolved: int, total: int, reason_code: str | None = None) -> Value:
    """Build an outcome with its line; `score` is given as it is printed."""
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


MISSING = outcome_of("failed", "0.0", 0, 0, "harbor_result_missing")


MALFORMED = outcome_of("failed", "0.0", 0, 0, "harbor_result_malformed")


def always(answer: Answer) -> dict[Series, Answer]:
    """Return the same answer for every interpreter series."""
    return dict.fromkeys(Series, answer)


def one_group(metrics: str, planned: int) -> str:
    """Write a result.json of one group with these metrics and only completed trials."""
    stats = f'{{"n_completed_trials": {planned}, "n_errored_trials": 0, "evals": {{"g": {{"metrics": {metrics}}}}}}}'
    return f'{{"n_total_trials": {planned}, "stats": {stats}}}'


def counted(planned: str, completed: str, errored: str) -> str:
    """Write a result.json with these counts, each given as JSON, or as an empty text if it is absent."""
    counts = {"n_completed_trials": completed, "n_errored_trials": errored}
    members = "".join(f'"{name}": {count}, ' for name, count in counts.items() if count != "-")
    first = "" if planned == "-" else f'"n_total_trials": {planned}, '
    return f'{{{first}"stats": {{{members}"evals": {{"g": {{"metrics": [{{"mean": 0.5}}]}}}}}}}}'


def vector_of(rule: str, name: str, document: str, answer: Answer) -> Vector:
    """Build the vector of a document and its answer."""
    return Vector(rule, name, result_file(document.encode()), always(answer))


def short_name(text: str) -> str:
    """Return the name of a vector for a text, shortened if the text is long."""
    return named(text if len(text) < 90 else f"{text[:30]}...{len(text)}")
