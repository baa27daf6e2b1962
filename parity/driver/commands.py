"""Shell commands that prepare a sandbox and run scripts in it, spelled as Harbor spells them."""

from collections.abc import Iterable
from shlex import quote


def ensure_folders(paths: Iterable[str]) -> str:
    """Return a command that makes folders with write access for everybody."""
    names = " ".join(map(quote, paths))
    return f"mkdir -p {names} && chmod 777 {names}"


def empty_folders(*paths: str, open_to_all: bool = False) -> str:
    """Return a command that makes empty folders, and replaces anything of the same name."""
    quoted = [quote(path) for path in paths]
    names = " ".join(quoted)
    steps = (
        *(f"if [ -L {name} ] || {{ [ -e {name} ] && [ ! -d {name} ]; }}; then rm -rf {name}; fi" for name in quoted),
        f"mkdir -p {names}",
        f"find {names} -mindepth 1 -maxdepth 1 -exec rm -rf -- {{}} +",
        *([f"chmod 777 {names}"] if open_to_all else []),
    )
    return " && ".join(steps)


def make_executable(script: str) -> str:
    """Return a command that lets everybody run a script."""
    return f"chmod +x {quote(script)}"


def run_script(script: str, output: str) -> str:
    """Return a command that runs a script, with all output in a file."""
    # Rule: run-trial/output-redirected
    return f"({quote(script)}) > {quote(output)} 2>&1"


def run_command(command: str, output: str) -> str:
    """Return a command that runs shell source, with all output in a file."""
    return f"({command}\n) > {quote(output)} 2>&1"
