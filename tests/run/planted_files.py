"""Files of a task that attack before anything runs: pipes, links, names, and settings of task.toml."""

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.run.attacked import Host
from tests.sandboxes.kinds import IMAGE

SHOW = """
cat /tests/link /tests/folder/canary /solution/link /app/link >/logs/verifier/seen 2>/dev/null
echo 0.5 >/logs/verifier/reward.txt
"""
"""The test script of all these tasks, which shows the files that it sees."""


@dataclass(frozen=True)
class Planted:
    """A task whose tests only show their files, with something planted among the task's files."""

    name: str
    tries: str
    """The attempt, in a sentence."""

    plant: Callable[[Path, Host], None]
    """Changes the task in this folder."""

    kinds: tuple[str, ...] = ("local", "docker")
    """The kinds of sandbox for which it makes a difference."""


def _pipe(place: str) -> Callable[[Path, Host], None]:
    def plant(task: Path, host: Host) -> None:
        (task / place).unlink(missing_ok=True)
        os.mkfifo(task / place)

    return plant


def _link(place: str, name: str = "canary") -> Callable[[Path, Host], None]:
    def plant(task: Path, host: Host) -> None:
        (task / place).unlink(missing_ok=True)
        (task / place).symlink_to(host.folder / name)

    return plant


def _text(place: str, text: str) -> Callable[[Path, Host], None]:
    def plant(task: Path, host: Host) -> None:
        (task / place).write_bytes(host.filled(text).encode(errors="surrogateescape"))

    return plant


def _replaced(old: str, new: str) -> Callable[[Path, Host], None]:
    """Return a function that replaces a text in task.toml."""

    def plant(task: Path, host: Host) -> None:
        text = (task / "task.toml").read_text()
        assert old in text
        (task / "task.toml").write_text(text.replace(old, host.filled(new)))

    return plant


def _named(name: bytes) -> Callable[[Path, Host], None]:
    def plant(task: Path, host: Host) -> None:
        os.rename(os.fsencode(task), os.path.join(os.fsencode(task.parent), name))

    return plant


def _socket(task: Path, host: Host) -> None:
    before = Path.cwd()
    os.chdir(task / "tests")
    try:
        with socket.socket(socket.AF_UNIX) as unix:
            unix.bind("socket")
    finally:
        os.chdir(before)


def _loops(task: Path, host: Host) -> None:
    for place in ("tests", "solution", "environment"):
        (task / place / "loop").symlink_to(".")
        (task / place / "up").symlink_to("../..")
        (task / place / "itself").symlink_to("itself")


def _deep(task: Path, host: Host) -> None:
    before = Path.cwd()
    os.chdir(task / "tests")
    try:
        for _ in range(1500):
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.chdir(before)


def _many_rewards(task: Path, host: Host) -> None:
    names = "$(for i in {1..30000}; do printf '\"name-%d\": 1, ' $i; done)"
    script = f'#!/bin/bash\necho "{{{names} \\"reward\\": 0.5}}" >/logs/verifier/reward.json\n'
    (task / "tests" / "test.sh").write_text(script)


def _docker_file(text: str, seconds: int = 600) -> Callable[[Path, Host], None]:
    def plant(task: Path, host: Host) -> None:
        lines = (task / "task.toml").read_text().splitlines(keepends=True)
        kept = "".join(line for line in lines if not line.startswith("docker_image"))
        (task / "task.toml").write_text(kept.replace("[environment]", f"[environment]\nbuild_timeout_sec = {seconds}"))
        (task / "environment" / "Dockerfile").write_text(f"FROM {IMAGE}\n{host.filled(text)}\n")

    return plant


def _slug(text: str) -> str:
    return text.replace("/", "-").replace(".", "-").replace("_", "-").lower()


def _setting(line: str, section: str = "[environment]") -> Callable[[Path, Host], None]:
    """Return a function that adds a line to a section of task.toml."""
    return _replaced(section, f"{section}\n{line}")


def _artifacts(value: str) -> Callable[[Path, Host], None]:
    return _replaced("artifacts = []", f"artifacts = [{value}]")


_PIPES = (
    "task.toml", "instruction.md", "tests/pipe", "tests/test.sh", "solution/solve.sh", "environment/pipe",
    "environment/Dockerfile",
)  # fmt: skip
_LINKS = (
    "task.toml", "instruction.md", "tests/link", "solution/link", "environment/link", "environment/Dockerfile",
)  # fmt: skip
_IMAGE = """\
ENV PATH=/nowhere BASH_ENV=/nowhere LD_PRELOAD=/nowhere.so
USER nobody
VOLUME /logs /tests
ENTRYPOINT ["false"]
STOPSIGNAL SIGCONT
HEALTHCHECK CMD sleep @MARK@
SHELL ["/nowhere"]"""
_NOT_FINITE = """\
#!/bin/bash
echo '{"reward": NaN, "b": Infinity, "c": -1e999}' >/logs/verifier/reward.json
"""
_DOCKER = ("docker",)

_FILES = (
    *(Planted(f"pipe-{_slug(place)}", f"Makes {place} a pipe.", _pipe(place)) for place in _PIPES),
    *(Planted(f"link-{_slug(place)}", f"Lets {place} lead out.", _link(place)) for place in _LINKS),
    Planted("link-to-folder", "Lets a folder among the tests lead to the host's.", _link("tests/folder", "")),
    Planted("socket", "Leaves a socket among the tests.", _socket),
    Planted("loops", "Leaves links to themselves and up.", _loops),
    Planted("deep-tests", "Leaves folders among the tests deeper than paths can say.", _deep),
    # Not among other attacks: a job with such a result cannot be resumed, because JSON has no nan.
    Planted("numbers-beyond", "Leaves rewards that JSON does not have.", _text("tests/test.sh", _NOT_FINITE)),
    Planted("many-rewards", "Leaves thirty thousand rewards.", _many_rewards),
)

_NAMES = (
    Planted("name-with-codes", "Names its folder with codes and line breaks.", _named(b"a\x1b[2J\nb\x1b]0;owned\x07")),
    Planted("name-without-utf-8", "Names its folder with bytes that are no text.", _named(b"a\xff\xfe\x80")),
    Planted("long-name", "Names its folder as long as can be.", _named(b"n" * 255)),
    Planted("option-name", "Names its folder like an option.", _named(b"--privileged")),
)

_TEXTS = (
    Planted("zero-instruction", "Instructs with a byte that no variable can have.", _text("instruction.md", "a\0b")),
    Planted("long-instruction", "Instructs at too great a length.", _text("instruction.md", "x" * 3_000_000)),
    Planted("codes-in-toml", "Lets a syntax error show codes.", _text("task.toml", "\x1b[2J = \x1b]0;owned\x07")),
    Planted("codes-in-name", "Names it with codes.", _replaced("[agent]", '[task]\nname = "a/\\u001b[2J"\n[agent]')),
    Planted("deep-toml", "Nests task.toml deeper than a parser goes.", _text("task.toml", "a = " + "[" * 100_000)),
)

_VALUES = (
    *(
        Planted(f"time-{time}", f"Takes {time} seconds.", _replaced("timeout_sec = 60", f"timeout_sec = {time}"))
        for time in ("inf", "nan", "-1", "0", "1e308")
    ),
    *(
        Planted(f"{_slug(key)}-{value:g}", f"Asks for {key} of {value:g}.", _setting(f"{key} = {value}"))
        for key in ("memory_mb", "storage_mb", "cpus")
        for value in (10**30, -1, 0)
    ),
    Planted("option-as-user", "Names an option as user.", _setting('user = "--privileged"', "[agent]")),
    Planted(
        "option-as-image", "Names an option as image.", _replaced("docker_image =", 'docker_image = "--privileged" #'),
        _DOCKER,
    ),
    Planted(
        "climbing-step",
        "Names a step that climbs.",
        _replaced("[agent]", '[[steps]]\nname = "../../../host"\n[agent]'),
    ),
    Planted("climbing-workdir", "Works in a folder of the host.", _setting('workdir = "/../..@HOST@"')),
    Planted(
        "climbing-artifact",
        "Lets an artifact climb.",
        _artifacts('{source = "/etc/passwd", destination = "../../../../host/planted"}'),
    ),
    Planted(
        "artifact-over-result",
        "Lets artifacts replace what the job writes.",
        _artifacts(
            '{source = "/etc/nsswitch.conf", destination = "manifest.json"}, '
            '{source = "/etc/nsswitch.conf", destination = "/result.json"}'
        ),
    ),
    Planted(
        "absolute-artifact",
        "Names a place on the host for an artifact.",
        _artifacts('{source = "/etc/nsswitch.conf", destination = "@HOST@/planted"}'),
    ),
)  # fmt: skip

_IMAGES = (
    Planted("endless-build", "Builds an image for ever.", _docker_file("RUN sleep @MARK@", 10), _DOCKER),
    Planted("hostile-image", "Builds an image that is not what it seems.", _docker_file(_IMAGE), _DOCKER),
    Planted("option-as-workdir", "Works in a folder like an option.", _docker_file("WORKDIR /--bind/../../@HOST@")),
)

PLANTED = {planted.name: planted for group in (_FILES, _NAMES, _TEXTS, _VALUES, _IMAGES) for planted in group}
