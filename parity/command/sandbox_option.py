"""`--sandbox`: where trials are run."""

from parity.driver.sandbox import Sandboxes
from parity.driver.sandboxes.named import sandboxes_named


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
