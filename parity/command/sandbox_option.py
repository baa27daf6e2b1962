"""`--sandbox`: where trials are run."""

from parity.driver.sandbox import Sandboxes


def open_sandboxes(name: str) -> Sandboxes:
    """The kind of sandbox of a name: `local`, `docker`, or `harbor:` and what Harbor calls it.

    Raises:
        ValueError: there is no such kind.
    """
    # Each kind is imported only where it is asked for: one of them takes Harbor, which takes long.
    if name == "local":
        from parity.driver.sandboxes.local import LocalSandboxes

        return LocalSandboxes()
    if name == "docker":
        from parity.driver.sandboxes.docker import DockerSandboxes

        return DockerSandboxes()
    if name.startswith("harbor:"):
        from parity.reference.harbor_sandboxes import HarborSandboxes

        return HarborSandboxes(name)
    raise ValueError(f"no sandbox {name!r}; choose local, docker or harbor:KIND")
