"""Tests that `outcome` derives status, score, resolved, total and the printed line like the reference."""

import pytest

from parity.operations.outcome import OUTCOME
from parity.plugin.vector_test import golden_test

pytestmark = pytest.mark.operation(OUTCOME.name)

test_golden = golden_test(OUTCOME)
