"""What every pytest run of an environment with harbor-parity loads: nothing, unless the run asks for the suite.

It does so by naming it: `pytest parity/` in a checkout, `pytest --pyargs parity` anywhere. Only then are there options,
markers and hooks of the kit, and its imports.
"""

import sys
from collections.abc import Iterator
from copy import copy
from pathlib import Path

import pytest

from parity.pytest_plugin.asked import PACKAGE, named_copies, refusal_of


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Iterator[None]:
    """Register the suite's plugin behind all others, whose options come first.

    Raises:
        UsageError: the command line names another copy of the kit than the one that pytest has loaded.
    """
    named = _named_copies(early_config, parser, args)
    if named and PACKAGE not in named:
        raise pytest.UsageError(refusal_of(named[0], early_config.invocation_params.args))
    yield
    if PACKAGE in _named_copies(early_config, parser, args):
        from parity.pytest_plugin.garbage import RareCollection

        early_config.add_cleanup(RareCollection().begin().restore)  # the last, after pytest has collected all it can
        from parity.pytest_plugin import options, suite

        early_config.stash[options.CLASHES] = clashes = options.add_options(parser)
        for name, line in clashes.items():
            if any(each.split("=")[0] == name for each in args):  # where that is a mistake, there will be no header
                print(line, file=sys.stderr)
        early_config.pluginmanager.register(suite, "parity-suite")


def _named_copies(config: pytest.Config, parser: pytest.Parser, args: list[str]) -> list[Path]:
    """The copies of the kit that the command line names, by the options that are known so far."""
    given, unknown = parser.parse_known_and_unknown_args(args, copy(config.option))
    # Among what is not known are options of the suite, and in older releases of pytest names behind other options.
    return named_copies([*given.file_or_dir, *unknown], pyargs=given.pyargs, directory=config.invocation_params.dir)
