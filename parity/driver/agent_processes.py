"""Commands that kill the processes of an agent: all those that started with it or after it."""

LIST_PROCESSES = 'for folder in /proc/[0-9]*; do test "${folder#/proc/}" = "$$" || echo "${folder#/proc/}"; done'
"""A command that prints the numbers of all processes except its own shell."""


def end_others(kept: str) -> str:
    """Return a command that kills all processes except those listed before, and fails if it cannot.

    Args:
        kept: the output of `LIST_PROCESSES` before the agent started.
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
