"""Pass the instruction to the agent `command`: in a variable, and in a file if its command names the file's variable.

Linux limits a program's variable to 128 KiB.
"""

from pathlib import Path

from parity.driver.places import LOGS_OF_AGENT

INSTRUCTION_FILE = f"{LOGS_OF_AGENT}/instruction.md"
"""Path of the instruction's file in the sandbox."""

_VARIABLE, _VARIABLE_OF_FILE = "INSTRUCTION", "INSTRUCTION_FILE"
_LONGEST = (128 << 10) - len(f"{_VARIABLE}=\0")
"""The most bytes of the variable's value."""


def names_file(command: str) -> bool:
    """Return whether bash source uses the file, so that it has to be uploaded."""
    return _VARIABLE_OF_FILE in command


def instruction_variables(command: str, instruction: str) -> dict[str, str]:
    """Return the variables by which a command, in bash, finds the instruction.

    Raises:
        ValueError: the instruction is too long for a variable, and the command does not name the file.
    """
    fits = len(instruction.encode()) <= _LONGEST
    if not fits and not names_file(command):
        raise ValueError(f"the instruction is too long for a variable; let the command read ${_VARIABLE_OF_FILE}")
    variables = {_VARIABLE: instruction} if fits else {}
    return {**variables, _VARIABLE_OF_FILE: INSTRUCTION_FILE} if names_file(command) else variables


def write_instruction(directory: Path, instruction: str) -> Path:
    """Write the instruction to a file of the agent's directory on the host, readable for every user of the sandbox."""
    path = directory / Path(INSTRUCTION_FILE).name
    path.unlink(missing_ok=True)  # a download may have left a link of this name
    path.write_text(instruction, encoding="utf-8")
    path.chmod(0o644)
    return path
