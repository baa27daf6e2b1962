"""Ends an agent with its time, and what it has left running in its sandbox: all that was not there before it."""

import shlex

LIST_PROCESSES = 'for folder in /proc/[0-9]*; do test "${folder#/proc/}" = "$$" || echo "${folder#/proc/}"; done'
"""Prints the numbers of all processes but that of the shell itself."""


def end_others(kept: str) -> str:
    """A command that ends all processes but those that were listed, and fails where it cannot.

    Args:
        kept: what `LIST_PROCESSES` printed before the agent.
    """
    numbers = " ".join(word for word in kept.split() if word.isdecimal())
    return f"""for again in {{1..50}}; do
  left=
  for folder in /proc/[0-9]*; do
    case " {numbers} $$ $PPID " in *" ${{folder#/proc/}} "*) continue;; esac
    grep -qs '^State:.[ZX]' "$folder/status" && continue
    test -d "$folder" || continue
    kill -KILL "${{folder#/proc/}}" 2>/dev/null
    left=1
  done
  test -n "$left" || exit 0
  sleep 0.02
done
exit 1"""


def bounded(command: str, seconds: float | None) -> str:
    """A command that ends with its time: it must not be there any more when the tests are."""
    if seconds is None:
        return command
    # What is no fraction is reported without one: not every `timeout` takes a point.
    return f"timeout -s KILL {int(seconds) if seconds == int(seconds) else seconds} bash -c {shlex.quote(command)}"
