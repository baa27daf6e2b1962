"""Tests of the golden vectors as a package for npm and as a module for Go, which `golden/README.md` shows."""

import json
import re
import subprocess
from pathlib import Path

import pytest

import parity
from parity.operations import OPERATIONS
from parity.operations.goldens import golden_directory, read_vectors

_GOLDEN = golden_directory()
_FILES = {
    name: text
    for text, name in re.findall(
        r"^```(?:js|go)\n(// ([\w.]+)\n.*?)^```$", (_GOLDEN / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
}
"""The files that the README shows, by name."""

_TESTED = [vector.id for vector in read_vectors("read_reward") if vector.rule.startswith("reward-text/")]
"""The vectors that the README's tests ask."""

_NAIVE_JS = """
import { readFileSync } from "node:fs";
export function readReward(directory) {
  return { reward: Number(readFileSync(`${directory}/reward.txt`, "utf8")) };
}
"""
_TYPED_JS = """
import { vectors } from "harbor-parity-golden";
export function readReward(directory: string): Record<string, number> {
  return { reward: vectors(OPERATION).length };
}
"""
_RIGHT_JS = """
import { INTERPRETERS } from "EXAMPLE/interpreters.mjs";
import { readReward as read } from "EXAMPLE/read-reward.mjs";
export function readReward(directory) {
  return Object.fromEntries(read(directory, INTERPRETERS.get("3.12")));
}
""".replace("EXAMPLE", str(Path(parity.__file__).parent / "runners" / "examples" / "javascript"))

_NAIVE_GO = """package reader

import (
	"os"
	"strconv"
	"strings"
)

func ReadReward(directory string) (map[string]float64, error) {
	text, err := os.ReadFile(directory + "/reward.txt")
	if err != nil {
		return nil, err
	}
	reward, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	return map[string]float64{"reward": reward}, err
}
"""
_SURROGATES_GO = """package reader

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"strings"
	"testing"

	"harbor-parity/golden"
)

func TestSurrogates(t *testing.T) {
	names, _ := fs.Glob(golden.Files, "*.json")
	lost, kept := 0, 0
	for _, name := range names {
		text, _ := golden.Files.ReadFile(name)
		lost += replaced(text)
		kept += replaced(EscapeLone(text))
	}
	t.Logf("%d files, %d lost, %d lost although escaped", len(names), lost, kept)
}

// replaced returns how often U+FFFD occurs in the strings and keys of a JSON text.
func replaced(text []byte) int {
	count := 0
	for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
		token, err := decoder.Token()
		if err == io.EOF {
			return count
		}
		if err != nil {
			panic(err)
		}
		if read, ok := token.(string); ok {
			count += strings.Count(read, "\ufffd")
		}
	}
}
"""


def _run(directory: Path, *command: str) -> str:
    """Run a command without a network, and return its output; a failing test is none of its errors."""
    offline = {"GOPROXY": "off", "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", "NPM_CONFIG_OFFLINE": "true"}
    ran = subprocess.run(
        ["env", *(f"{name}={value}" for name, value in offline.items()), *command],
        cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    return ran.stdout


def _install_for_node(directory: Path, reader: str) -> None:
    """Make a project in an empty directory, with this reader and the README's test, and install the vectors."""
    _run(directory, "npm", "install", str(_GOLDEN))
    (directory / "reader.mjs").write_text(reader)
    (directory / "reader.test.mjs").write_text(_FILES["reader.test.mjs"])


def _install_for_go(directory: Path, **files: str) -> None:
    """Make a module in an empty directory, with these files and those of the README, and require the vectors."""
    _run(directory, "go", "mod", "init", "example")
    required = ("-require", "harbor-parity/golden@v0.0.0", "-replace", f"harbor-parity/golden={_GOLDEN}")
    _run(directory, "go", "mod", "edit", *required)
    shown = {name: text for name, text in _FILES.items() if name.endswith(".go")}
    for name, text in {**shown, **{f"{stem}.go": text for stem, text in files.items()}}.items():
        (directory / name).write_text(text, encoding="utf-8")


def _node_verdicts(directory: Path) -> dict[str, bool]:
    output = _run(directory, "node", "--test", "--test-reporter=tap")
    return {name: not failed for failed, name in re.findall(r"^ *(not )?ok \d+ - (reward-\S+)", output, re.MULTILINE)}


@pytest.mark.needs("node", "npm")
def test_javascript_reader_is_tested_by_the_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The README's test passes for a right reader, fails where a naive one is wrong, and leaves no directories."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    _install_for_node(tmp_path, _RIGHT_JS)
    monkeypatch.setenv("TMPDIR", str(temporary))

    right = _node_verdicts(tmp_path)
    (tmp_path / "reader.mjs").write_text(_NAIVE_JS)
    naive = _node_verdicts(tmp_path)

    assert right == dict.fromkeys(_TESTED, True)
    assert naive.keys() == right.keys()
    assert naive["reward-text/float/txt/0.5"]
    assert not naive["reward-text/underscore/txt/1_0"]
    assert list(temporary.iterdir()) == []


def _type_errors(directory: Path) -> list[tuple[str, str]]:
    """Return the file and the first line of each error that `tsc --strict` finds in the README's test."""
    root = _run(directory, "npm", "root", "-g").strip()
    types = ("--types", "node", "--typeRoots", f"{root}/@types")
    output = _run(directory, "tsc", "--strict", "--noEmit", "--module", "nodenext", *types, "reader.test.mts")
    return re.findall(r"^([\w.]+)\(\d+,\d+\): error (.*)", output, re.MULTILINE)


@pytest.mark.needs("npm", "tsc")
def test_javascript_test_is_typescript_too(tmp_path: Path) -> None:
    """The README's test in JavaScript is right in TypeScript, whose types refuse an unknown operation."""
    _install_for_node(tmp_path, "")
    (tmp_path / "reader.test.mjs").rename(tmp_path / "reader.test.mts")

    (tmp_path / "reader.mts").write_text(_TYPED_JS.replace("OPERATION", '"read_reward"'))
    right = _type_errors(tmp_path)
    (tmp_path / "reader.mts").write_text(_TYPED_JS.replace("OPERATION", '"nonesuch"'))
    wrong = _type_errors(tmp_path)

    assert right == []
    assert [file for file, _ in wrong] == ["reader.mts"]
    assert "is not assignable to parameter of type 'Operation'" in wrong[0][1]


@pytest.mark.needs("go")
def test_go_reader_is_tested_by_the_vectors(tmp_path: Path) -> None:
    """The README's test in Go passes where a naive reader is right, and fails for each vector where it is wrong."""
    _install_for_go(tmp_path, reader=_NAIVE_GO)

    output = _run(tmp_path, "go", "test", "-v", "-run", "TestReader")

    verdicts = {name: verdict for verdict, name in re.findall(r"^ +--- (\w+): TestReader/(\S+)", output, re.MULTILINE)}
    assert sorted(verdicts) == sorted(_TESTED)
    assert verdicts["reward-text/digits/txt/%D9%A1"] == "FAIL"
    assert verdicts["reward-text/malformed/txt/0x1p3"] == "FAIL"
    assert verdicts["reward-text/malformed/txt/0x10"] == "PASS"
    assert verdicts["reward-text/float/txt/0.5"] == "PASS"


@pytest.mark.needs("go")
def test_go_files_are_formatted() -> None:
    """Go's own formatter has nothing to change in the module."""
    assert _run(_GOLDEN, "gofmt", "-l", ".") == ""


def _lone_surrogates() -> int:
    """Return the number of lone surrogates in the golden files of operations."""
    texts = [(_GOLDEN / f"{name}.json").read_text("ascii") for name in OPERATIONS]
    return sum(
        len(re.findall("[\ud800-\udfff]", string))
        for text in texts
        for string in map(json.loads, re.findall(r'"(?:[^"\\]|\\.)*"', text))
    )


@pytest.mark.needs("go")
def test_escaped_lone_surrogates_are_kept_in_go(tmp_path: Path) -> None:
    """Go loses as many lone surrogates as the README says, and none if they are escaped as the README shows."""
    _install_for_go(tmp_path, reader=_NAIVE_GO, surrogates_test=_SURROGATES_GO)

    output = _run(tmp_path, "go", "test", "-v", "-run", "TestSurrogates")

    readme = " ".join((_GOLDEN / "README.md").read_text("utf-8").split())
    files, lost, escaped = map(int, re.findall(r"(?:: |, )(\d+)(?= files| lost)", output))
    assert files == len(OPERATIONS) + 1
    assert lost - escaped == _lone_surrogates()
    assert f"as Harbor's keys may: {_lone_surrogates()} are in these files." in readme


@pytest.mark.needs("node", "npm")
def test_packed_vectors_are_the_files(tmp_path: Path) -> None:
    """What npm packs has the files of the checkout, unchanged, and returns them by operation."""
    _run(tmp_path, "npm", "pack", str(_GOLDEN))
    (packed,) = tmp_path.glob("*.tgz")
    _run(tmp_path, "npm", "install", str(packed))
    script = (
        "import { operations, raw, vectors } from 'harbor-parity-golden';"
        "for (const each of operations) console.log(JSON.stringify([each, raw(each), vectors(each).length]));"
        "try { raw('nonesuch') } catch (error) { console.log(JSON.stringify(error.message)) }"
    )

    *rows, refused = map(json.loads, _run(tmp_path, "node", "--input-type=module", "-e", script).splitlines())

    assert rows == [
        [name, (_GOLDEN / f"{name}.json").read_text("ascii"), len(read_vectors(name))] for name in sorted(OPERATIONS)
    ]
    assert refused.startswith("unexpected operation nonesuch; expected one of aggregate, ")
