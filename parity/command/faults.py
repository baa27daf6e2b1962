"""Reports faults: input that cannot be read or judged is one line, `parity SUBCOMMAND: PATH: what; what to do`."""

from pathlib import Path

from parity.command.streams import say


class CommandFailure(Exception):
    """A fault that ends a subcommand without an answer, with exit code 3."""

    def __init__(self, *problems: str) -> None:
        """Make a failure of one or more problems; each is a line of the form `PATH: what; what to do`."""
        super().__init__("\n".join(problems))

    @classmethod
    def at(cls, path: Path | str, what: str, remedy: str) -> "CommandFailure":
        """Return a failure with one problem of a path."""
        return cls(" ".join(f"{path}: {what}; {remedy}".split()))


def say_fault(program: str, fault: CommandFailure) -> None:
    """Write a line for each problem to standard error."""
    for line in str(fault).splitlines():
        say(f"{program}: {line}")
