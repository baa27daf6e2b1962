"""Draws task.toml files of every kind, valid or almost valid, from a seeded random generator."""

import json
import re
from copy import deepcopy
from datetime import date, time
from pathlib import Path
from random import Random
from typing import Any

type Tree = dict[str, Any]

BUNDLED = sorted(Path(__file__).parents[1].glob("tasks/*/task.toml"))
"""Real task.toml files, as a start."""

_WORDS = ["", "a", "é", "\U0001f600", "two words", "a\n", "a\0b", "A" * 300, "${SET}", "..", "/", "linux"]
_NUMBERS = [0, 1, 2, -1, 7, 2**31, 2**63 - 1, 2**63, -(2**64), 10**308, 10**309, 0.0, -0.0, 1.0, 2.0, 0.5, 1e18]
_NUMBERS += [9223372036854774784.0, 9223372036854775807.0, -9223372036854775808.0, 1e300, 5e-324]
_NUMBERS += [float("nan"), float("-inf"), float("inf")]
_SPELLED = [
    "1",
    " 1",
    "1 ",
    "+1",
    "01",
    "1.0",
    "1.",
    ".5",
    "1e3",
    "1_0",
    " 1_0",
    "1__0",
    "0x1",
    "-0",
    "٣",
    "nan",
    "inf",
]
_SPELLED += [
    "Infinity",
    "1e999",
    "9" * 400,
    "9" * 4400,
    "-1",
    "1.5",
    "1.00",
    "0-1",
    "\u00a01",
    "\u20281",
    "\x1c1",
    "1,0",
]
_YES = ["true", "True", "yes", "YES", "y", "Y", "on", "t", "T", "1", "false", "no", "N", "off", "OFF", "f", "0", " yes"]
_YES += ["yes ", "tru", "enabled", "\u017f", "oN", "of\ufb00"]
_TIMES = [date(2020, 1, 2), time(1, 2, 3)]
_SIZES = ["2G", "512M", "1K", " 2g ", "0.5G", "1e3M", "2", "G", "", "2T", "infG", "nanG", "1e400K", "-1G", "1_0M", "٢G"]
_SIZES += ["2GB", "1e308G", "2.0000001K", "2 G", "\u212a", "0x1G", "2\nG"]
_MODES = ["public", "no-network", "allowlist", "Public", "", "none"]
_HOSTS = [["a.b"], [], ["A.B."], [" x "], ["http://a"], [""], ["a_b"], ["-a"], ["a" * 64], [1], ["a", "b.c"], ["a\n.b"]]
_HOSTS += [["."], ["a..b"], ["\u212a.b"]]

# What stands under the keys that Harbor knows: a kind of value, or the keys of a table.
_HEALTHCHECK = {"command": "text", "interval_sec": "number", "timeout_sec": "number", "start_period_sec": "number"}
_HEALTHCHECK |= {"start_interval_sec": "number", "retries": "integer"}
_ENVIRONMENT: Tree = {"build_timeout_sec": "number", "docker_image": "text", "os": "system", "cpus": "integer"}
_ENVIRONMENT |= {"memory_mb": "integer", "storage_mb": "integer", "memory": "size", "storage": "size"}
_ENVIRONMENT |= {"gpus": "integer", "gpu_types": "texts", "tpu": "tpu", "mcp_servers": "servers", "env": "variables"}
_ENVIRONMENT |= {"skills_dir": "text", "healthcheck": _HEALTHCHECK, "workdir": "text", "allow_internet": "boolean"}
_ENVIRONMENT |= {"network_mode": "mode", "allowed_hosts": "hosts"}
_AGENT: Tree = {"timeout_sec": "number", "user": "user", "network_mode": "mode", "allowed_hosts": "hosts"}
_VERIFIER: Tree = {**_AGENT, "env": "variables", "environment_mode": "apart", "environment": _ENVIRONMENT}
_STEP: Tree = {"name": "step", "agent": _AGENT, "verifier": _VERIFIER, "min_reward": "threshold"}
_STEP |= {"healthcheck": _HEALTHCHECK, "artifacts": "artifacts"}
_TASK: Tree = {"schema_version": "text", "version": "text", "source": "text", "metadata": "variables", "agent": _AGENT}
_TASK |= {"task": {"name": "package", "description": "text", "authors": "authors", "keywords": "texts"}}
_TASK |= {
    "verifier": _VERIFIER,
    "environment": _ENVIRONMENT,
    "solution": {"env": "variables"},
    "artifacts": "artifacts",
}
_TASK |= {"multi_step_reward_strategy": "strategy", "steps": [_STEP], "unknown": "text"}

_KINDS: dict[str, list[Any]] = {
    "text": _WORDS,
    "number": [*_NUMBERS, *_SPELLED, True, False],
    "integer": [*_NUMBERS, *_SPELLED, True, False],
    "boolean": [True, False, 0, 1, 2, 0.0, 1.0, -0.0, 0.5, float("nan"), *_YES],
    "user": ["bob", "", "0", 0, 1000, True, False, 1.0, 1.5, float("nan"), -0.0, 1e18, 1e300, *_TIMES],
    "system": ["linux", "windows", "Linux", "WINDOWS", "", "mac", 1],
    "mode": _MODES,
    "hosts": _HOSTS,
    "apart": ["shared", "separate", "Shared", "", True],
    "strategy": ["mean", "final", "Mean", "", 1],
    "size": [*_SIZES, 2048, 1.5, True, []],
    "package": [
        "org/name",
        "o.r-g_/n.a",
        "org",
        "org/",
        "/name",
        "org/a..b",
        ".org/a",
        "org/name\n",
        "o/n/m",
        "Ö/n",
        "o/n ",
    ],
    "texts": [[], ["a"], ["a", ""], [1], ["a", ["b"]], "a", {}],
    "variables": [{}, {"A": "1"}, {"A": "${SET:-x}", "é ": ""}, {"A": 1}, {"A": True}, {"A": ["x"]}, [], ""],
    "tpu": [{"type": "v6e", "topology": "2x4"}, {"type": "", "topology": "2x4"}, {"type": "v4"}, {}, "v4", []],
    "servers": [
        [],
        [{"name": "m", "url": "http://m"}],
        [{"name": "m"}],
        [{"name": "m", "transport": "stdio", "command": "c", "args": ["1"]}],
        [{"name": "m", "transport": "http", "url": ""}],
        [{"name": "m", "transport": "http", "url": "u"}],
        [{"url": "u"}],
        [{"name": "m", "transport": "ftp", "url": "u"}],
        {},
    ],
    "step": ["one", "two", "first step", "é", "", ".", "..", "a/b", "/", "a\0b", "one\n", "a" * 300],
    "threshold": [*_NUMBERS, *_SPELLED, True, {}, {"reward": 1}, {"a": "0.5", "b": True}, {"a": "x"}, {"a": {}}, [1.0]],
    "authors": [[], [{"name": "A"}], [{"name": "A", "email": "a@b"}], [{}], [{"name": 1}], ["A"], "A"],
    "artifacts": [
        [],
        ["/app/out"],
        ["/app/a", {"source": "/app/b"}],
        [{"source": "/app/a", "destination": "kept", "exclude": ["*.pyc"]}],
        [{"source": "/app/a", "destination": "../x"}],
        [{"source": "/app/a", "destination": "//x"}],
        ["a\0b"],
        [".."],
        [{"destination": "x"}],
        [{"source": "a", "exclude": [1]}],
        [1],
        [["a"]],
        "a",
        {},
    ],
}
_KINDS["tpu"] += [
    {"type": "v4", "topology": shape} for shape in ("2", "0x1", "2x", " 2x2x1 ", "2X2", "2x\u0663", "2x4\n")
]
_ANYTHING = [*_WORDS, *_NUMBERS, *_SPELLED[:8], *_TIMES, True, False, [], {}, [{}], [1, "a"], {"a": {}}, ["a"]]

_BROKEN: list[tuple[str, str]] = [  # what stands in a text, and what is put in its place
    (r"\Z", "x ="),
    (r"\Z", "\n[agent]\n[agent]\n"),
    (r"\Z", "\n[[agent]]\n"),
    (r"\Z", "\nagent.user = 1\nagent.user = 2\n"),
    (r"\A", "\ufeff"),
    (r"\A", "x = 1" + "0" * 4301 + "\n"),
    (r"\A", "x = 1" + "0" * 4200 + "\n"),
    (r"\A", "x = " + "[" * 3000 + "]" * 3000 + "\n"),
    (r"\A", "x = " + "[" * 100 + "]" * 100 + "\n"),
    (r"\A", "x = 2020-13-01\n"),
    (r"\A", "x = 2020-01-01T25:00:00\n"),
    (r"\A", "x = 01\n"),
    (r"\A", "x = 0b12\n"),
    (r"\A", "x = +0x1\n"),
    (r"\A", "x = .5\n"),
    (r"\A", "x = 5.\n"),
    (r"\A", 'x = "\\e"\n'),
    (r"\A", 'x = "\\ud800"\n'),
    (r"\A", 'x = "\x07"\n'),
    (r"\A", "x = '''a\nb'''\n"),
    (r"\A", "# comment\x00\n"),
    (r"\A", "x.y = 1\nx.z = 2\nx = 3\n"),
    (r"\A", "a = {b = 1,}\n"),
    (r"\A", "a = [1,\n# comment\n2,]\n"),
    (r"\A", "'' = 1\n\"quoted key\" = 2\nbare-key_1 = 3\n"),
    (r"=", "= ="),
    (r"\n", "\r\n"),
    (r"\n", "\r"),
    (r"\]", "]]"),
    (r'"', "'"),
    (r"\.", ".."),
]


class Tomls:
    """A random source of task.toml files."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._usual = 0.0

    def toml(self) -> str:
        """Return the text of a drawn task.toml: known keys, some of them changed; some texts are broken."""
        self._usual = self._random.choice([0.99, 0.9, 0.6])
        document = self._table(_TASK, self._random.choice([0.05, 0.15, 0.4]))
        for _ in range(self._random.choice([0, 0, 0, 1, 2])):
            self._change(document)
        text = self._random.choice(BUNDLED).read_text() if self._is(0.05) else self._text(document)
        for _ in range(self._random.choice([0] * 18 + [1, 2])):
            text = self._broken(text)
        return text

    def folder(self, home: Path, toml: str) -> Path:
        """Write a task's folder with this task.toml; usually it has all files that the task needs to run."""
        files = ["environment/", "instruction.md", "tests/test.sh", "tests/test.bat"]
        names = dict.fromkeys(re.findall(r'name = "([\w ]+)"', toml))
        files += [
            f"steps/{name}/{file}" for name in names if len(name) < 200 for file in ("instruction.md", "tests/test.sh")
        ]
        for name in files:
            if self._is(0.02):
                continue
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if name.endswith("/") or self._is(0.005):
                path.mkdir(exist_ok=True)
            else:
                path.write_bytes(b"\xff" if self._is(0.005) else b"Do it.\n")
        home.mkdir(exist_ok=True)
        (home / "task.toml").write_bytes(toml.encode() + (b"# \xff" if self._is(0.01) else b""))
        return home

    def _is(self, share: float) -> bool:
        return self._random.random() < share

    def _table(self, shape: Tree, share: float) -> Tree:
        """Return some of the keys of a shape; required keys are usually among them."""
        keys = [key for key in shape if self._is(0.95 if key in ("name", "command") else share)]
        return {key: self._value(shape[key], share) for key in keys}

    def _value(self, kind: Any, share: float) -> Any:
        if isinstance(kind, dict):
            return self._table(kind, share)
        if isinstance(kind, list):
            return [self._table(kind[0], share) for _ in range(self._random.choice([0, 1, 1, 2, 3]))]
        # The first of a kind are as they should be.
        known = _KINDS[kind]
        return deepcopy(self._random.choice(known[:2] if self._is(self._usual) else known))

    def _change(self, document: Tree) -> None:
        """Replace the value at one place by another one of any type."""
        tables = [document, *self._within(document)]
        table = self._random.choice(tables)
        key = self._random.choice([*table, "unknown", "steps", "agent", "task", "environment"])
        if key in table and self._is(0.2):
            del table[key]
        else:
            table[key] = deepcopy(self._random.choice(_ANYTHING))

    def _within(self, value: Any) -> list[Tree]:
        items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
        return [each for item in items for each in ([item] if isinstance(item, dict) else []) + self._within(item)]

    def _broken(self, text: str) -> str:
        wanted, other = self._random.choice(_BROKEN)
        places = list(re.finditer(wanted, text)) or list(re.finditer(r"\Z", text))
        place = self._random.choice(places)
        return text[: place.start()] + other + text[place.end() :]

    def _text(self, document: Tree) -> str:
        return "\n".join(self._lines(document, "")) + "\n"

    def _lines(self, table: Tree, place: str) -> list[str]:
        """Return the lines of a table under a heading, inline, or with dotted keys."""
        lines, later = [], []
        for key, value in table.items():
            name = _key(key)
            if isinstance(value, dict) and self._is(0.6):
                later += [f"[{place}{name}]", *self._lines(value, f"{place}{name}.")]
            elif isinstance(value, dict) and value and self._is(0.3):
                lines += [f"{name}.{_key(inner)} = {self._inline(item)}" for inner, item in value.items()]
            elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value) and self._is(0.8):
                for item in value:
                    later += [f"[[{place}{name}]]", *self._lines(item, f"{place}{name}.")]
            else:
                lines.append(f"{name} = {self._inline(value)}")
        return lines + later

    def _inline(self, value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{_key(key)} = {self._inline(item)}" for key, item in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(self._inline, value)) + "]"
        if isinstance(value, str):
            return json.dumps(value, ensure_ascii=self._is(0.2) and value.isascii()).replace("\x7f", "\\u007f")
        if isinstance(value, bool):
            return json.dumps(value)
        if isinstance(value, date | time):
            return value.isoformat()
        if isinstance(value, int) and self._is(0.1):
            return hex(value) if value >= 0 else f"{value:_}"
        return repr(value)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)
