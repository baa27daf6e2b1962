"""`--sandbox`: where trials are run."""

from collections.abc import Callable
from typing import NoReturn

from parity.command.faults import CommandFailure
from parity.driver.sandbox import Sandboxes, SandboxUnavailable
from parity.driver.sandboxes.named import sandboxes_named

type Refuse = Callable[[str], NoReturn]
"""Ends the program with a usage error."""


def working_sandboxes(name: str, refuse: Refuse, otherwise: str = "") -> Sandboxes:
    """The kind of sandbox of a name, if it works here.

    Args:
        name: as `open_sandboxes` takes it.
        refuse: is called where there is no such kind.
        otherwise: what else to do where it does not work.

    Raises:
        CommandFailure: it does not work here.
    """
    try:
        sandboxes = open_sandboxes(name)
    except ValueError as error:
        refuse(f"argument --sandbox: {error}")
    try:
        sandboxes.preflight()
    except SandboxUnavailable as error:
        raise CommandFailure(f"{error}{otherwise}") from None
    return sandboxes


def open_sandboxes(name: str) -> Sandboxes:
    """The kind of sandbox of a name: `local`, `docker`, or `harbor:` and what Harbor calls it.

    Raises:
        ValueError: there is no such kind.
    """
    kind = sandboxes_named(name)
    if kind is not None:
        return kind
    if name.startswith("harbor:"):
        from parity.reference.harbor_sandboxes import HarborSandboxes

        return HarborSandboxes(name)
    raise ValueError(f"no sandbox {name!r}; choose local, docker or harbor:KIND")
