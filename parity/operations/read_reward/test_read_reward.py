"""Tests that `read_reward` reads the files that a test script leaves like the reference."""

import pytest
from hypothesis import given

from parity.operations.files.json_strategies import json_documents, json_neighbours, json_strings
from parity.operations.files.text_strategies import text_files
from parity.operations.read_reward import READ_REWARD, RewardDirectory, only_json, only_text
from parity.operations.read_reward.strategies import reward_directories
from parity.plugin.profiles import cases
from parity.plugin.vector_test import golden_test
from parity.suite.checker import Checker

pytestmark = pytest.mark.operation(READ_REWARD.name)


@cases(400)
@given(directory=reward_directories)
def test_which_file_counts(checker: Checker, directory: RewardDirectory) -> None:
    """The existence, kind and size of reward.json and reward.txt decide which of the two is read, if any."""
    checker.check(READ_REWARD, [directory])


@cases(1000)
@given(content=text_files)
def test_reward_txt(checker: Checker, content: bytes) -> None:
    """reward.txt is parsed by the grammar of Python's `float`."""
    checker.check(READ_REWARD, [only_text(content)])


@cases(500)
@given(content=json_documents)
def test_reward_json(checker: Checker, content: bytes) -> None:
    """reward.json is read as an object whose values are numbers, or can be converted to numbers."""
    checker.check(READ_REWARD, [only_json(content)])


@cases(350)
@given(content=json_strings)
def test_numeric_strings(checker: Checker, content: bytes) -> None:
    """A string in reward.json is parsed by pydantic's two grammars for numbers."""
    checker.check(READ_REWARD, [only_json(content)])


@cases(300)
@given(content=json_neighbours)
def test_almost_json(checker: Checker, content: bytes) -> None:
    """Text that is almost JSON, or exceeds the limits of the JSON parser, is refused as by the reference."""
    checker.check(READ_REWARD, [only_json(content)])


test_golden = golden_test(READ_REWARD)
