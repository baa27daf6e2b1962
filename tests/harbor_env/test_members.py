"""The table of all documented members is correct for the installed classes."""

from pathlib import Path

import pytest

from tests.harbor_env.members import COLUMNS, MEMBERS, TABLE, column, recorded, table
from tests.harbor_env.subjects import Subject, subjects

_SUBJECTS = subjects()


@pytest.mark.needs("local")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # what a release sets off in newer libraries
@pytest.mark.parametrize(("name", "subject"), _SUBJECTS.items(), ids=_SUBJECTS)
def test_a_class_answers_as_the_table_has_it(tmp_path: Path, name: str, subject: Subject) -> None:
    """A class answers as in the table; `python -m tests.harbor_env.members` renews it."""
    answers = column(subject, tmp_path)

    assert dict(zip(MEMBERS, answers, strict=True)) == dict(zip(MEMBERS, recorded()[name], strict=True))


def test_the_table_is_whole() -> None:
    """The table has both classes, all releases, and all members."""
    columns = recorded()

    assert set(columns) == set(COLUMNS)
    assert table(columns) == TABLE.read_text(encoding="utf-8")


def test_both_classes_are_alike() -> None:
    """Both classes give the same answers, except about `evaluate` with a client."""
    columns = recorded()

    apart = [
        member
        for member, plain, other in zip(MEMBERS, columns["plain"], columns["for verifiers"], strict=True)
        if plain != other
    ]

    assert apart == [member for member in MEMBERS if member.startswith("`evaluate(")]
