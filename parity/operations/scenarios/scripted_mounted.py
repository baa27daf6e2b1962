"""Scripted sandboxes with log directories that are mounted from the host, as in Harbor's Docker environment."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from parity.driver.sandbox import Executed
from parity.operations.scenarios.scripted_sandbox import Call, ScriptedSandbox


class ScriptedMountedSandbox(ScriptedSandbox):
    """One sandbox in a run, which shares its log directories with the host. Both see each change at once."""

    async def exec(
        self,
        command: str,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: int | None = None,
        user: str | int | None = None,
    ) -> Executed:
        """Record the command, and return the result that the script defines."""
        self._look()
        executed = await super().exec(command, cwd=cwd, env=env, timeout=timeout, user=user)
        self._write()
        return executed

    async def get(self, source: str, target: Path, *, directory: bool, max_bytes: int | None = None) -> None:
        """Copy files from the sandbox. Raises the same errors as `ScriptedSandbox.get`."""
        self._look()
        await super().get(source, target, directory=directory, max_bytes=max_bytes)

    async def prepare_logs(self) -> None:
        """Record that the host is about to read the mounted directories."""
        await self._go("prepare-logs")

    def _spec_call(self) -> Call:
        mounts = {
            place: [self._log.shown_path(directory), f"{directory.stat().st_mode & 0o777:o}"]
            for place, directory in self._spec.mounts.items()
        }
        return {**super()._spec_call(), "mounts": mounts}

    def _look(self) -> None:
        """Copy the files in the mounted directories from the host into the sandbox."""
        for place, directory in self._spec.mounts.items():
            self._empty(place)
            self._files |= {
                f"{place}/{path.relative_to(directory)}": path.read_bytes().decode(errors="surrogateescape")
                for path in _files(directory)
            }

    def _write(self) -> None:
        """Copy the files in the sandbox's log directories to the host, and remove all other files from there."""
        for place, directory in self._spec.mounts.items():
            within = f"{place}/"
            kept = {
                directory / path.removeprefix(within): text
                for path, text in self._files.items()
                if path.startswith(within)
            }
            for path in list(_files(directory)):
                if path not in kept:
                    path.unlink()
            for path, text in kept.items():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text.encode(errors="surrogateescape"))


def _files(directory: Path) -> Iterator[Path]:
    return (path for path in directory.rglob("*") if path.is_file()) if directory.exists() else iter(())
