"""The driver's own kinds of sandbox by their names."""

from parity.driver.sandbox import Sandboxes


def sandboxes_named(name: str) -> Sandboxes | None:
    """The kind of sandbox of a name, `local` or `docker`, or None."""
    # Each kind is imported only where it is asked for.
    if name == "local":
        from parity.driver.sandboxes.local import LocalSandboxes

        return LocalSandboxes()
    if name == "docker":
        from parity.driver.sandboxes.docker import DockerSandboxes

        return DockerSandboxes()
    return None
