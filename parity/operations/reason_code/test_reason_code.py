"""`reason_code`: from an error's text to a code."""

import pytest

from parity.operations.reason_code import REASON_CODE
from parity.suite.plugin.vector_test import golden_test

pytestmark = pytest.mark.operation(REASON_CODE.name)

test_golden = golden_test(REASON_CODE)
