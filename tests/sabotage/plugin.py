"""A plugin of pytest that sabotages one function of the clean room: `pytest -p tests.sabotage.plugin parity/…`.

The environment variable `SABOTAGED` names the function, such as `parity.driver.task:read_task`.
"""

import os
from contextlib import ExitStack

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Sabotage the function until the end of the run."""
    from tests.sabotage.functions import sabotaged  # here, because pytest loads plugins before it rewrites modules

    stack = ExitStack()
    stack.enter_context(sabotaged(os.environ["SABOTAGED"]))
    config.add_cleanup(stack.close)
