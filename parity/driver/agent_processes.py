"""Commands that kill an agent's processes: all processes that started with the agent or after it."""

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
