"""What every pytest run of an environment with harbor-parity loads: nothing, unless the run asks for the suite.

It does so by naming it: `pytest parity/` in a checkout, `pytest --pyargs parity` anywhere. Only then are there options,
markers and hooks of the kit, and its imports.
"""

import sys
from collections.abc import Iterator
from copy import copy

import pytest

from parity.pytest_plugin.asked import asks_for_suite


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Iterator[None]:
    """Register the suite's plugin behind all others, whose options come first."""
    yield
    # Among what is not known are options of the suite, and in older releases of pytest names behind other options.
    given, unknown = parser.parse_known_and_unknown_args(args, copy(early_config.option))
    if asks_for_suite(
        [*given.file_or_dir, *unknown], pyargs=given.pyargs, directory=early_config.invocation_params.dir
    ):
        from parity.pytest_plugin.garbage import RareCollection

        early_config.add_cleanup(RareCollection().begin().restore)  # the last, after pytest has collected all it can
        from parity.pytest_plugin import options, suite

        early_config.stash[options.CLASHES] = clashes = options.add_options(parser)
        for name, line in clashes.items():
            if any(each.split("=")[0] == name for each in args):  # where that is a mistake, there will be no header
                print(line, file=sys.stderr)
        early_config.pluginmanager.register(suite, "parity-suite")
