"""Hypothesis strategies that reach the hard places of each operation on purpose."""

from parity.strategies.attempts import trial_lists
from parity.strategies.error_texts import error_texts
from parity.strategies.files import reward_folders
from parity.strategies.json_files import json_documents, json_neighbours, json_strings
from parity.strategies.result_files import (
    result_members,
    result_neighbours,
    result_numbers,
    result_objects,
    result_states,
)
from parity.strategies.reward_lists import key_lists, number_columns, reward_lists
from parity.strategies.text_files import text_files

__all__ = [
    "error_texts",
    "json_documents",
    "json_neighbours",
    "json_strings",
    "key_lists",
    "number_columns",
    "result_members",
    "result_neighbours",
    "result_numbers",
    "result_objects",
    "result_states",
    "reward_folders",
    "reward_lists",
    "text_files",
    "trial_lists",
]
