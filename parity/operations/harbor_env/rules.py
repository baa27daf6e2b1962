"""Rules of `harbor_env`: what HarborEnv's documentation and its releases do, and what Harbor's scoring makes of it."""

from dataclasses import replace

from parity.operations.rule import Rule, leaves_its_input, rules

_HARBOR = rules(
    "harbor_env",
    "harbor.trial.single_step",
    ("harbor-env/refused", "harbor", "A dataset with a task that a trial of Harbor does not take is refused; a task without the folder `environment` is taken.", "", "refused"),
    ("harbor-env/test-command", "harbor", "The test script is run by itself, with all that it prints in /logs/verifier/test-stdout.txt.", "", "command"),
    ("harbor-env/test-folder", "harbor", "The tests run in the working directory of the task.", "", "cwd"),
    ("harbor-env/test-variables", "harbor", "The tests have the variables of `environment.env`, and over them those of `verifier.env`.", "", "env"),
    ("harbor-env/test-timeout", "tests-take-long", "The tests may take `verifier.timeout_sec`; after that there are no rewards, but a VerifierTimeoutError.", "", "rewards error"),
    ("harbor-env/ambiguous", "no-reward-key", "Several keys without `reward` are no one number: 0.0 and an AmbiguousRewardError; all are in `rewards`.", "", "reward error"),
    ("harbor-env/huge-int", "huge-int", "An int beyond the range of a double, under whichever key, has no mean: 0.0 and an OverflowError; it is in `rewards`.", "", "reward error"),
    ("harbor-env/call-fails", "call-fails", "A call that fails is named as Harbor names it: AddTestsDirError, DownloadVerifierDirError, or by itself.", "", "error"),
    ("harbor-env/no-rewards", "null-document empty-object", "No rewards without an error are worth 0.0.", "", "reward error"),
    ("harbor-env/message-code", "harbor", "The message of a fault gets the same reason code.", "", "message"),
    ("harbor-env/error", "harbor", "A fault of the verifier is recorded by Harbor's name, and is worth 0.0.", "", "error"),
    ("harbor-env/rewards", "harbor", "`rewards` has all keys as Harbor reads them; reward.json counts before reward.txt.", "", "rewards"),
    ("harbor-env/one-key", "one-other-key", "One key counts whatever its name.", "", "reward"),
    ("harbor-env/several-keys", "several-keys", "Of several keys `reward` counts.", "", "reward"),
    ("harbor-env/negative-zero", "negative-zero", "-0.0 is worth 0.0: the mean starts from the int 0.", "", "reward"),
    ("harbor-env/reward", "harbor", "The reward is a float: Harbor's mean over the trial alone.", "", "reward"),
    ("harbor-env/average", "harbor", "The average is Harbor's mean over all rollouts; those without rewards count as 0.", "", "average"),
)  # fmt: skip

_DATASET = rules(
    "harbor_env",
    "HarborEnv of verifiers",
    ("documented-env/filter", "filter", "`tasks` chooses by name; a name that no folder has is left out.", "", "rows refused"),
    ("documented-env/incomplete-folder", "incomplete-folder", "A folder without task.toml or instruction.md is left out, or refused if `tasks` names it.", "", "rows refused"),
    ("documented-env/refused", "documented", "A dataset is refused that has no task, or one whose task.toml is no TOML, whose environment is no table, or whose files are not UTF-8.", "", "refused"),
    ("documented-env/instruction", "documented", "The prompt is one message of the user: the instruction without white space around it, lines ended alike.", "", "prompt"),
    ("documented-env/config", "documented", "`info.config` is task.toml as it was parsed.", "", "config"),
    ("documented-env/image", "image no-image empty-image", "A task's image comes before the environment's; an empty one is none.", "", "image docker_image"),
    ("documented-env/order", "unsorted-names", "Tasks come in order of name, by code points, and are numbered from 0.", "", "rows"),
    ("documented-env/rows", "documented", "A row names the task and its folder.", "", "rows"),
)  # fmt: skip

_SANDBOX = rules(
    "harbor_env",
    "HarborEnv of verifiers",
    ("documented-env/given-variables", "given-documented-variables", "Given variables come before HARBOR_… and AGENT_WORKDIR, but OPENAI_BASE_URL and OPENAI_MODEL are the rollout's.", "", "env"),
    ("documented-env/model", "model no-model", "OPENAI_MODEL is there only with a model.", "", "OPENAI_MODEL"),
    ("documented-env/workdir", "no-workdir", "An environment without a folder for its agent makes none, and sets no AGENT_WORKDIR.", "", "AGENT_WORKDIR prepare"),
    ("documented-env/variables", "documented", "The agent finds HARBOR_TASK_NAME, HARBOR_TASK_DIR, HARBOR_INSTRUCTION_PATH, AGENT_WORKDIR and OPENAI_BASE_URL.", "", "env"),
    ("documented-env/before-the-agent", "documented", "Before the agent, /task has instruction.md and task.toml and nothing else; /logs/verifier is made.", "", "prepare"),
    ("documented-env/after-the-agent", "documented", "After the agent, `tests` comes to /tests and `solution` to /oracle.", "", "bring-tests"),
    ("documented-env/test-run", "documented", "The tests are `bash test.sh` in /tests.", "", "run-tests"),
)  # fmt: skip

_REWARDS = rules(
    "harbor_env",
    "HarborEnv of verifiers",
    ("documented-env/timeout", "tests-take-long", "The tests may take 300 seconds; after that the reward is 0.0, and an error.", "", "reward failed"),
    ("documented-env/call-fails", "call-fails", "A call that fails is worth 0.0, and an error.", "", "reward failed"),
    ("documented-env/exit-code", "failing-script", "The exit code of the tests counts for nothing.", "", "reward failed"),
    ("documented-env/no-error", "documented", "No file, and a file that cannot be read, are no error.", "", "failed"),
    ("documented-env/empty-text", "empty-file both-files", "reward.txt counts before reward.json, unless it has no bytes.", "", "reward"),
    ("documented-env/json-in-text", "json-in-text number-in-json", "Either file may hold a number or JSON.", "", "reward"),
    ("documented-env/number", "number-spelling", "A file is a number as Python's `float` reads one: `.5`, `5.`, `+1` and `1e-3`, single underscores and digits of any script, with any white space around it.", "", "reward"),
    ("documented-env/reward-key", "no-reward-key several-keys empty-object", "In JSON `reward` counts, and is 0.0 where it is missing.", "", "reward"),
    ("documented-env/value", "bool-value text-value int-value", "Whatever reads as a float is one: true, and a string of digits.", "", "reward"),
    ("documented-env/zero", "malformed unforeseen-document no-reward-file folder-as-file", "What is no number is worth 0.0.", "", "reward"),
    ("documented-env/unbounded", "non-finite", "A number is not bounded: it may be nan or infinite.", "", "reward"),
    ("documented-env/reward", "documented", "The reward is a float.", "", "reward"),
    ("documented-env/average", "documented", "The average is that of all rewards.", "", "average"),
    ("documented-env/never-raises", "", "Whatever the tests leave, the reward is a number: reading it raises nothing."),
)  # fmt: skip

_SOURCES = {
    "refused": "harbor.models.task.task",
    "test-command": "harbor.verifier.verifier",
    "test-folder": "harbor.environments.base",
    "test-variables": "harbor.verifier.verifier",
    "error": "harbor.verifier.verifier",
    "rewards": "harbor.verifier.verifier",
    "huge-int": "harbor.metrics.mean",
    "negative-zero": "harbor.metrics.mean",
    "reward": "harbor.metrics.mean",
    "average": "harbor.metrics.mean",
    "one-key": "harbor.metrics.base",
    "no-rewards": "harbor.metrics.base",
    "ambiguous": "this kit",
    "several-keys": "this kit",
}
"""Who decides a rule of Harbor's scoring, where that is not the trial. Harbor itself has no one number for many."""


def _sourced(rule: Rule) -> Rule:
    return replace(rule, source=_SOURCES.get(rule.slug.partition("/")[2], rule.source))


RULES: list[Rule] = [
    *map(_sourced, _HARBOR),
    *_DATASET,
    *_SANDBOX,
    *_REWARDS,
    leaves_its_input("harbor_env", "harbor.trial.trial"),
]
