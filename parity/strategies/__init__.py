"""Hypothesis strategies that reach the hard places of each operation on purpose."""

from parity.strategies.attempts import trial_lists
from parity.strategies.earlier_jobs import damaged_plays, resumed_plays
from parity.strategies.env_plays import documented_plays, documented_rewards, harbor_plays, known_env_plays
from parity.strategies.error_texts import error_texts
from parity.strategies.eventful import mishaps
from parity.strategies.files import reward_folders
from parity.strategies.job_plans import job_plans
from parity.strategies.job_plays import decided_plays, ended_plays, job_plays, retried_plays
from parity.strategies.jobs import begun_jobs, finished_jobs, large_jobs, live_trials, resumed_jobs, trial_names
from parity.strategies.json_files import json_documents, json_neighbours, json_strings
from parity.strategies.plays import eventful_plays, trial_plays
from parity.strategies.result_files import (
    result_members,
    result_neighbours,
    result_numbers,
    result_objects,
    result_states,
)
from parity.strategies.reward_lists import key_lists, number_columns, reward_lists
from parity.strategies.seldom import seldom_jobs, seldom_trials
from parity.strategies.settings_plays import many_trials, settings_jobs, settings_trials
from parity.strategies.sizes import large_reward_lists, large_trial_lists, long_trials
from parity.strategies.steps import multi_step_trials
from parity.strategies.text_files import text_files

__all__ = [
    "begun_jobs",
    "damaged_plays",
    "decided_plays",
    "documented_plays",
    "documented_rewards",
    "ended_plays",
    "error_texts",
    "eventful_plays",
    "finished_jobs",
    "harbor_plays",
    "job_plans",
    "job_plays",
    "json_documents",
    "json_neighbours",
    "json_strings",
    "key_lists",
    "known_env_plays",
    "large_jobs",
    "large_reward_lists",
    "large_trial_lists",
    "live_trials",
    "long_trials",
    "many_trials",
    "mishaps",
    "multi_step_trials",
    "number_columns",
    "result_members",
    "result_neighbours",
    "result_numbers",
    "result_objects",
    "result_states",
    "resumed_jobs",
    "resumed_plays",
    "retried_plays",
    "reward_folders",
    "reward_lists",
    "seldom_jobs",
    "seldom_trials",
    "settings_jobs",
    "settings_trials",
    "text_files",
    "trial_lists",
    "trial_names",
    "trial_plays",
]
