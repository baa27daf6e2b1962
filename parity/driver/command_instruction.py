"""Pass the instruction to the agent `command`.

The instruction is in the environment variable INSTRUCTION, which Linux limits to 128 KiB. If the command mentions the
environment variable INSTRUCTION_FILE, the instruction is also in the file to which that variable is set.
"""

from pathlib import Path

from parity.driver.places import LOGS_OF_AGENT

INSTRUCTION_FILE = f"{LOGS_OF_AGENT}/instruction.md"
"""Path of the file with the instruction in the sandbox."""

_VARIABLE, _VARIABLE_OF_FILE = "INSTRUCTION", "INSTRUCTION_FILE"
_LONGEST = (128 << 10) - len(f"{_VARIABLE}=\0")
"""The largest size of the environment variable's value, in bytes."""


def names_file(command: str) -> bool:
    """Return whether a bash command uses the file with the instruction, which must then be uploaded."""
    return _VARIABLE_OF_FILE in command


def instruction_variables(command: str, instruction: str) -> dict[str, str]:
    """Return the environment variables from which a bash command gets the instruction.

    Raises:
        ValueError: the instruction is too long for an environment variable, and the command does not use the file.
    """
    fits = len(instruction.encode()) <= _LONGEST
    if not fits and not names_file(command):
        raise ValueError(f"the instruction is too long for a variable; let the command read ${_VARIABLE_OF_FILE}")
    variables = {_VARIABLE: instruction} if fits else {}
    return {**variables, _VARIABLE_OF_FILE: INSTRUCTION_FILE} if names_file(command) else variables


def write_instruction(directory: Path, instruction: str) -> Path:
    """Write the instruction to a file in the agent's directory on the host. Every user in the sandbox may read it."""
    path = directory / Path(INSTRUCTION_FILE).name
    path.unlink(missing_ok=True)  # a download may have left a link with this name
    path.write_text(instruction, encoding="utf-8")
    path.chmod(0o644)
    return path
