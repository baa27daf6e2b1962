"""Tests that runner and reference give the declared answers to the witnesses in the file of `--divergences`."""

from collections.abc import Iterator
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, NotClaimed
from parity.operations.finding import SuiteFinding
from parity.suite.checker import Checker
from parity.suite.declared import Declaration, StaleDeclaration
from parity.suite.declared.declaration import answer_json, matches_answer
from parity.suite.declared.writing import toml_json
from parity.suite.divergence import Divergence, show_answer
from parity.suite.plugin.session import Session


@pytest.mark.declared
def test_declared(declaration: Declaration, session: Session, checker: Checker) -> None:
    """The reference and the runner give the declared answers, which diverge by the declared rule, kind and harm.

    For a draft, the test only records the divergence.
    """
    operation = OPERATIONS[declaration.operation]

    expected = checker.ask_reference(operation, declaration.case)
    if isinstance(expected, NotClaimed):
        session.skip_witness(declaration, expected.reason)
    actual = checker.ask_runner(operation, declaration.case)
    divergence = checker.compare(operation, declaration.case, expected, actual, declaration.rule_of_witness)

    if checker.draft:
        checker.draft.revise(declaration, divergence)
        return
    if divergence is None:
        who, authority = checker.runner.name, operation.authority(declaration.case)
        why = f"answers the witness as {authority} does, {show_answer(expected)}"
        if isinstance(actual, NotClaimed):
            why = f"does not answer the witness: {actual.reason}"
        stale = f"STALE DECLARATION {declaration.name}: {who} {why}"
        raise checker.keep(
            StaleDeclaration(f"{stale}\n  remove the entry at {declaration.at()}, or give it another witness")
        )
    moved = [
        *_moved("reference", "the reference", declaration, expected),
        *_moved("runner", checker.runner.name, declaration, actual),
        *_moved_key(declaration, divergence),
    ]
    if moved:
        raise checker.keep(SuiteFinding("\n".join([f"MOVED DECLARATION {declaration.name}", *moved])))
    session.note_witness(declaration, divergence)


def _moved(key: str, who: str, declaration: Declaration, answer: Answer) -> list[str]:
    """Return the lines that report an answer that is no longer the declared one, and the change to make."""
    written: Any = getattr(declaration, key)
    operation = OPERATIONS[declaration.operation]
    if matches_answer(operation, declaration.case, written, answer):
        return []
    now = answer_json(operation, operation.with_stable_order(declaration.case, answer))
    return [
        f"  {who} now answers the witness with {show_answer(answer)}",
        f"  if this is intended, change {declaration.at(key)} to:",
        f"  {key} = {toml_json(now)}",
    ]


def _moved_key(declaration: Declaration, divergence: Divergence) -> Iterator[str]:
    """Yield the lines that report a rule, kind or harm that is no longer the declared one, and the change to make."""
    for key, now, before in zip(("rule", "difference", "harm"), divergence.classified, declaration.key, strict=True):
        if now != before:
            yield f"  the witness now diverges by another {key}; if this is intended, change {declaration.at(key)} to:"
            yield f'  {key} = "{now}"'
