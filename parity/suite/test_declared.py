"""The witnesses of `--divergences`: both answers to each must stand as they are declared."""

from typing import Any

import pytest

from parity.answers import Answer, NotClaimed
from parity.checking import Checker
from parity.declared import Declaration
from parity.declared.declaration import stands, told_answer
from parity.declared.drafting import toml_json
from parity.divergence import Finding, show_answer
from parity.operations import OPERATIONS
from parity.session import Session


@pytest.mark.declared
def test_declared(declaration: Declaration, session: Session, checker: Checker) -> None:
    """Reference and runner answer the witness of a declaration as it says, and so not alike.

    A draft only takes down whether they still differ.
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
        raise Finding(
            f"STALE DECLARATION {declaration.name}: {checker.runner.name} does not answer the witness: "
            f"{actual.reason}\n  remove the entry at {declaration.at()}, or give it another witness"
        )
    moved = [
        *_moved("reference", "the reference", declaration, expected),
        *_moved("runner", checker.runner.name, declaration, actual),
    ]
    divergence = checker.compare(operation, declaration.witness, expected, actual)
    if divergence is None:
        raise Finding(
            f"STALE DECLARATION {declaration.name}: {checker.runner.name} answers the witness as "
            f"{operation.authority(operation.flags(declaration.witness))} does, "
            f"{show_answer(expected)}\n  remove the entry at {declaration.at()}, or give it another witness"
        )
    if moved:
        raise Finding("\n".join([f"MOVED DECLARATION {declaration.name}", *moved]))
    session.note_witness(declaration, divergence)


def _moved(key: str, who: str, declaration: Declaration, answer: Answer) -> list[str]:
    """What to change, if an answer is no longer the declared one."""
    told: Any = getattr(declaration, key)
    operation = OPERATIONS[declaration.operation]
    if stands(operation, declaration.witness, told, answer):
        return []
    now = told_answer(operation.settle(declaration.witness, answer))
    return [
        f"  {who} now answers the witness with {show_answer(answer)}",
        f"  if that is meant to be, change {declaration.at(key)} to:",
        f"  {key} = {toml_json(now)}",
    ]
