"""The shell commands that the driver runs in a sandbox for itself. Those that Harbor also runs are spelled as there."""

from collections.abc import Iterable
from shlex import quote

PRINT_WORKING_DIRECTORY = "pwd"

LIST_PROCESSES = 'for process in /proc/[0-9]*; do test "${process#/proc/}" = "$$" || echo "${process#/proc/}"; done'
"""A command that prints the process ids of all processes except its own shell."""


def end_others(kept: str) -> str:
    """Return a command that kills all processes except those in `kept`, and fails if it cannot kill them.

    The command lists the processes again until two lists in a row have the same dead processes and no living ones,
    because a process may fork while the list is made. A process is dead if `/proc` reports that state and the process
    has only one thread, because its first thread can end alone.

    Args:
        kept: the output of `LIST_PROCESSES` from before the agent was started.
    """
    numbers = " ".join(word for word in kept.split() if word.isdecimal())
    return f"""before=none
for again in {{1..50}}; do
  left= dead=
  for process in /proc/[0-9]*; do
    case " {numbers} $$ $PPID " in *" ${{process#/proc/}} "*) continue;; esac
    kill -KILL "${{process#/proc/}}" 2>/dev/null
    set -- "$process"/task/*
    if test $# = 1 && grep -qs '^State:.[ZX]' "$process/status"; then dead="$dead $process"; else left=1; fi
  done
  test -z "$left" && test "$dead" = "$before" && exit 0
  before=$dead
  sleep 0.02
done
exit 1"""


def ensure_directories(paths: Iterable[str]) -> str:
    """Return a command that makes directories to which every user may write."""
    names = " ".join(map(quote, paths))
    return f"mkdir -p {names} && chmod 777 {names}"


def empty_directories(*paths: str, open_to_all: bool = False) -> str:
    """Return a command that empties directories, makes missing ones, and replaces files or symlinks in their place."""
    quoted = [quote(path) for path in paths]
    names = " ".join(quoted)
    steps = (
        *(f"if [ -L {name} ] || {{ [ -e {name} ] && [ ! -d {name} ]; }}; then rm -rf {name}; fi" for name in quoted),
        f"mkdir -p {names}",
        f"find {names} -mindepth 1 -maxdepth 1 -exec rm -rf -- {{}} +",
        *([f"chmod 777 {names}"] if open_to_all else []),
    )
    return " && ".join(steps)


def is_directory(path: str) -> str:
    """Return a command that fails unless there is a directory at the path."""
    return f"test -d {quote(path)}"


def exists(path: str) -> str:
    """Return a command that fails if there is nothing at the path."""
    return f"test -e {quote(path)}"


def remove_file(path: str) -> str:
    """Return a command that removes a file, which may be missing."""
    return f"rm -f {quote(path)}"


def pack(directory: str, excluded: Iterable[str], archive: str) -> str:
    """Return a command that packs a directory's content with tar, without files that match the excluded patterns."""
    excludes = " ".join(f"--exclude={quote(pattern)}" for pattern in excluded)
    return f"tar czf {quote(archive)} {excludes} -C {quote(directory)} ."


def make_executable(script: str) -> str:
    """Return a command that lets every user run a script."""
    return f"chmod +x {quote(script)}"


def run_set_up(script: str) -> str:
    """Return a command that runs a step's setup script, which need not be executable."""
    return f"bash {quote(script)}"


def run_script(script: str, output: str) -> str:
    """Return a command that runs a script, and writes all its output to a file."""
    # Rule: run-trial/output-redirected
    return f"({quote(script)}) > {quote(output)} 2>&1"


def run_command(command: str, output: str) -> str:
    """Return a command that runs a shell command, and writes all its output to a file."""
    return f"({command}\n) > {quote(output)} 2>&1"
