"""The generated parts of README.md. `python -m tests.readme` writes them; tests check that they are current."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from parity.judging.declared.writing import HEAD
from parity.operations.rules import FLAGS, RULES
from parity.operations.unstable import UNSTABLE
from parity.operations.vectors import VECTORS
from parity.pytest_plugin.profiles import PROFILES
from parity.reference import open_reference
from tests.demonstration import (
    demonstration,
    environment_demonstration,
    pipe_demonstration,
    report_demonstration,
    run_demonstration,
)
from tests.errata import ERRATA
from tests.error_codes import error_codes_table
from tests.faulty import FAULTS
from tests.harbor_env.differences import rollout_rows
from tests.harbor_env.differences import rows as difference_rows
from tests.pitfalls import PITFALLS

README = Path(__file__).resolve().parent.parent / "README.md"


def errata_table() -> str:
    """Claim by claim, what the wheel does."""
    wheel = open_reference().wheel
    rows = [f"| {erratum.document} | {erratum.claim} | {erratum.shown(wheel)} |" for erratum in ERRATA]
    return _table("| document | claim | what harbor 0.13.1 does |", rows)


def pitfalls_table() -> str:
    """Case by case, what comes of it and why that surprises."""
    wheel = open_reference().wheel
    rows = [f"| {pitfall.case} | {pitfall.shown(wheel)} | {pitfall.why} |" for pitfall in PITFALLS]
    return _table("| the case | what comes of it | why |", rows)


def error_codes() -> str:
    """Which reason code each error of the wheel gets."""
    return _table("| error | cause | message | its code | with its type |", error_codes_table(open_reference().wheel))


def differences_table() -> str:
    """Where Harbor, HarborEnv's documentation and its releases part."""
    return _table(
        "| the case | Harbor | `documented` | releases that do otherwise |",
        difference_rows(open_reference().wheel),
    )


def rollouts_table() -> str:
    """The same where agents and tests really run."""
    head = '| the case | Harbor | `"harbor"` | `"documented"` | releases that do otherwise |'
    return _table(head, rollout_rows())


def flags_table() -> str:
    """Every flag with its explanation."""
    rows = [
        f"| `{flag}` | `{operation}` | {sentence} |"
        for operation, flags in FLAGS.items()
        for flag, sentence in flags.items()
    ]
    return _table("| flag | operation | the case is hard because |", rows)


def rules_table() -> str:
    """Every rule with its sentence, its source and what checks it."""
    rows = []
    for rule in RULES.values():
        tests = sorted({fault.seen_by for fault in FAULTS.values() if fault.breaks == rule.slug})
        vectors = sum(vector.rule == rule.slug for vector in VECTORS[rule.operation])
        checked = ", ".join(f"`{test}`" for test in tests)
        rows.append(f"| `{rule.slug}` | {rule.sentence} | {rule.source} | {checked} | {vectors} |")
    return _table("| rule | | decided by | drawn cases of | vectors |", rows)


def unstable_table() -> str:
    """What moves with the wheel's surroundings."""
    rows = [
        f"| {each.what} | {each.moves_with} | `{each.rule}` | "
        f"{', '.join(f'`{name}`' for name in sorted(each.operations))} |"
        for each in UNSTABLE.values()
    ]
    return _table("| what | moves with | rule | seen in |", rows)


def profiles_table() -> str:
    """Every profile with its purpose."""
    rows = [
        f"| `{profile.name}` | {profile.purpose} | {profile.scale:g} | {'fresh' if profile.fresh_seed else 'fixed'} |"
        for profile in PROFILES.values()
    ]
    return _table("| profile | for | cases, the default being 1 | seed |", rows)


def summary_block() -> str:
    """The summary of the main job."""
    return _block(suite_output(), r"^=+ parity: .*?(?=^-+ snapshot)")


def failure_block() -> str:
    """The report of one faulty runner."""
    output = suite_output("-k", "test_numbers", "--runner", "tests.faulty.sums:AddsOneByOne")
    return _block(output, r"^DIVERGENCE.*?(?=^=+ parity: )")


def suite_output(*options: str) -> str:
    """What `pytest parity/` prints."""
    command = [sys.executable, "-m", "pytest", "parity/", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=README.parent).stdout


def declared_block() -> str:
    """The shortest entry of a file of declared divergences."""
    path = Path("parity/runners/bridges/divergences/inspect-harbor-1.0.0.toml")
    _, *entries = (README.parent / path).read_text(encoding="utf-8").split(f"{HEAD}\n")
    return f"```toml\n{HEAD}\n{min(entries, key=len).strip()}\n```\n"


def _block(output: str, pattern: str) -> str:
    found = re.search(pattern, output, re.DOTALL | re.MULTILINE)
    if not found:
        raise ValueError(f"the run did not print what the README shows:\n{output}")
    lines = [line.rstrip() for line in found[0].strip().splitlines()]
    return "\n".join(["```", *(line for line in lines if line), "```", ""])


TABLES: dict[str, Callable[[], str]] = {
    "errata": errata_table,
    "pitfalls": pitfalls_table,
    "codes": error_codes,
    "differences": differences_table,
    "flags": flags_table,
    "rules": rules_table,
    "unstable": unstable_table,
    "profiles": profiles_table,
}


BLOCKS: dict[str, Callable[[], str]] = {
    "summary": summary_block,
    "failure": failure_block,
    "report": report_demonstration,
    "pipe": pipe_demonstration,
    "declared": declared_block,
    "demonstration": demonstration,
    "run": run_demonstration,
    "environment": environment_demonstration,
    "rollouts": rollouts_table,
}


def place_of(name: str, text: str) -> str:
    """What stands in the README's place of this name.

    Raises:
        ValueError: there is no such place.
    """
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", text, re.DOTALL)
    if not found:
        raise ValueError(f"README.md has no place for {name}")
    return found[1]


def renewed(text: str) -> str:
    """The README's text with every generated table and block made anew."""
    for name, make in {**TABLES, **BLOCKS}.items():
        text = text.replace(
            f"<!-- {name} -->\n{place_of(name, text)}<!-- /{name} -->", f"<!-- {name} -->\n{make()}<!-- /{name} -->"
        )
    return text


def _table(head: str, rows: list[str]) -> str:
    columns = head.count("|") - 1
    return "\n".join([head, "|" + "---|" * columns, *rows]) + "\n"


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8")
