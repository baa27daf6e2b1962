"""The table of all documented members holds for what is installed."""

from pathlib import Path

import pytest

from tests.harbor_env.members import COLUMNS, MEMBERS, TABLE, column, recorded, table
from tests.harbor_env.subjects import Subject, subjects

_SUBJECTS = subjects()


@pytest.mark.needs("local")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # what a release sets off in newer libraries
@pytest.mark.parametrize(("name", "subject"), _SUBJECTS.items(), ids=_SUBJECTS)
def test_a_class_answers_as_the_table_has_it(tmp_path: Path, name: str, subject: Subject) -> None:
    """Renew it with `python -m tests.harbor_env.members`."""
    answers = column(subject, tmp_path)

    assert dict(zip(MEMBERS, answers, strict=True)) == dict(zip(MEMBERS, recorded()[name], strict=True))


def test_the_table_is_whole() -> None:
    """Both classes, all releases, and all members."""
    columns = recorded()

    assert set(columns) == set(COLUMNS)
    assert table(columns) == TABLE.read_text(encoding="utf-8")


def test_both_classes_are_alike() -> None:
    """But for who takes a client: the plain class has no calls to a model to pass on to one."""
    columns = recorded()

    apart = [
        member
        for member, plain, other in zip(MEMBERS, columns["plain"], columns["for verifiers"], strict=True)
        if plain != other
    ]

    assert apart == [member for member in MEMBERS if member.startswith("`evaluate(")]
