"""Attacks by endless processes and output, and by signals to other processes."""

from tests.run.attacks.attack import ANY_FAULT, Attack

PROCESSES = (
    Attack(
        "deaf-and-loud",
        "Ignores signals, and prints without a line's end until its time is up.",
        "trap '' TERM INT HUP PIPE; head -c 300M /dev/zero | tr '\\0' x; while :; do sleep @MARK@; done",
        gives="0.5",
        agent=5,
    ),
    Attack(
        "loud-tests",
        "Prints more than is carried, and no line's end, from the tests.",
        tests="echo 0.5 > /logs/verifier/reward.txt; head -c 300M /dev/zero | tr '\\0' x",
        gives=("0.5", "error"),
    ),
    Attack(
        "closed-descriptors",
        "Closes input and output and waits.",
        "exec 0<&- 1>&- 2>&-; sleep @MARK@",
        gives="0.5",
        agent=3,
    ),
    Attack(
        "talks-on",
        "Holds the pipes of the driver open, and prints into them for ever.",
        """
        for fd in 1 2; do (exec >/proc/$PPID/fd/$fd; setsid bash -c 'while :; do echo talk; done; sleep @MARK@' &); done
        (exec >/proc/$PPID/fd/1; setsid head -c 200M /dev/zero &)
        true
        """,
    ),
    Attack(
        "first-process-output",
        "Writes into whatever other processes have open, the first one too.",
        """
        for f in /proc/[0-9]*/fd/*; do
            case $f in /proc/$$/*) continue;; esac
            [ -p $f ] && timeout 2 bash -c "head -c 1M /dev/urandom > $f"
        done 2>/dev/null
        true
        """,
        gives=ANY_FAULT,
    ),
    Attack(
        "daemons",
        "Leaves thirty processes without parents, in sessions of their own, deaf to signals.",
        """
        for i in {1..30}; do
            (setsid bash -c 'trap "" TERM INT HUP; (sleep @MARK@ &) ; sleep @MARK@' >/dev/null 2>&1 &)
        done
        """,
    ),
    Attack(
        "stops-everything",
        "Stops every process that it sees, again and again.",
        """
        [ $(ls -d /proc/[0-9]* | wc -l) -lt 40 ] || exit  # never outside of a sandbox
        (setsid perl -e '$0 = "sleep @MARK@"; for (1..60000) { kill STOP, -1; select undef, undef, undef, 0.001 }' &) \\
            >/dev/null 2>&1
        """,
        gives=ANY_FAULT,
        agent=5,
        verifier=5,
    ),
    Attack(
        "kills-everything",
        "Kills every process that it sees, again and again.",
        """
        [ $(ls -d /proc/[0-9]* | wc -l) -lt 40 ] || exit  # never outside of a sandbox
        (setsid perl -e '$0 = "sleep @MARK@"; for (1..30000) { kill KILL, -1; select undef, undef, undef, 0.001 }' &) \\
            >/dev/null 2>&1
        """,
        gives=ANY_FAULT,
        agent=5,
        verifier=5,
    ),
    Attack(
        "late-words",
        "Goes on writing logs and rewards after the tests and after the trial.",
        """
        (setsid bash -c 'while :; do
            echo late >> /logs/agent/late; echo late >> /logs/verifier/late; sleep 0.01
        done; sleep @MARK@' >/dev/null 2>&1 &)
        """,
    ),
    Attack(
        "own-end",
        "Ends by signals that shells do not know, and by numbers beyond them.",
        "kill -64 $$; kill -SEGV $$; kill -KILL $$",
        gives=("0.5",),
    ),
)
