"""The plugin that pytest loads if harbor-parity is installed. It does nothing unless a run asks for the suite.

A run asks for the suite by its name: `pytest parity/` in a checkout, `pytest --pyargs parity` anywhere. Only then does
pytest get the options, markers and hooks of the kit, and import it.
"""

import os
import re
import shlex
import sys
import traceback
from collections.abc import Iterator
from copy import copy

import pytest

from parity.plugin.command_line import names_suite

_BY_ADDOPTS = "the suite runs without a project's addopts: name it on the command line, with --pyargs parity"
_WORKERS = re.compile(r"-n(auto|logical|\d+)?|--numprocesses(=.*)?")
"""The option of pytest-xdist that runs tests in other processes."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Iterator[None]:
    """Run the suite alone if the run asks for it: before a conftest is loaded, and before other plugins start.

    In that second session, register the suite's plugin after all other plugins, so that their options take precedence.

    Raises:
        UsageError: `--runner` without the suite, or an option that no plugin defines; or the run asks for the suite by
            the project's addopts, or another plugin failed. One line names the cause.
        SystemExit: the suite has run, with this exit code, or it was interrupted.
    """
    if not _asks_for_suite(early_config, parser, args):
        yield
        if {each.partition("=")[0] for each in _unknown(parser, args)} & {"--runner", "--runner-cmd"}:
            raise pytest.UsageError("--runner is an option of harbor-parity's suite: name it with --pyargs parity")
        return
    try:
        from parity.plugin import alone

        if not alone.is_alone(early_config):
            if not _asks_for_suite(early_config, parser, alone.by_hand(early_config)):
                raise pytest.UsageError(_BY_ADDOPTS)
            raise SystemExit(alone.run_alone(early_config))
        yield
        _register_suite(early_config, parser, args)
        _refuse_unknown(parser, args)
    except (Exception, KeyboardInterrupt) as error:
        if isinstance(error, pytest.UsageError):
            raise
        if isinstance(error, KeyboardInterrupt):
            raise SystemExit(pytest.ExitCode.INTERRUPTED) from None
        try:
            from parity.plugin.run_end import TRACEBACK, one_line
        except Exception:
            line = f"harbor-parity cannot be imported: {type(error).__name__}: {error}"
            raise pytest.UsageError(line) from None
        if "--full-trace" in args:
            traceback.print_exc()
        raise pytest.UsageError(f"{one_line(error)}{TRACEBACK}") from None


def _asks_for_suite(config: pytest.Config, parser: pytest.Parser, args: list[str]) -> bool:
    """Return whether the command line names the kit, using the options that are known so far."""
    known, unknown = parser.parse_known_and_unknown_args(args, copy(config.option))
    # The unknown arguments include the suite's options, and in older releases of pytest also names behind options.
    return names_suite([*known.file_or_dir, *unknown], pyargs=known.pyargs, directory=config.invocation_params.dir)


def _register_suite(early_config: pytest.Config, parser: pytest.Parser, args: list[str]) -> None:
    from parity.plugin import hooks, options
    from parity.plugin.run_end import ENDING, RunEnding

    early_config.stash[ENDING] = ending = RunEnding(early_config)
    early_config.pluginmanager.register(ending, "parity-ending")
    early_config.stash[options.CLASHES] = clashes = options.add_options(parser)
    for name, line in clashes.items():
        if any(each.split("=")[0] == name for each in args):  # pytest shows no header if it refuses the option
            print(line, file=sys.stderr)
    early_config.pluginmanager.register(hooks, "parity-suite")


def _refuse_unknown(parser: pytest.Parser, args: list[str]) -> None:
    """Refuse options that no plugin defines. They may be those of a conftest, which is not loaded."""
    unknown = [each for each in _unknown(parser, args) if each.startswith("-")]
    if any(_WORKERS.fullmatch(each) for each in unknown):
        raise pytest.UsageError("-n needs pytest-xdist, which is not loaded: pip install pytest-xdist, or leave out -n")
    if unknown:
        by_variable = set(unknown) & set(shlex.split(os.environ.get("PYTEST_ADDOPTS", "")))
        remedy = "unset PYTEST_ADDOPTS, or take it out there" if by_variable else "leave it out"
        why = "the suite loads no conftest of the project, and no plugin defines it"
        raise pytest.UsageError(f"unrecognized arguments: {shlex.join(unknown)}: {why}; {remedy}")


def _unknown(parser: pytest.Parser, args: list[str]) -> list[str]:
    """Return the options that no plugin defines."""
    return parser.parse_known_and_unknown_args(args)[1]
