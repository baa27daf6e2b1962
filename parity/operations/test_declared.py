"""The test of the witnesses of `--divergences`: runner and reference have to give the declared answers."""

from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, NotClaimed
from parity.operations.finding import SuiteFinding
from parity.suite.checker import Checker
from parity.suite.declared import Declaration
from parity.suite.declared.declaration import answer_json, stands
from parity.suite.declared.writing import difference_line, toml_json
from parity.suite.difference_kind import DIFFERENCE_KINDS, DifferenceKind, kind_of
from parity.suite.divergence import show_answer
from parity.suite.plugin.session import Session


@pytest.mark.declared
def test_declared(declaration: Declaration, session: Session, checker: Checker) -> None:
    """Reference and runner give the declared answers to the witness, which differ.

    For a draft, the test only records whether the answers still differ.
    """
    operation = OPERATIONS[declaration.operation]

    expected = checker.ask_reference(operation, declaration.witness)
    if isinstance(expected, NotClaimed):
        session.skip_witness(declaration, expected.reason)
    actual = checker.ask_runner(operation, declaration.witness)

    if checker.draft:
        checker.draft.revise(declaration, expected, actual)
        return
    if isinstance(actual, NotClaimed):
        raise SuiteFinding(
            f"STALE DECLARATION {declaration.name}: {checker.runner.name} does not answer the witness: "
            f"{actual.reason}\n  remove the entry at {declaration.at()}, or give it another witness"
        )
    divergence = checker.compare(operation, declaration.witness, expected, actual)
    if divergence is None:
        raise SuiteFinding(
            f"STALE DECLARATION {declaration.name}: {checker.runner.name} answers the witness as "
            f"{operation.authority(operation.flags(declaration.witness))} does, "
            f"{show_answer(expected)}\n  remove the entry at {declaration.at()}, or give it another witness"
        )
    moved = [
        *_moved("reference", "the reference", declaration, expected),
        *_moved("runner", checker.runner.name, declaration, actual),
        *_moved_kind(declaration, kind_of(expected, actual, divergence.difference)),
    ]
    if moved:
        raise SuiteFinding("\n".join([f"MOVED DECLARATION {declaration.name}", *moved]))
    session.note_witness(declaration, divergence)


def _moved(key: str, who: str, declaration: Declaration, answer: Answer) -> list[str]:
    """Return what to change if an answer is no longer the declared one."""
    written: Any = getattr(declaration, key)
    operation = OPERATIONS[declaration.operation]
    if stands(operation, declaration.witness, written, answer):
        return []
    now = answer_json(operation, operation.settle(declaration.witness, answer))
    return [
        f"  {who} now answers the witness with {show_answer(answer)}",
        f"  if this is intended, change {declaration.at(key)} to:",
        f"  {key} = {toml_json(now)}",
    ]


def _moved_kind(declaration: Declaration, now: DifferenceKind) -> list[str]:
    """Return what to change if the answers no longer differ in the declared way."""
    if now == declaration.difference:
        return []
    return [
        f"  that is {DIFFERENCE_KINDS[now]}, which the entry does not allow",
        f"  if this is intended, change {declaration.at('difference')} to:",
        f"  {difference_line(now)}",
    ]
