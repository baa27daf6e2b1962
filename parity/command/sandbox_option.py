"""`--sandbox NAME`: which kind of sandbox."""

from parity.driver.sandbox import Sandboxes, SandboxUnavailable


def open_sandboxes(name: str) -> Sandboxes:
    """The kind of sandbox that is called so: `local`, `docker` or `harbor:NAME`.

    Raises:
        SandboxUnavailable: there is no such kind.
    """
    raise SandboxUnavailable(f"there is no sandbox {name}")
