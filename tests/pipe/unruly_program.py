"""A program for the pipe that answers each string with the same string, and misbehaves in a given way on request.

The string `!KIND` makes it misbehave in the way KIND. With `--every N` it misbehaves at every N-th question, in each
quick way in turn; with `--pipelining` it accepts several questions at once. It runs without the kit.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

INTRODUCTION = {"hello": {"name": "unruly", "operations": ["reason_code"]}}


def write(data: bytes) -> None:
    """Write all bytes to standard output at once."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(1, rest) :]


def answer(number: str, value: object) -> bytes:
    """Return the line that answers a question with a value."""
    return json.dumps({"id": number, "value": value}).encode() + b"\n"


def hang(number: str) -> None:
    """Sleep without answering."""
    time.sleep(3600)


def dribble(number: str) -> None:
    """Write an answer byte by byte, without ever ending it."""
    while True:
        write(b"x")
        time.sleep(0.05)


def chatter_for_ever(number: str) -> None:
    """Write only to standard error, forever."""
    while True:
        os.write(2, b"thinking ... " * 10_000)
        time.sleep(0.01)


def ignore_the_end(number: str) -> None:
    """Hang, and ignore SIGTERM, SIGINT and SIGHUP."""
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    time.sleep(3600)


def leave_a_child(number: str) -> None:
    """End, but leave a child process that keeps standard output and standard error open."""
    subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(3600)"])
    os._exit(0)


def exit_with_three(number: str) -> None:
    """End with exit code 3 and a message on standard error."""
    os.write(2, b"giving\nup: no more tokens\n")
    os._exit(3)


def die_of_a_signal(number: str) -> None:
    """End by a signal, as after a crash."""
    os.kill(os.getpid(), 9)


def end_in_half_a_line(number: str) -> None:
    """Write the beginning of an answer, and end."""
    write(answer(number, "x")[:9])
    os._exit(0)


def close_the_output(number: str) -> None:
    """Close standard output, and keep running."""
    os.close(1)
    time.sleep(3600)


def flood(number: str) -> None:
    """Write more bytes than a line may have, forever."""
    while True:
        write(b"x" * (1 << 20))


def chatter(number: str) -> None:
    """Write much to standard error before the answer, which is allowed."""
    for _ in range(200):
        os.write(2, b"thinking ... " * 100 + b"\n")
    write(answer(number, "!chatter"))


def twice(number: str) -> None:
    """Write the answer twice."""
    write(answer(number, "!twice") * 2)


def exit_after(number: str) -> None:
    """Write the answer, and end."""
    write(answer(number, "!exit-after"))
    os._exit(0)


def garbage(number: str) -> None:
    """Write a line that is not JSON."""
    write(b"warming up the model\n")


def earlier_id(number: str) -> None:
    """Answer with the id of the previous question."""
    write(answer(str(int(number) - 1), "x"))


def plain_number(number: str) -> None:
    """Answer with a plain number, which the protocol does not allow."""
    write(answer(number, 1))


QUICK: dict[str, Callable[[str], None]] = {
    "exit-with-three": exit_with_three,
    "die-of-a-signal": die_of_a_signal,
    "end-in-half-a-line": end_in_half_a_line,
    "chatter": chatter,
    "twice": twice,
    "exit-after": exit_after,
    "garbage": garbage,
    "earlier-id": earlier_id,
    "plain-number": plain_number,
}
"""The ways to misbehave that end soon, by name."""

WAYS = QUICK | {
    "hang": hang,
    "dribble": dribble,
    "chatter-for-ever": chatter_for_ever,
    "ignore-the-end": ignore_the_end,
    "leave-a-child": leave_a_child,
    "close-the-output": close_the_output,
    "flood": flood,
}
"""All ways to misbehave, by name."""


def main() -> None:
    """Answer questions until the input ends."""
    every = int(sys.argv[2]) if sys.argv[1:2] == ["--every"] else 0
    hello = {**INTRODUCTION["hello"], "pipelining": "--pipelining" in sys.argv}
    sys.stdin.readline()
    write(json.dumps({"hello": hello}).encode() + b"\n")
    for line in sys.stdin:
        question = json.loads(line)
        number, text = question["id"], question["input"]["text"]
        if every and int(number) % every == 0:
            [*QUICK.values()][int(number) // every % len(QUICK)](number)
        elif text and text.startswith("!"):
            WAYS[text[1:]](number)
        else:
            write(answer(number, text))


if __name__ == "__main__":
    main()
