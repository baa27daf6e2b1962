"""What cannot be read or judged is a fault: one line, `parity SUBCOMMAND: PATH: what; what to do`, and exit code 3."""

from pathlib import Path

from parity.command.streams import say


class CommandFailure(Exception):
    """Something that ends a subcommand without an answer."""

    def __init__(self, *problems: str) -> None:
        """Each problem is a line of the form `PATH: what; what to do`."""
        super().__init__("\n".join(problems))

    @classmethod
    def at(cls, path: Path | str, what: str, remedy: str) -> "CommandFailure":
        """One problem with a path."""
        return cls(" ".join(f"{path}: {what}; {remedy}".split()))


def say_fault(program: str, fault: CommandFailure) -> None:
    """Write a line for each problem to standard error."""
    for line in str(fault).splitlines():
        say(f"{program}: {line}")
