"""Golden inputs of `outcome`: bytes, files and folders, limits, and cases that depend on the interpreter."""

from collections.abc import Iterator

from parity.operations.answers import Answer, Fault
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.outcome.case import ResultFile, result_file
from parity.operations.outcome.vectors_by_hand import (
    MALFORMED,
    MISSING,
    always,
    counted,
    one_group,
    outcome_of,
    vector_of,
)
from parity.operations.vector import Vector
from parity.scorer.series import Series


def limit_vectors() -> Iterator[Vector]:
    """Yield vectors with integers and nesting at the limits of the interpreter."""
    rule = "outcome/beyond-double"
    for digits in (310, 4300):
        nines, without_metrics = "9" * digits, '{"n_total_trials": ' + "9" * digits + "}"
        yield vector_of(rule, f"planned/{digits}-digits", counted(nines, "1", "0"), MALFORMED)
        yield vector_of(rule, f"planned/{digits}-digits-as-text", counted(f'"{nines}"', "1", "0"), MALFORMED)
        yield vector_of(rule, f"planned/{digits}-digits-without-metrics", without_metrics, MALFORMED)
        errored = outcome_of("failed", "0.5", 1, 2)
        yield vector_of(rule, f"errored/{digits}-digits", counted("2", "1", nines), errored)
        yield vector_of(rule, f"errored/{digits}-digits-as-text", counted("2", "1", f'"{nines}"'), errored)
        completed = outcome_of("completed", "0.5", 0, int(nines))
        yield vector_of(rule, f"completed/{digits}-digits", counted("0", nines, "0"), completed)
    largest = str((2**53 - 1) * 2**971)
    yield vector_of(
        rule,
        "planned/largest-double",
        counted(largest, "1", "0"),
        outcome_of("completed", "0.5", int(largest) // 2, int(largest)),
    )
    rule = "outcome/digit-limit"
    nines = "9" * 4300
    yield vector_of(rule, "sum-of-4301-digits", counted("0", nines, "1"), Fault("ValueError"))
    yield vector_of(rule, "sum-of-4301-digits-both-long", counted("-", nines, nines), Fault("ValueError"))
    yield vector_of(rule, "sum-of-4301-digits-negative", counted("0", f"-{nines}", "-1"), Fault("ValueError"))
    yield vector_of(rule, "not-printed", counted("2", nines, "1"), outcome_of("failed", "0.5", 1, 2))
    yield vector_of(
        rule,
        "sum-of-4300-digits",
        counted("0", "8" + "0" * 4299, "1"),
        outcome_of("failed", "0.5", 0, 8 * 10**4299 + 1),
    )
    rule = "outcome/bad-count"
    yield vector_of(rule, "errored/4301-digits-as-text", counted("2", "1", f'"{nines}9"'), MALFORMED)
    rule = "outcome/not-json"
    yield vector_of(rule, "4301-digits", counted(nines + "9", "1", "0"), MALFORMED)
    yield vector_of(rule, "4301-digits-elsewhere", '{"extra": ' + nines + "9}", MALFORMED)
    yield vector_of(rule, "100000-arrays", "[" * 100_000, MALFORMED)
    yield vector_of(
        "outcome/absent-members",
        "300-arrays-elsewhere",
        '{"extra": ' + "[" * 300 + "]" * 300 + "}",
        outcome_of("completed", "0.0", 0, 0),
    )


def byte_vectors() -> Iterator[Vector]:
    """Yield vectors with bytes that are not text, and texts that are not JSON."""
    plain = one_group('[{"mean": 0.5}]', 2).encode()
    for name, content in {
        "latin-1": b'{"\xe9": 1}',
        "lone-byte": b"\xff",
        "surrogate": b'{"\xed\xa0\x80": 1}',
        "cut": b'{"\xe2\x80',
    }.items():
        yield Vector("outcome/unreadable", f"bytes/{name}", result_file(content), always(MALFORMED))
    for name, content in {
        "utf-8": b"\xef\xbb\xbf" + plain,
        "utf-16": plain.decode().encode("utf-16"),
        "utf-16-be": b"\xfe\xff" + plain.decode().encode("utf-16-be"),
    }.items():
        yield Vector("outcome/not-json", f"mark/{name}", result_file(content), always(MALFORMED))


def state_vectors() -> Iterator[Vector]:
    """Yield vectors with files and folders of each kind."""
    plain = FileState("file", one_group('[{"mean": 0.5}]', 2).encode())
    for name, case in {
        "no-file": ResultFile(ABSENT),
        "no-folder": ResultFile(plain, "absent"),
        "folder-is-a-file": ResultFile(plain, "file"),
        "dangling-link": ResultFile(FileState("dangling-link")),
        "looping-link": ResultFile(FileState("looping-link")),
    }.items():
        yield Vector("outcome/missing", name, case, always(MISSING))
    for name, state in {
        "directory": FileState("directory"),
        "unreadable": FileState("unreadable", plain.content),
        "empty": FileState("file"),
        "empty-link": FileState("link"),
    }.items():
        yield Vector("outcome/unreadable", name, ResultFile(state), always(MALFORMED))
    yield Vector(
        "outcome/fields",
        "link",
        ResultFile(FileState("link", plain.content)),
        always(outcome_of("completed", "0.5", 1, 2)),
    )


def series_vectors() -> Iterator[Vector]:
    """Yield vectors whose answers differ between interpreter series. Sums do not, because all values become floats."""
    refused: dict[Series, Answer] = {Series.PY312: Fault("PermissionError"), Series.PY314: MISSING}
    plain = FileState("file", b"{}")
    yield Vector("outcome/unsearchable-folder", "with-result", ResultFile(plain, "unsearchable"), refused)
    yield Vector("outcome/unsearchable-folder", "with-nothing", ResultFile(ABSENT, "unsearchable"), refused)
    for name, document, newer in [
        ("value/U+10D41", one_group('[{"mean": "\U00010d41"}]', 4), outcome_of("completed", "1.0", 4, 4)),
        (
            "value/U+1CCF5-as-escape",
            one_group('[{"mean": "0.\\ud833\\udcf5"}]', 4),
            outcome_of("completed", "0.5", 2, 4),
        ),
        ("planned/U+10D44", counted('"\U00010d44"', "1", "0"), outcome_of("completed", "0.5", 2, 4)),
        ("errored/U+10D41", counted("2", "1", '"\U00010d41"'), outcome_of("failed", "0.5", 1, 2)),
    ]:
        rule = "outcome/metric-value" if name.startswith("value") else "outcome/count"
        answers: dict[Series, Answer] = {Series.PY312: MALFORMED, Series.PY314: newer}
        yield Vector(rule, name, result_file(document.encode()), answers)
