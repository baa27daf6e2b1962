"""Ends what an agent has left running in its sandbox: every process that was not there before the agent."""

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
