"""Runs a task with an agent that leaves a reward at every path that the tests may take one from.

The paths are guessed from the text of the tests. A wrong guess does no harm: each path gets another value, and only a
value that becomes the reward is reported.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from parity.driver.settings import AgentSettings
from parity.formats.task import TaskConfig
from parity.lint.findings import Finding
from parity.lint.rewards import as_0_13
from parity.lint.scripts import commands, script_text, test_folders
from parity.lint.trials import Run

_SOURCES = (".sh", ".py", ".js", ".ts", "")
_PATHS = re.compile(r"(?<![\w./~$}{:-])((?:[\w./~]|\$\w+|\$\{\w+\})(?:[\w./~-]|\$\w+|\$\{\w+\})*)")
_BESIDE = re.compile(r"\)[\"']?/([\w./-]+)")
"""A path behind a command substitution, as in `$(dirname "$0")/score.json`."""

_MAY_HOLD_A_REWARD = re.compile(r"\.(json|txt)$|(^|/)[\w.-]*(reward|score|result|grade)[\w.-]*$", re.IGNORECASE)
_PATH = re.compile(r"[A-Za-z].*[./]|[./$].*[A-Za-z]")
_PATH_OR_WORD = re.compile(r"[A-Za-z]")
_COPIES = re.compile(r"\b(cp|mv|cat|head|tail|jq)\s|<")
_CONDITION = re.compile(r"\[\[? .*? \]\]?|\btest .*?(?=[;&|]|$)")
_WRITES_A_REWARD = re.compile(r"reward|/logs/verifier", re.IGNORECASE)
_ASSIGNMENT = re.compile(r"(?:export |readonly )?(?!PATH=)(\w+=(?:\"[\w./~${}-]*\"|'[\w./~-]*'|[\w./~$-]*))$")
_COMPUTED = re.compile(r"(?:export |readonly )?(?!PATH=)(\w+)=\"?\$\(")
_CHANGES_FOLDER = re.compile(rf"\bcd\s+\"?{_PATHS.pattern}")
_KEYS = re.compile(r"(?:[\"']|(?<=[\s'\"])\.)([A-Za-z_]\w*)")
_MOST_PATHS, _MOST_KEYS = 300, 100
_LONGEST_LINE = 1000
"""Characters of a line that is read. A longer one holds data, and a path in it could be too long for a command."""

_PLANT = """
put() {
  case $1 in /logs/verifier/reward.json | /logs/verifier/reward.txt) return ;; esac
  [ -e "$1" ] || { mkdir -p "${1%/*}" && printf '%s\\n' "$2" > "$1"; }
} 2> /dev/null
plant() {
  local folder
  case $1 in
  /*) put "$1" "$2" ;;
  *) for folder in "$PWD" /tests FOLDERS; do put "$folder/$1" "$2"; done ;;
  esac
}
"""


@dataclass(frozen=True)
class Planting:
    """An agent that leaves rewards."""

    command: str
    """The agent's bash source."""

    paths: dict[float, str]
    """The paths as the tests write them, by the value that is left there."""


async def check_planted_files(task: Path, config: TaskConfig, run: Run) -> list[Finding]:
    """Return a finding if a value that the agent left in a file becomes the reward."""
    planted = planting(task, config)
    if planted is None:
        return []
    (trial,) = await run(task, name="planted", agents=(AgentSettings("command", planted.command),))
    read = [rewards for folder in trial.verifiers if isinstance(rewards := as_0_13(folder), dict)]
    paths = dict.fromkeys(
        planted.paths[value] for rewards in read for value in rewards.values() if value in planted.paths
    )
    what = f"a reward that the agent writes to {' or '.join(paths)} counts after the tests"
    return [Finding(task, "reward-in-reach", what)] if paths else []


def planting(task: Path, config: TaskConfig) -> Planting | None:
    """Return an agent that leaves a reward at each path in a task's tests; None if they have no paths.

    A file that exists already is not changed.

    Args:
        task: the task's folder.
        config: the content of its task.toml.
    """
    lines = [
        line
        for _, folder in test_folders(task, config)
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.suffix in _SOURCES
        for line in commands(script_text(file))
        if len(line) <= _LONGEST_LINE
    ]
    found = dict.fromkeys(path for line in lines for path in _paths(line))
    # Paths that are not relative come first, because most relative ones are names of other things.
    paths = sorted(found, key=lambda path: path[0] not in "/$~")[:_MOST_PATHS]
    if not paths:
        return None
    text = "\n".join(lines)
    keys = dict.fromkeys(["reward", "score", *_KEYS.findall(text)][:_MOST_KEYS], "VALUE")
    is_json = "reward.txt" not in text
    source = [
        *filter(None, map(_assignment, lines)),
        _PLANT.replace("FOLDERS", " ".join(f'"{_at_home(path)}"' for path in _CHANGES_FOLDER.findall(text))),
        f"planted_object='{json.dumps(keys).replace('"VALUE"', 'VALUE')}'",
    ]
    values = {}
    for number, path in enumerate(paths):
        value = f"0.98765{number:04}"
        values[float(value)] = path
        content = f'"${{planted_object//VALUE/{value}}}"' if is_json or path.endswith(".json") else value
        source.append(f'plant "{_at_home(path)}" {content}')
    return Planting("\n".join([*source, "true"]), values)


def _paths(line: str) -> list[str]:
    """Return the paths in a line that may hold a reward. In a line that names rewards, each path may.

    Conditions are left out: a file in one may show that the task is solved, and is better not there.
    """
    does = _CONDITION.sub("", line)
    is_path = _PATH_OR_WORD if _COPIES.search(does) else _PATH
    found = [path for path in _BESIDE.findall(does) + _PATHS.findall(does) if is_path.search(path)]
    return found if _WRITES_A_REWARD.search(line) else [path for path in found if _MAY_HOLD_A_REWARD.search(path)]


def _assignment(line: str) -> str | None:
    """Return a line that sets a variable to a known value, or to /tests if a command computes it; else None."""
    if known := _ASSIGNMENT.match(line):
        return known[1]
    return f"{computed[1]}=/tests" if (computed := _COMPUTED.match(line)) else None


def _at_home(path: str) -> str:
    return f"$HOME{path[1:]}" if path.startswith("~") else path
