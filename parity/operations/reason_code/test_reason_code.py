"""`reason_code`: from an error's text to a code."""

import pytest
from hypothesis import given

from parity.judging.checking import Checker
from parity.operations.answers import Value
from parity.operations.finding import SuiteFinding
from parity.operations.reason_code import REASON_CODE, ErrorText
from parity.operations.reason_code.strategies import error_texts
from parity.operations.reason_code.vectors import VECTORS
from parity.pytest_plugin.profiles import cases
from parity.pytest_plugin.vectors import golden_test
from parity.scorer import REASON_CODES

pytestmark = pytest.mark.operation(REASON_CODE.name)


@cases(200)
@given(text=error_texts)
def test_error_texts(checker: Checker, text: str | None) -> None:
    """The words that decide are found in every case, place and spelling."""
    checker.check(REASON_CODE, [ErrorText(text)])


@cases(100)
@given(text=error_texts)
def test_codes_are_from_the_set(checker: Checker, text: str | None) -> None:
    """For any text, the runner answers with a code of the scoring description, or with None."""
    answer = checker.ask_alone(REASON_CODE, ErrorText(text))

    if isinstance(answer, Value) and answer.value not in (None, *REASON_CODES):
        raise SuiteFinding(f"NOT AS DESCRIBED: {answer.value!r} is not a reason code: {', '.join(REASON_CODES)}")


test_golden = golden_test(REASON_CODE, VECTORS)
