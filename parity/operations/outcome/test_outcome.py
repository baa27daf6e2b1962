"""`outcome`: from a job's result.json to status, score, resolved, total and the printed line."""

import pytest

from parity.operations.outcome import OUTCOME
from parity.suite.plugin.vector_test import golden_test

pytestmark = pytest.mark.operation(OUTCOME.name)

test_golden = golden_test(OUTCOME)
