"""The driver's own kinds of sandbox, which are looked up by name."""

from parity.driver.sandbox import Sandboxes


def sandboxes_named(name: str) -> Sandboxes | None:
    """Return the kind of sandbox that is named `local` or `docker`; None for any other name."""
    # A kind is imported only when it is used.
    if name == "local":
        from parity.driver.sandboxes.bubblewrap import LocalSandboxes

        return LocalSandboxes()
    if name == "docker":
        from parity.driver.sandboxes.container import DockerSandboxes

        return DockerSandboxes()
    return None
