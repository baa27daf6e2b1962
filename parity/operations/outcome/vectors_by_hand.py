"""Golden vectors of `outcome` with the answers that the scoring description gives: no wheel has any."""

from parity.operations.answers import Answer, Value
from parity.operations.outcome.case import result_file
from parity.operations.vector import Vector, named
from parity.scorer.series import Series


def outcome_of(status: str, score: str, resolved: int, total: int, reason_code: str | None = None) -> Value:
    """An outcome with its line; `score` as it is printed."""
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
    """The same answer for every series of interpreters."""
    return dict.fromkeys(Series, answer)


def one_group(metrics: str, planned: int) -> str:
    """A result.json of one group with these metrics, all of whose trials are completed."""
    stats = f'{{"n_completed_trials": {planned}, "n_errored_trials": 0, "evals": {{"g": {{"metrics": {metrics}}}}}}}'
    return f'{{"n_total_trials": {planned}, "stats": {stats}}}'


def counted(planned: str, completed: str, errored: str) -> str:
    """A result.json with these counts, each as JSON, or empty for absent."""
    counts = {"n_completed_trials": completed, "n_errored_trials": errored}
    members = "".join(f'"{name}": {count}, ' for name, count in counts.items() if count != "-")
    first = "" if planned == "-" else f'"n_total_trials": {planned}, '
    return f'{{{first}"stats": {{{members}"evals": {{"g": {{"metrics": [{{"mean": 0.5}}]}}}}}}}}'


def vector_of(rule: str, name: str, document: str, answer: Answer) -> Vector:
    """The vector of a document with its answer."""
    return Vector(rule, name, result_file(document.encode()), always(answer))


def short_name(text: str) -> str:
    """The name of a vector for a text that may be long."""
    return named(text if len(text) < 90 else f"{text[:30]}...{len(text)}")
