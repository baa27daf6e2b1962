"""Refuses the suite's tests in a run without its plugin, which loads no conftest, not even this one."""

import pytest

raise pytest.UsageError("the suite needs its plugin, and its name on the command line: pytest --pyargs parity")
