"""Rules of `harbor_env`: HarborEnv's documentation and its releases, and rewards under Harbor's scoring."""

from parity.operations.rule import Rule, rules

_DOCUMENTED = "HarborEnv of verifiers"
_KIT = "this kit"  # Harbor does not reduce several keys to one number

_HARBOR = rules(
    "harbor_env",
    ("harbor-env/refused", "harbor.models.task.task.Task", "harbor", "A dataset MUST be refused if a trial of Harbor does not accept one of its tasks; a task without the folder `environment` MUST be accepted.", "", "refused"),
    ("harbor-env/test-command", "harbor.utils.scripts.build_execution_command", "harbor", "The test script MUST be run directly, and all its output MUST go to /logs/verifier/test-stdout.txt.", "", "command"),
    ("harbor-env/test-folder", "harbor.environments.docker.docker.DockerEnvironment.exec", "harbor", "The tests MUST run in the working directory of the task.", "", "cwd"),
    ("harbor-env/test-variables", "harbor.environments.base.BaseEnvironment._merge_env and harbor.verifier.verifier.Verifier.verify", "harbor", "The tests MUST have the variables of `environment.env`; those of `verifier.env` override them.", "", "env"),
    ("harbor-env/test-timeout", "harbor.trial.single_step.SingleStepTrial._run_verifier", "tests-take-long", "The tests MAY take `verifier.timeout_sec`; after that, there MUST be no rewards, and the error MUST be VerifierTimeoutError.", "", "rewards error"),
    ("harbor-env/ambiguous", _KIT, "no-reward-key", "Several keys without `reward` do not give one number: the reward MUST be 0.0 and the error AmbiguousRewardError; all keys are in `rewards`.", "", "reward error"),
    ("harbor-env/huge-int", "harbor.metrics.mean.Mean.compute", "huge-int", "An int beyond the range of a double, under any key, has no mean: the reward MUST be 0.0 and the error OverflowError; the int is in `rewards`.", "", "reward error"),
    ("harbor-env/call-fails", "harbor.verifier.verifier.Verifier.verify", "call-fails", "The error of a failed call MUST have the name that Harbor gives it: AddTestsDirError, DownloadVerifierDirError, or its own.", "", "error"),
    ("harbor-env/no-rewards", "harbor.metrics.base.aggregate_reward_dicts", "null-document empty-object", "Without rewards and without an error, the reward MUST be 0.0.", "", "reward error"),
    ("harbor-env/message-code", "harbor.models.trial.result.ExceptionInfo.from_exception", "harbor", "The message of an error MUST have the same reason code as Harbor's message.", "", "message"),
    ("harbor-env/error", "harbor.verifier.verifier.Verifier.verify and harbor.models.trial.result.ExceptionInfo.from_exception", "harbor", "An error of the verifier MUST be recorded by Harbor's name, and the reward MUST be 0.0.", "", "error"),
    ("harbor-env/rewards", "harbor.verifier.verifier.Verifier.verify", "harbor", "`rewards` MUST have all keys as Harbor reads them; reward.json takes precedence over reward.txt.", "", "rewards"),
    ("harbor-env/one-key", "harbor.metrics.base.aggregate_reward_dicts", "one-other-key", "A single key MUST count, whatever its name is.", "", "reward"),
    ("harbor-env/several-keys", _KIT, "several-keys", "Of several keys, `reward` MUST count.", "", "reward"),
    ("harbor-env/negative-zero", "builtins.sum and harbor.metrics.mean.Mean.compute", "negative-zero", "-0.0 MUST become 0.0, because the mean starts from the int 0.", "", "reward"),
    ("harbor-env/reward", "harbor.metrics.mean.Mean.compute", "harbor", "The reward MUST be a float: Harbor's mean over the trial alone.", "", "reward"),
    ("harbor-env/average", "harbor.metrics.mean.Mean.compute", "harbor", "The average MUST be Harbor's mean over all rollouts; those without rewards count as 0.", "", "average"),
)  # fmt: skip

_DATASET = rules(
    "harbor_env",
    ("documented-env/filter", _DOCUMENTED, "filter", "`tasks` MUST choose by name; a name that no folder has MUST be left out.", "", "rows refused"),
    ("documented-env/incomplete-folder", _DOCUMENTED, "incomplete-folder", "A folder without task.toml or instruction.md MUST be left out, or refused if `tasks` names it.", "", "rows refused"),
    ("documented-env/refused", _DOCUMENTED, "documented", "A dataset MUST be refused if it has no task, or if the task.toml of a task is not TOML, its environment is not a table, or its files are not UTF-8.", "", "refused"),
    ("documented-env/instruction", _DOCUMENTED, "documented", "The prompt MUST be one message of the user: the instruction without white space around it, and with every line end as a line feed.", "", "prompt"),
    ("documented-env/config", _DOCUMENTED, "documented", "`info.config` MUST be the parsed task.toml.", "", "config"),
    ("documented-env/image", _DOCUMENTED, "image no-image empty-image", "A task's image MUST take precedence over the environment's; an empty one MUST count as none.", "", "image docker_image"),
    ("documented-env/order", _DOCUMENTED, "unsorted-names", "Tasks MUST come in order of name, by code points, and MUST be numbered from 0.", "", "rows"),
    ("documented-env/rows", _DOCUMENTED, "documented", "A row MUST name the task and its folder.", "", "rows"),
)  # fmt: skip

_SANDBOX = rules(
    "harbor_env",
    ("documented-env/given-variables", _DOCUMENTED, "given-documented-variables", "Given variables MUST override HARBOR_… and AGENT_WORKDIR, but OPENAI_BASE_URL and OPENAI_MODEL MUST always be the rollout's.", "", "env"),
    ("documented-env/model", _DOCUMENTED, "model no-model", "OPENAI_MODEL MUST be set only if there is a model.", "", "OPENAI_MODEL"),
    ("documented-env/workdir", _DOCUMENTED, "no-workdir", "An environment without a working directory for its agent MUST NOT make such a folder, and MUST NOT set AGENT_WORKDIR.", "", "AGENT_WORKDIR prepare"),
    ("documented-env/variables", _DOCUMENTED, "documented", "The agent MUST get HARBOR_TASK_NAME, HARBOR_TASK_DIR, HARBOR_INSTRUCTION_PATH, AGENT_WORKDIR and OPENAI_BASE_URL.", "", "env"),
    ("documented-env/before-the-agent", _DOCUMENTED, "documented", "Before the agent runs, /task MUST have instruction.md and task.toml and nothing else, and /logs/verifier MUST exist.", "", "prepare"),
    ("documented-env/after-the-agent", _DOCUMENTED, "documented", "After the agent has run, `tests` MUST be uploaded to /tests and `solution` to /oracle.", "", "bring-tests"),
    ("documented-env/test-run", _DOCUMENTED, "documented", "The tests MUST run as `bash test.sh` in /tests.", "", "run-tests"),
)  # fmt: skip

_REWARDS = rules(
    "harbor_env",
    ("documented-env/timeout", _DOCUMENTED, "tests-take-long", "The tests MAY take 300 seconds; after that, the reward MUST be 0.0, with an error.", "", "reward failed"),
    ("documented-env/skipped", _DOCUMENTED, "set-up-fails", "If the sandbox cannot be prepared for the agent, scoring MUST be skipped: there is an error, the reward MUST be 0.0, and the tests MUST NOT be uploaded or run.", "", "calls reward failed"),
    ("documented-env/call-fails", _DOCUMENTED, "call-fails", "If a call fails, the reward MUST be 0.0, with an error.", "", "reward failed"),
    ("documented-env/exit-code", _DOCUMENTED, "failing-script", "The exit code of the tests MUST NOT count.", "", "reward failed"),
    ("documented-env/no-error", _DOCUMENTED, "documented", "A missing file, or one that cannot be read as a reward, MUST NOT be an error.", "", "failed"),
    ("documented-env/empty-text", _DOCUMENTED, "empty-file both-files", "reward.txt MUST take precedence over reward.json, unless it has no bytes.", "", "reward"),
    ("documented-env/json-in-text", _DOCUMENTED, "json-in-text number-in-json", "Either file MAY hold a number or JSON.", "", "reward"),
    ("documented-env/number", _DOCUMENTED, "number-spelling", "A file MUST be a number if Python's `float` reads it: `.5`, `5.`, `+1` and `1e-3`, with single underscores, digits of any script, and any white space around it.", "", "reward"),
    ("documented-env/reward-key", _DOCUMENTED, "no-reward-key several-keys empty-object", "In JSON, the key `reward` MUST count; if it is missing, the reward MUST be 0.0.", "", "reward"),
    ("documented-env/value", _DOCUMENTED, "bool-value text-value int-value", "Any value that `float` accepts MUST be a number, such as true and a string of digits.", "", "reward"),
    ("documented-env/zero", _DOCUMENTED, "malformed unforeseen-document no-reward-file folder-as-file", "If the file gives no number, the reward MUST be 0.0.", "", "reward"),
    ("documented-env/unbounded", _DOCUMENTED, "non-finite", "A number MUST NOT be bounded: it MAY be nan or infinite.", "", "reward"),
    ("documented-env/reward", _DOCUMENTED, "documented", "The reward MUST be a float.", "", "reward"),
    ("documented-env/average", _DOCUMENTED, "documented", "The average MUST be the mean of all rewards.", "", "average"),
    ("documented-env/never-raises", _DOCUMENTED, "", "Whatever the tests leave, the reward MUST be a number: reading it MUST NOT raise."),
)  # fmt: skip

RULES: list[Rule] = [
    *_HARBOR,
    *_DATASET,
    *_SANDBOX,
    *_REWARDS,
]
