"""The sandbox that a bridge passes to a third party. It contains only `/logs/verifier`, a directory on this machine."""

from dataclasses import dataclass
from pathlib import Path

VERIFIER = "/logs/verifier"


class UnexpectedCall(BaseException):
    """The third party made a call to its sandbox that the bridge does not support.

    This is not an `Exception`, so that the third party does not catch it and turn it into a score.
    """


@dataclass(frozen=True)
class Ended:
    """The result of a command, with the attributes that the third parties read."""

    exit_code: int = 0
    stdout: str = ""
    stderr: str = ""
    completed: bool = True

    @property
    def return_code(self) -> int:
        return self.exit_code


class BridgeSandbox:
    """A sandbox that contains only the verifier's directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def __getattr__(self, name: str) -> object:
        """Refuse an attribute that no bridge defines.

        Raises:
            UnexpectedCall: always, except for names that Python itself looks up.
        """
        if name.startswith("__"):
            raise AttributeError(name)
        raise UnexpectedCall(f"the sandbox was asked for {name}")

    def check(self, call: str, *parts: str) -> None:
        """Refuse a call that the bridge does not support.

        Raises:
            UnexpectedCall: the call contains none of the known strings.
        """
        if not any(part in call for part in parts):
            raise UnexpectedCall(f"the sandbox was asked for {call!r}")

    def place(self, path: str) -> Path:
        """Return the path on this machine for a path in the sandbox's `/logs/verifier`.

        Raises:
            UnexpectedCall: the file is not in that directory.
        """
        if not path.startswith(f"{VERIFIER}/"):
            raise UnexpectedCall(f"the sandbox was asked for {path}")
        return self.directory / path.removeprefix(f"{VERIFIER}/")

    def readable(self, path: str) -> Path:
        """Return the path on this machine for a file in the sandbox that can be read to its end.

        Raises:
            TimeoutError: the file is a named pipe without a writer, so reading it in a real sandbox would time out.
        """
        place = self.place(path)
        if place.is_fifo():
            raise TimeoutError(f"nothing came out of {path}")
        return place

    def cat(self, path: str) -> Ended:
        """Return the exit code of `cat` for a file, and its output, decoded as sandbox clients do.

        Raises:
            TimeoutError: the file is a named pipe without a writer.
        """
        try:
            return Ended(stdout=self.readable(path).read_bytes().decode(errors="replace"))
        except TimeoutError:
            raise
        except OSError as error:
            return Ended(1, stderr=str(error))
