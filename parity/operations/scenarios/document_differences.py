"""Restates a difference between two transcripts as the difference in a document that the rules describe.

The contents of documents are compared before their texts, so texts that differ have a different spelling or layout.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from parity.operations.compare import Difference, Path, compare
from parity.operations.scenarios.json_layout import harbor_text
from parity.operations.scenarios.transcripts import CONFIG

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{},:]|\s+|[^\[\]{},:"\s]+|"')


def restated(difference: Difference, expected: Any, actual: Any) -> Difference:
    """Restate a difference in a document, given both complete transcripts. Return any other difference unchanged."""
    for depth in range(len(difference.path)):
        head, rest = difference.path[:depth], difference.path[depth:]
        match rest:
            case ("result", "config"):
                return _of_configs(difference, _at(expected, head), _at(actual, head))
            case ("texts", *_):
                return _of_texts(head, _at(expected, head), _at(actual, head)) or difference
    return difference


def _at(record: Any, path: Path) -> Any:
    for step in path:
        record = record[step]
    return record


def _of_configs(difference: Difference, expected: Any, actual: Any) -> Difference:
    """Return the first difference between two configurations.

    A result contains a configuration only if the configuration differs from config.json.
    """
    left, right = (
        side["files"].get(CONFIG) if side["result"]["config"] == CONFIG else side["result"]["config"]
        for side in (expected, actual)
    )
    in_configuration = compare(left, right, path=difference.path)
    if in_configuration:
        return in_configuration
    head = difference.path[:-2]
    return (
        compare(expected["files"].get(CONFIG), actual["files"].get(CONFIG), path=(*head, "files", CONFIG)) or difference
    )


def _of_texts(head: Path, expected: Any, actual: Any) -> Difference | None:
    """Return the first difference in spelling or layout between documents whose contents are equal."""
    for name in sorted({*expected["texts"], *actual["texts"]}):
        left, right = (side["texts"].get(name) or harbor_text(_whole(side, name)) for side in (expected, actual))
        if left != right:
            path, what, tokens = _written(left, right)
            return Difference((*head, "texts", what, name, *path), "layout", *tokens)
    return None


def _whole(record: Any, name: str) -> Any:
    """Return the content of a document, including its configuration."""
    if name in record["files"] or name != "result.json":
        return record["files"][name]
    result = record["result"]
    return {**result, "config": record["files"][CONFIG]} if result.get("config") == CONFIG else result


def _written(expected: str, actual: str) -> tuple[Path, str, tuple[str, str]]:
    """Return the path and kind of the first difference between two texts, and both tokens there."""
    for path, key in _repeated(actual):
        return path, "duplicate-key", ("once", key)
    for (path, left), (_, right) in zip_longest(tokens_of(expected), tokens_of(actual), fillvalue=((), "")):
        if left != right:
            is_layout = not left.strip() or not right.strip()
            return path, "layout" if is_layout else "spelling", (left, right)
    return (), "layout", (expected, actual)


def _repeated(text: str) -> Iterator[tuple[Path, str]]:
    """Yield the path of each repeated key, and the key."""
    seen: set[Path] = set()
    for path, token in tokens_of(text):
        if token == ":":
            if path in seen:
                yield path, str(path[-1])
            seen.add(path)


def tokens_of(text: str) -> Iterator[tuple[Path, str]]:
    """Yield the tokens of a JSON text, including white space, each with the path of the value that it belongs to."""
    path: list[str | int] = []
    before = ""
    for token in _TOKEN.findall(text):
        if token in ("}", "]"):
            path = path[:-1]
        elif token == "," and path:
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else ""
        elif token.startswith('"') and path and path[-1] == "" and before in ("{", ","):
            path[-1] = token[1:-1]
        yield tuple(path), token
        if token in ("{", "["):
            path = [*path, "" if token == "{" else 0]
        before = before if token.isspace() else token
