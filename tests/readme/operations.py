"""Tables of operations: their rules and flags. Only this module of the package reads how the kit stores them."""

from importlib import import_module
from itertools import takewhile
from pathlib import Path
from re import sub

from parity.operations import OPERATIONS
from parity.operations.rules import FLAGS, RULES
from parity.operations.vectors import VECTORS
from tests.faulty import FAULTS
from tests.readme.tables import table


def operations() -> str:
    """Return a table with the numbers of rules, flags and vectors of each operation."""
    rows = []
    for name in OPERATIONS:
        rules = sum(rule.operation == name for rule in RULES.values())
        rows.append(f"| [`{name}`]({name}/README.md) | {rules} | {len(FLAGS[name])} | {len(VECTORS[name])} |")
    return table("| operation | rules | flags | golden vectors |", rows)


def rules(operation: str) -> str:
    """Return a table of an operation's rules: the sentence, the source, and the checks."""
    rows = []
    for rule in (rule for rule in RULES.values() if rule.operation == operation):
        tests = sorted({fault.seen_by for fault in FAULTS.values() if fault.breaks == rule.slug})
        vectors = sum(vector.rule == rule.slug for vector in VECTORS[operation])
        checked = ", ".join(f"`{test}`" for test in tests)
        source = sub(r"[a-z]\w*(?:\.\w+)+", r"`\g<0>`", rule.source)
        rows.append(f"| `{rule.slug}` | {rule.sentence} | {source} | {checked} | {vectors} |")
    return table("| rule | | decided by | its faulty runners fail in | vectors |", rows)


def flags(operation: str) -> str:
    """Return a table of an operation's flags with their explanations."""
    rows = [f"| `{flag}` | {sentence} |" for flag, sentence in FLAGS[operation].items()]
    return table("| flag | the case is hard because |", rows)


def faulty_runner(name: str) -> str:
    """Return the source of a faulty runner with one decorator and no blank line in it."""
    lines = Path(str(import_module(FAULTS[name].__module__).__file__)).read_text(encoding="utf-8").splitlines()
    shown = takewhile(bool, lines[lines.index(next(line for line in lines if line.startswith(f"def {name}("))) - 1 :])
    return "\n".join(["```python", *shown, "```", ""])
