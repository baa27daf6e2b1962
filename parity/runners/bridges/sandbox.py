"""What a bridge replaces: a sandbox, of which there is nothing but `/logs/verifier`, a folder of this machine."""

from dataclasses import dataclass
from pathlib import Path

VERIFIER = "/logs/verifier"


class UnexpectedCall(BaseException):
    """The third party asked its sandbox for something that the bridge does not know.

    It is no `Exception`, lest the third party make a score of it.
    """


@dataclass(frozen=True)
class Ended:
    """A command that has ended, with the names that the third parties read."""

    exit_code: int = 0
    stdout: str = ""
    stderr: str = ""
    completed: bool = True

    @property
    def return_code(self) -> int:
        return self.exit_code


class BridgeSandbox:
    """Whose verifier left `directory`, and which records what it is asked for."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> object:
        """Whatever no bridge knows.

        Raises:
            UnexpectedCall: always, but for what Python itself looks for.
        """
        if name.startswith("__"):
            raise AttributeError(name)
        raise UnexpectedCall(f"the sandbox was asked for {name}")

    def asked(self, call: str, *known: str) -> None:
        """Record a call.

        Raises:
            UnexpectedCall: it contains nothing of what is known.
        """
        self.calls.append(call)
        if not any(part in call for part in known):
            raise UnexpectedCall(f"the sandbox was asked for {call!r}")

    def place(self, path: str) -> Path:
        """Where a file of the verifier's folder lies.

        Raises:
            UnexpectedCall: it is none of that folder.
        """
        if not path.startswith(f"{VERIFIER}/"):
            raise UnexpectedCall(f"the sandbox was asked for {path}")
        return self.directory / path.removeprefix(f"{VERIFIER}/")

    def readable(self, path: str) -> Path:
        """Where a file lies that can be read to its end.

        Raises:
            TimeoutError: it is a pipe without a writer, on which a sandbox gives up.
        """
        place = self.place(path)
        if place.is_fifo():
            raise TimeoutError(f"nothing came out of {path}")
        return place

    def cat(self, path: str) -> Ended:
        """What `cat` prints of a file, decoded as clients of sandboxes do, and its exit code.

        Raises:
            TimeoutError: it is a pipe that nobody writes to.
        """
        try:
            return Ended(stdout=self.readable(path).read_bytes().decode(errors="replace"))
        except TimeoutError:
            raise
        except OSError as error:
            return Ended(1, stderr=str(error))
