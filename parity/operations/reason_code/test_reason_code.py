"""Tests that `reason_code` derives the code from an error's text like the reference."""

import pytest

from parity.operations.reason_code import REASON_CODE
from parity.plugin.vector_test import golden_test

pytestmark = pytest.mark.operation(REASON_CODE.name)

test_golden = golden_test(REASON_CODE)
