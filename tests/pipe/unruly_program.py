"""A program for the pipe that answers each text with the same text, and misbehaves in a named way on request.

A text `!KIND` makes it misbehave in the way KIND. With `--every N` it misbehaves at every N-th question, in each quick
way in turn; with `--pipelining` it takes several questions at once. It runs without the kit: `python -I -S
unruly_program.py`. It is started more than a thousand times, and imports would be half of a start. So it imports only
modules that Python has already loaded, and reads JSON as Python, because the kit's lines differ from Python only in
null.
"""

import posix as os  # which starts sooner, and has all that is used here
import sys
import time
from _json import encode_basestring_ascii as quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

INTRODUCTION = '{"hello": {"name": "unruly", "operations": ["reason_code"]}}'
FOR_EVER = 3600


def write(data: bytes) -> None:
    """Write all bytes to standard output at once."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(1, rest) :]


def answer(number: str, text: str) -> bytes:
    """Return a line that answers a question with a text."""
    return f'{{"id": "{number}", "value": {quoted(text)}}}\n'.encode()


def raw(text: str) -> "Callable[[str], None]":
    """Return a way that writes a line in which ID stands for the id."""
    return lambda number: write(text.replace("ID", number).encode() + b"\n")


def value(text: str) -> "Callable[[str], None]":
    """Return a way that answers with this JSON text as the value."""
    return raw('{"id": "ID", "value": ' + text + "}")


def hang(number: str) -> None:
    """Write nothing."""
    time.sleep(FOR_EVER)


def hang_in_half_a_line(number: str) -> None:
    """Write the beginning of an answer, and nothing more."""
    write(answer(number, "x")[:9])
    time.sleep(FOR_EVER)


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
    """Hang, and ignore signals."""
    import signal

    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    time.sleep(FOR_EVER)


def leave_a_child(number: str) -> None:
    """End, but leave a process that holds the outputs open."""
    import subprocess

    subprocess.Popen([sys.executable, "-I", "-S", "-c", f"import time; time.sleep({FOR_EVER})"])
    os._exit(0)


def exit_with_three(number: str) -> None:
    """End with exit code 3 and a message on standard error."""
    sys.stderr.write("giving\nup: no more tokens\n")
    sys.stderr.flush()
    os._exit(3)


def die_of_a_signal(number: str) -> None:
    """End by a signal, as after a crash."""
    os.kill(os.getpid(), 9)


def end_in_half_a_line(number: str) -> None:
    """Write the beginning of an answer, and end."""
    write(answer(number, "x")[:9])
    os._exit(0)


def close_the_output(number: str) -> None:
    """Close the output, and keep running."""
    os.close(1)
    time.sleep(FOR_EVER)


def raise_an_error(number: str) -> None:
    """End with the traceback of a Python error."""
    raise RuntimeError("a bug of my own")


def flood(number: str) -> None:
    """Write more than a line may have, forever."""
    chunk = b"x" * (1 << 20)
    while True:
        write(chunk)


def long_line(number: str) -> None:
    """Write a whole line that is too long."""
    write(answer(number, "x" * (17 << 20)))


def chatter(number: str) -> None:
    """Write much to standard error before the answer, which is not a mistake."""
    for _ in range(200):
        os.write(2, b"thinking ... " * 100 + b"\n")
    write(answer(number, "!chatter"))


def twice(number: str) -> None:
    """Write the answer twice."""
    write(answer(number, "!twice") * 2)


def more_than_asked(number: str) -> None:
    """Write the answer, and another one that was not asked."""
    write(answer(number, "!more-than-asked") + answer("999999", "x"))


def debug_after(number: str) -> None:
    """Write the answer, and then text for people."""
    write(answer(number, "!debug-after") + b"DEBUG: done\n")


def exit_after(number: str) -> None:
    """Write the answer, and end."""
    write(answer(number, "!exit-after"))
    os._exit(0)


WAYS: "dict[str, Callable[[str], None]]" = {
    "hang": hang,
    "hang-in-half-a-line": hang_in_half_a_line,
    "dribble": dribble,
    "chatter-for-ever": chatter_for_ever,
    "ignore-the-end": ignore_the_end,
    "leave-a-child": leave_a_child,
    "exit-with-three": exit_with_three,
    "die-of-a-signal": die_of_a_signal,
    "end-in-half-a-line": end_in_half_a_line,
    "close-the-output": close_the_output,
    "raise-an-error": raise_an_error,
    "flood": flood,
    "long-line": long_line,
    "chatter": chatter,
    "twice": twice,
    "more-than-asked": more_than_asked,
    "debug-after": debug_after,
    "exit-after": exit_after,
    "garbage": raw("warming up the model"),
    "empty-line": raw(""),
    "not-utf8": lambda number: write(b'{"id": "' + number.encode() + b'", "value": "\xff"}\n'),
    "utf16": lambda number: write(answer(number, "x").decode().encode("utf-16")),
    "an-array": raw('["ID", "x"]'),
    "a-text": raw('"ID"'),
    "null": raw("null"),
    "no-id": raw('{"value": "x"}'),
    "wrong-id": raw('{"id": "0", "value": "x"}'),
    "id-as-number": raw('{"id": ID, "value": "x"}'),
    "earlier-id": lambda number: write(answer(str(int(number) - 1), "x")),
    "two-lines-joined": raw('{"id": "ID", "value": "x"}{"id": "ID", "value": "x"}'),
    "trailing-comma": raw('{"id": "ID", "value": "x",}'),
    "too-deep": value("[" * 100_000 + "]" * 100_000),
    "hello-again": raw(INTRODUCTION),
    "nothing-said": raw('{"id": "ID"}'),
    "value-and-fault": raw('{"id": "ID", "value": "x", "fault": {"kind": "ValueError"}}'),
    "unknown-member": raw('{"id": "ID", "value": "x", "score": null}'),
    "same-member-twice": raw('{"id": "ID", "value": "x", "value": "y"}'),
    "plain-int": value("1"),
    "plain-float": value('{"mean": 0.5}'),
    "nan-literal": value("NaN"),
    "short-hex": value('{"f64": "3ff0"}'),
    "upper-case-hex": value('{"f64": "3FF0000000000000"}'),
    "padded-int": value('{"int": "007"}'),
    "endless-int": value('{"int": "' + "9" * 200_000 + '"}'),
    "fault-as-text": raw('{"id": "ID", "fault": "ValueError"}'),
    "fault-without-kind": raw('{"id": "ID", "fault": {"message": "x"}}'),
    "fault-of-no-kind": raw('{"id": "ID", "fault": {"kind": ""}}'),
    "fault-with-more": raw('{"id": "ID", "fault": {"kind": "ValueError", "code": "1"}}'),
    "unsupported-true": raw('{"id": "ID", "unsupported": true}'),
}
"""Every way to misbehave, by name."""


SLOW = {
    "hang",
    "hang-in-half-a-line",
    "dribble",
    "chatter-for-ever",
    "ignore-the-end",
    "leave-a-child",
    "close-the-output",
    "flood",
    "long-line",
}
"""Ways that take long, or that give no line to wait for."""


def quick_way(number: int) -> str:
    """Return the way to misbehave on a question with this number."""
    ways = [way for way in WAYS if way not in SLOW]
    return ways[number % len(ways)]


def main() -> None:
    """Speak the protocol until the input ends."""
    every = int(sys.argv[2]) if sys.argv[1:2] == ["--every"] else 0
    sys.stdin.readline()
    pipelining = ', "pipelining": true' if "--pipelining" in sys.argv else ""
    write(f"{INTRODUCTION[:-2]}{pipelining}}}}}\n".encode())
    for line in sys.stdin:
        question = eval(line, {"null": None})
        text = question["input"]["text"]
        if every and int(question["id"]) % every == 0:
            WAYS[quick_way(int(question["id"]) // every)](question["id"])
        elif text and text.startswith("!"):
            WAYS[text[1:]](question["id"])
        elif text is None:
            write(f'{{"id": "{question["id"]}", "value": null}}\n'.encode())
        else:
            write(answer(question["id"], text))


if __name__ == "__main__":
    main()
