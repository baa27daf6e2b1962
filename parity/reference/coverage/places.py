"""What there is to reach in a function's bytecode: lines, and both ways out of each decision.

A line is named by its number, `12`; a way out by the lines that it joins, `12->15`, or by `12->next` where it leads to
the next round of a loop; where it stays on its line, by line and column of both, `12:8->12:20`. What is no decision in
the source is left out: whether an exception matches a clause, and whether a `with` statement swallows one; so is what a
comprehension filters, and when it ends. That way the names are the same on every interpreter.
"""

import dis
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from itertools import pairwise
from pathlib import Path
from types import CodeType

from parity.reference.coverage.modules import ScoringModule

_BEGIN = {"RESUME", "RETURN_GENERATOR", "MAKE_CELL", "COPY_FREE_VARS"}
_PASSING = {
    "END_FOR",
    "POP_ITER",
    "POP_TOP",
    "NOP",
    "NOT_TAKEN",
    "JUMP_FORWARD",
    "JUMP_BACKWARD",
    "JUMP_BACKWARD_NO_INTERRUPT",
}
_ENDING = {"RETURN_CONST", "RETURN_VALUE"}


@dataclass(frozen=True)
class Ways:
    """Both ways out of one decision: on to the next instruction, or elsewhere."""

    following: int
    """The offset of the next instruction."""

    onward: str
    jumped: str


@dataclass(frozen=True)
class Places:
    """What there is to reach in a module."""

    lines: frozenset[str]
    branches: frozenset[str]
    owners: dict[str, str]
    """The qualified name of the function of each place."""


def places_of(module: ScoringModule) -> Places:
    """What there is to reach in a module of the installed wheel, which need not be imported for it."""
    path = source_path(module.name)
    whole = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    lines: set[str] = set()
    branches: set[str] = set()
    owners: dict[str, str] = {}
    for code in functions_in(whole):
        if not module.counts(code.co_qualname):
            continue
        own = {str(line) for line in lines_of(code)}
        ways = {way for each in ways_of(code).values() for way in (each.onward, each.jumped)}
        lines |= own
        branches |= ways
        owners |= dict.fromkeys(own | ways, code.co_qualname)
    return Places(frozenset(lines), frozenset(branches), owners)


def source_path(name: str) -> Path:
    """The file of a module of the installed wheel."""
    return Path(str(distribution("harbor").locate_file(f"{name.replace('.', '/')}.py")))


def functions_in(code: CodeType) -> Iterator[CodeType]:
    """The code of all functions inside a module's, a class's or a function's, however deep, but for annotations."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType) and inner.co_name != "__annotate__":
            if inner.co_flags & 2:  # CO_NEWLOCALS: a function; the body of a class has none
                yield inner
            yield from functions_in(inner)


def lines_of(code: CodeType) -> set[int]:
    """The numbers of a function's lines, without the one that begins it if there are others."""
    lines = {_line(each) for each in dis.get_instructions(code) if each.opname not in _BEGIN and _line(each)}
    return lines - {code.co_firstlineno} or lines


def ways_of(code: CodeType) -> dict[int, Ways]:
    """The ways out of every decision of a function, by the decision's offset."""
    instructions = [each for each in dis.get_instructions(code) if each.opname != "EXTENDED_ARG"]
    places = {each.offset: index for index, each in enumerate(instructions)}
    found, hidden, rounds = {}, False, 0 if code.co_name != "<genexpr>" else instructions[-1].offset
    for before, each in pairwise(instructions):
        hidden |= before.opname == "WITH_EXCEPT_START"
        if each.opname == "FOR_ITER" and before.opname != "GET_ITER":
            rounds = max(rounds, each.argval)  # a comprehension, up to there
        if not (each.opname.startswith("POP_JUMP_IF") or each.opname == "FOR_ITER"):
            continue
        index = places[each.offset] + 1
        onward, jumped = (_way(each, instructions, places, at) for at in (index, places[each.argval]))
        filters = each.offset < rounds and (each.opname == "FOR_ITER" or {onward, jumped} & {f"{_line(each)}->next"})
        if not (hidden or filters or before.opname in ("CHECK_EXC_MATCH", "CHECK_EG_MATCH")):
            found[each.offset] = Ways(instructions[index].offset, onward, jumped)
        hidden = False
    return found


def _way(start: dis.Instruction, instructions: list[dis.Instruction], places: dict[int, int], at: int) -> str:
    """The name of the way from a decision to where it really leads."""
    while _passes(instructions[at]) or (start.opname == "FOR_ITER" and _stores(instructions[at])):
        jumps = instructions[at].opname.startswith("JUMP")
        at = places[instructions[at].argval] if jumps else at + 1
    end = instructions[at]
    line = _line(start)
    if end.opname == "FOR_ITER":
        return f"{line}->next"
    if _line(end) != line:
        return f"{line}->{_line(end)}"
    return f"{line}->exit" if _is_end(instructions, at) else f"{_position(start)}->{_position(end)}"


def _passes(instruction: dis.Instruction) -> bool:
    """Whether it only leads on, or was made by the compiler and has no line."""
    return instruction.opname in _PASSING or (not _line(instruction) and instruction.opname not in _ENDING)


def _stores(instruction: dis.Instruction) -> bool:
    """Whether it only gives the target of a loop its value."""
    return instruction.opname.startswith(("STORE_FAST", "STORE_DEREF", "UNPACK_SEQUENCE"))


def _is_end(instructions: list[dis.Instruction], at: int) -> bool:
    """Whether a function ends here without a return statement that says so."""
    first = instructions[at]
    loads = first.opname == "LOAD_CONST" and instructions[at + 1].opname == "RETURN_VALUE"
    return (first.opname == "RETURN_CONST" or loads) and first.argval is None


def _line(instruction: dis.Instruction) -> int:
    return (instruction.positions and instruction.positions.lineno) or 0


def _position(instruction: dis.Instruction) -> str:
    column = instruction.positions.col_offset if instruction.positions else None
    return f"{_line(instruction)}:{(column or 0) + 1}"


def in_order(place: str) -> tuple[int, ...]:
    """A key that sorts places as they stand in their file."""
    return tuple(map(int, re.findall(r"\d+", place)))
