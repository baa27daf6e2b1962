"""Datasets with values of a wrong type in task.toml, or of types that differ between tasks."""

from parity.harbor_env import Mistake
from tests.harbor_env.wrong_datasets import HUGE, WrongDataset, say, says

MISTYPED = {
    "environment that is no table": WrongDataset(
        says("environment = 'debian'\n"),
        Mistake.TYPE,
        "{data}/task: task.toml: environment is of type str; write a table",
    ),
    "image that is no string": WrongDataset(
        says("environment.docker_image = 3.11\n"),
        Mistake.TYPE,
        "{data}/task: task.toml: environment.docker_image is of type float; write a string",
    ),
    "number of 70 bits": WrongDataset(
        says(f"metadata.seed = {HUGE}\n"),
        Mistake.TYPE,
        "{data}/task: task.toml: metadata.seed is beyond 64 bits; write a smaller number",
    ),
    "number of 70 bits under a name of two lines": WrongDataset(
        says(f'["a\\nb".c]\nd = [1, {HUGE}]\n'),
        Mistake.TYPE,
        "{data}/task: task.toml: a\\nb.c.d.[] is beyond 64 bits; write a smaller number",
    ),
    "types that differ between tasks": WrongDataset(
        say("metadata.level = 1\n", "metadata.level = 'hard'\n"),
        Mistake.MIXED_TYPES,
        "{data}/task-1: task.toml: metadata.level is a string"
        ", and a number in the task task-0; write them alike: a column of a dataset has one type",
    ),
    "table and value": WrongDataset(
        say("[metadata.level]\nvalue = 1\n", "metadata.level = true\n"),
        Mistake.MIXED_TYPES,
        "{data}/task-1: task.toml: metadata.level is a boolean"
        ", and a table in the task task-0; write them alike: a column of a dataset has one type",
    ),
    "types that differ in a list": WrongDataset(
        says("metadata.tags = ['a', 1]\n"),
        Mistake.MIXED_TYPES,
        "{data}/task: task.toml: metadata.tags.[] is a number"
        ", and a string in the same list; write them alike: a column of a dataset has one type",
    ),
    "large int and float": WrongDataset(
        say(f"metadata.seed = {2**53 + 1}\n", "metadata.seed = 1\n", "metadata.seed = 0.5\n"),
        Mistake.MIXED_TYPES,
        "{data}/task-2: task.toml: metadata.seed is a float"
        ", and an integer beyond 2**53 in the task task-0; write both as strings: a column of a dataset has one type",
    ),
    "float and large int in a list": WrongDataset(
        says(f"metadata.seeds = [0.5, {-(2**53) - 1}]\n"),
        Mistake.MIXED_TYPES,
        "{data}/task: task.toml: metadata.seeds.[] is an integer beyond 2**53"
        ", and a float in the same list; write both as strings: a column of a dataset has one type",
    ),
    "dates and times": WrongDataset(
        say("metadata.at = 2026-01-01\n", "metadata.at = 12:00:00\n"),
        Mistake.MIXED_TYPES,
        "{data}/task-1: task.toml: metadata.at is a time"
        ", and a date in the task task-0; write them alike: a column of a dataset has one type",
    ),
}
