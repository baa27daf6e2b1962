"""A replacement for the sandbox client in `prime-sandboxes`: the part of it that scoring uses."""

import re
from pathlib import Path
from typing import Any

from tests.bridges.adapters.sandbox import BridgeSandbox, Ended

_CAT_FIRST = re.compile(r"if \[ -s (\S+) \]; then cat \1; elif \[ -s (\S+) \]; then cat \2; fi")


class PrimeSandbox(BridgeSandbox):
    """A client that neither uploads nor runs tests, because the verifier has already run."""

    async def upload_file(self, sandbox_id: str, file_path: str, local_file_path: str, **options: Any) -> None:
        self.check(f"upload {file_path}", ".tar.gz")

    async def execute_command(self, sandbox_id: str, command: str, *rest: Any, **options: Any) -> Ended:
        if (reading := _CAT_FIRST.fullmatch(command)) is None:
            self.check(command, "tar -xzf", "bash test.sh")
            return Ended()
        self.check(command, "cat")
        return self._cat_first(*reading.groups())

    def _cat_first(self, *paths: str) -> Ended:
        """Return the output of `cat` for the first non-empty file, without a shell, which would be much slower."""
        for path in map(self.place, paths):
            if _has_size(path):
                try:
                    return Ended(stdout=path.read_bytes().decode(errors="replace"))
                except OSError as error:
                    return Ended(1, stderr=str(error))
        return Ended()

    async def run_background_job(self, sandbox_id: str, command: str, **options: Any) -> Ended:
        self.check(command, "bash test.sh")
        return Ended()

    async def start_background_job(self, sandbox_id: str, command: str, **options: Any) -> str:
        self.check(command, "bash test.sh")
        return "job"

    async def get_background_job(self, sandbox_id: str, job: str, **options: Any) -> Ended:
        return Ended()

    async def aclose(self) -> None:
        pass


def _has_size(path: Path) -> bool:
    """Return whether `[ -s PATH ]` is true: the file exists and is not empty."""
    try:
        return path.stat().st_size > 0
    except OSError:
        return False
