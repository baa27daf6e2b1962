"""The functions whose results are between `<!-- name -->` and `<!-- end -->`."""

from collections.abc import Callable
from functools import cache
from itertools import takewhile

from parity.judging.declared.writing import HEAD
from parity.pytest_plugin.profiles import PROFILES
from parity.reference import open_reference
from tests.error_codes import error_codes_table
from tests.harbor_env.differences import rollout_rows, rows
from tests.readme import bridges, operations
from tests.readme.console import ROOT, run_suite
from tests.readme.field import worst_cells
from tests.readme.tables import table


def codes() -> str:
    """Return a table of the reason code of each error of the wheel."""
    return table("| error | cause | message | its code | with its type |", error_codes_table(open_reference().wheel))


def differences() -> str:
    """Return a table of differences between Harbor, HarborEnv's documentation and its releases."""
    head = "| the case | Harbor | `documented` | releases that differ from it |"
    return table(head, rows(open_reference().wheel))


def rollouts(_sandboxes: str) -> str:
    """Return a table of differences that show when agents and tests really run."""
    return table('| the case | Harbor | `"harbor"` | `"documented"` | releases that differ from it |', rollout_rows())


def field() -> str:
    """Return the worst cells of the table of runners."""
    cells = [
        f"| `{first.rule}` | `{first.case}` | {first.reference} | `{first.answer}` | "
        f"{first.runner}{f' and {len(others)} more' if others else ''} |"
        for first, *others in worst_cells()
    ]
    return table("| rule | a case | Harbor | the first of these runners | the runners |", cells)


def profiles() -> str:
    """Return a list of all profiles with their purposes."""
    shown = [
        f"| `{profile.name}` | {profile.purpose} | {profile.scale:g} | {'fresh' if profile.fresh_seed else 'fixed'} |"
        for profile in PROFILES.values()
    ]
    return table("| profile | for | generated cases, relative to `default` | seed |", shown)


def declared() -> str:
    """Return the shortest entry of a file of declared divergences."""
    path = ROOT / "parity/runners/bridges/divergences/inspect-harbor-1.0.0.toml"
    _, *entries = path.read_text(encoding="utf-8").split(f"{HEAD}\n")
    return f"```toml\n{HEAD}\n{min(entries, key=len).strip()}\n```\n"


def summary(part: str = "all") -> str:
    """Return the summary of the main job; with `verdicts`, only its table."""
    lines = _main_job().splitlines()
    if part == "verdicts":
        lines = list(takewhile(lambda line: not line.startswith("vectors:"), lines))
    return "\n".join(["```", *lines, "```", ""])


@cache
def _main_job() -> str:
    return run_suite("-n 2")


GENERATED: dict[str, Callable[..., str]] = {
    "bridges": bridges.bridges,
    "codes": codes,
    "declared": declared,
    "differences": differences,
    "faulty-runner": operations.faulty_runner,
    "field": field,
    "flags": operations.flags,
    "operations": operations.operations,
    "profiles": profiles,
    "rollouts": rollouts,
    "rules": operations.rules,
    "summary": summary,
}
