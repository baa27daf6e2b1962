"""The reason codes of the wheel's errors, and of the scorer's own errors."""

import pytest

from parity.reference import open_reference
from parity.reference.wheel import Wheel
from parity.scorer import (
    REASON_CODES,
    RewardFileEmptyError,
    RewardFileNotFoundError,
    ValidationError,
    VerifierOutputParseError,
    reason_code,
)
from tests.error_codes import ErrorRow, error_codes_table, error_rows, exceptions_of_the_wheel

_MISSING, _EMPTY, _PARSE_ERROR = REASON_CODES[:3]

# Cause to the code that the error gets, with and without its type.
_KNOWN = {
    "no reward file": None,
    "no reward file, of a task named `missing-files`": _MISSING,
    "reward.txt of zero bytes": _EMPTY,
    "reward.json of zero bytes": _EMPTY,
    "`pass` in reward.txt": _PARSE_ERROR,
    "undecodable reward.txt": _PARSE_ERROR,
    "`{` in reward.json": _PARSE_ERROR,
    '`{"reward": "x"}`': _PARSE_ERROR,
    '`{"reward": null}`': None,
    "`[1]` in reward.json": None,
    "a directory named reward.json": None,
    "an empty reward.txt, of a task named `missing-files`": _MISSING,
    "uploading the tests fails": None,
    "downloading the verifier's folder fails": None,
    "the tests take too long": None,
    "the agent takes too long": None,
    "setting the agent up takes too long": None,
    "starting the environment takes too long": None,
    "the environment stays unhealthy": None,
    "a sandbox cannot be built": None,
    "a command of the agent fails": None,
}


@pytest.fixture(scope="module")
def wheel() -> Wheel:
    """Return the installed wheel."""
    return open_reference().wheel


@pytest.fixture(scope="module")
def rows(wheel: Wheel) -> dict[str, ErrorRow]:
    """Return all errors by their cause."""
    return {row.cause: row for row in error_rows(wheel)}


def test_every_exception_is_tabulated(rows: dict[str, ErrorRow]) -> None:
    """Every exception of the modules that concern a trial is in the table."""
    tabulated = {row.kind for row in rows.values()}

    assert exceptions_of_the_wheel() <= tabulated


@pytest.mark.parametrize(("cause", "code"), _KNOWN.items(), ids=_KNOWN)
def test_code_of_an_error(rows: dict[str, ErrorRow], cause: str, code: str | None) -> None:
    """An error has the same code by its message alone, with its type, and in the scorer."""
    row = rows[cause]

    assert row.code == code
    assert row.code_with_type == code
    assert reason_code(row.message) == code


def test_the_table_has_every_error(wheel: Wheel, rows: dict[str, ErrorRow]) -> None:
    """The table has a row of five cells for each error."""
    table = error_codes_table(wheel)

    assert set(rows) == set(_KNOWN)
    assert [row.count(" | ") for row in table] == [4] * len(_KNOWN)


def test_a_missing_file_is_found_by_its_folder_only(rows: dict[str, ErrorRow]) -> None:
    """The code of a missing reward file depends on the name of the task, which is in the message."""
    plain, unlucky = rows["no reward file"], rows["no reward file, of a task named `missing-files`"]

    assert plain.kind == unlucky.kind == "RewardFileNotFoundError"
    assert plain.message.replace("hello-world", "missing-files") == unlucky.message


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RewardFileNotFoundError, "harbor_reward_missing"),
        (RewardFileEmptyError, "harbor_reward_empty"),
        (VerifierOutputParseError, "harbor_reward_parse_error"),
    ],
)
def test_the_scorer_knows_the_code_of_its_errors(error: type[Exception], code: str) -> None:
    """Errors of the scorer carry their code, so it need not be found in a message."""
    assert error().reason_code == code  # type: ignore[attr-defined]
    assert not hasattr(ValidationError(), "reason_code")


def test_reason_codes() -> None:
    """There are five codes, as in the scoring description."""
    assert REASON_CODES == (
        "harbor_reward_missing",
        "harbor_reward_empty",
        "harbor_reward_parse_error",
        "harbor_result_missing",
        "harbor_result_malformed",
    )
