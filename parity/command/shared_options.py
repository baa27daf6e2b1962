"""Options that several subcommands share: `--series`, and the sandboxes that `--sandbox` names."""

import argparse
from collections.abc import Callable
from typing import NoReturn

from parity.command.exit_code import CommandFailure
from parity.driver.sandbox import Sandboxes, SandboxUnavailable
from parity.driver.sandboxes import sandboxes_named
from parity.scorer import OFFICIAL, Series

type Refuse = Callable[[str], NoReturn]
"""A function that ends the program with a usage error."""


def working_sandboxes(name: str, refuse: Refuse) -> Sandboxes:
    """Return the kind of sandbox with this name, after checking that it works on this machine.

    Args:
        name: the name, as `open_sandboxes` accepts it.
        refuse: called if the name is unknown.

    Raises:
        CommandFailure: the sandbox does not work on this machine.
    """
    try:
        sandboxes = open_sandboxes(name)
    except ValueError as error:
        refuse(f"argument --sandbox: {error}")
    try:
        sandboxes.preflight()
    except SandboxUnavailable as error:
        raise CommandFailure(str(error)) from None
    return sandboxes


def open_sandboxes(name: str) -> Sandboxes:
    """Return the kind of sandbox with this name: `local`, `docker`, or `harbor:` and Harbor's name of an environment.

    Raises:
        ValueError: the name is unknown.
    """
    kind = sandboxes_named(name)
    if kind is not None:
        return kind
    if name.startswith("harbor:"):
        from parity.reference.harbor_sandboxes import HarborSandboxes

        return HarborSandboxes(name)
    raise ValueError(f"unknown sandbox {name!r}; choose local, docker or harbor:KIND")


_SERIES = {"3.12": Series.PY312, "3.13": Series.PY312, "3.14": Series.PY314}


def add_series(parser: argparse.ArgumentParser) -> None:
    """Add the option `--series` to a subcommand."""
    parser.add_argument(
        "--series",
        type=_series,
        default=OFFICIAL,
        metavar="{" + ",".join(_SERIES) + "}",
        help="the Python release whose sums and digits are computed; 3.13 is the same as 3.12 (default: %(default)s, "
        "the release of published scores)",
    )


def _series(name: str) -> Series:
    if name not in _SERIES:
        raise argparse.ArgumentTypeError(f"choose {', '.join(_SERIES)}, not {name!r}")
    return _SERIES[name]
