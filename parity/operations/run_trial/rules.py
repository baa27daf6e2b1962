"""Rules of `run_trial`: the calls of a trial to its sandboxes, and the files that it leaves on the host.

Calls are compared before results, and results before files, because the first differing call is closest to the cause.
"""

from parity.operations.rule import Rule, rules

_COMMANDS = "run-tests run-solution run-command set-up"

TIMES = "started_at finished_at updated_at created_at occurred_at"

_TEXTS = rules(
    "run_trial",
    ("run-trial/document-layout", "pydantic.BaseModel.model_dump_json", "", "Documents MUST be indented by four blanks per level, with one blank after each colon and no line break at the end.", "layout", "texts/layout"),
    ("run-trial/document-spelling", "pydantic.BaseModel.model_dump_json", "", "Numbers MUST be spelled as in a job's result.json; in strings, only quotes, backslashes and control characters MUST be escaped.", "layout", "texts/spelling"),
    ("run-trial/duplicate-key", "pydantic.BaseModel.model_dump_json", "", "An object in a document MUST NOT have the same key twice.", "layout", "texts/duplicate-key"),
)  # fmt: skip

_WRITTEN = rules(
    "run_trial",
    ("run-trial/time-format", "harbor.trial.trial.Trial._now and harbor.models.trial.result.ExceptionInfo.from_exception", "", "Times of a trial MUST be in UTC and end in Z, and times of errors MUST be local, without a zone; both have six digits for the fraction of a second, or none if it is 0.", "text", TIMES),
    ("run-trial/message-presence", "harbor.models.trial.result.ExceptionInfo.from_exception and harbor.trial.trial.Trial._record_exception", "", "The message and the traceback of an error MUST be recorded, in result.json and exception.txt.", "text", "exception_message/presence exception_traceback/presence exception.txt/presence"),
    ("run-trial/message-code", "harbor.models.trial.result.ExceptionInfo.from_exception", "", "The message of an error MUST have the same reason code as Harbor's message, both alone and after the error's type.", "text", "exception_message/code"),
    ("run-trial/result-config", "harbor.trial.trial.Trial._init_result", "", "result.json MUST repeat the content of config.json.", "", "result/config"),
)  # fmt: skip

_PREPARATION = rules(
    "run_trial",
    ("run-trial/lax-values", "harbor.models.task.config.TaskConfig.model_validate_toml", "lax-value", "A value of another type MUST be converted as pydantic converts it: a text or true to a number, a number or a word to a boolean, a whole float to an int; a user given as text stays a text.", "", "timeout user resources network at exception_info verifier_result calls step_results"),
    ("run-trial/size-with-unit", "harbor.models.task.config.EnvironmentConfig._parse_size_to_mb", "size-with-unit", "`memory = \"2G\"` MUST be 2048 megabytes: K, M and G are powers of 1024, in lower or upper case, and a fraction of a megabyte is cut off.", "", "resources"),
    ("run-trial/nan-timeout", "asyncio.wait_for and harbor.agents.oracle.OracleAgent.run", "nan-timeout", "A timeout of nan MUST end at the first wait; the solution MUST NOT run, because its timeout has to be a whole number of seconds.", "", "at exception_info exception_type calls verifier_result"),
    ("run-trial/missing-variable", "harbor.utils.env.resolve_env_vars", "template-missing", "If a template has no default and its variable is not set, this MUST be an error: for the sandbox or the agent before anything starts, otherwise where the value is needed."),
    ("run-trial/start-timeout", "harbor.trial.trial.Trial._start_agent_environment", "start-timeout", "A sandbox that does not start in time MUST raise EnvironmentStartTimeoutError.", "", "at exception_info exception_type calls"),
    ("run-trial/agent-setup-timeout", "harbor.trial.trial.Trial._compute_agent_setup_timeout_sec and harbor.trial.trial.Trial._setup_agent", "agent-setup-timeout", "The agent's set-up MAY take 360 seconds, multiplied; a timeout of zero MUST raise AgentSetupTimeoutError.", "", "exception_info agent_setup calls"),
    ("run-trial/sandbox", "harbor.trial.trial.Trial._init_agent_environment", "", "A sandbox MUST be started with the task's image, folder, resources and network.", "", "start/image start/folder start/resources start/network"),
    ("run-trial/image-files", "harbor.environments.base.BaseEnvironment._upload_environment_dir_after_start", "prebuilt-image-with-files", "If the task names an image and nothing builds one, the environment's files MUST be uploaded to the image's working directory.", "", "upload-files ask-working-directory"),
    ("run-trial/working-directory", "harbor.environments.docker.docker.DockerEnvironment.exec", "workdir", "Commands MUST run in the task's working directory, except the one that makes the log folders.", "", "cwd"),
    ("run-trial/asked-working-directory", "harbor.trial.multi_step.MultiStepTrial._upload_step_workdir and harbor.environments.base.BaseEnvironment._upload_environment_dir_after_start", "step-files set-up prebuilt-image-with-files", "Files MUST be uploaded to the working directory that the sandbox prints, without blanks around it, or to the root if it prints nothing.", "", "upload-files/target set-up/command"),
)  # fmt: skip

_HEALTH = rules(
    "run_trial",
    ("run-trial/healthcheck-start-period", "harbor.environments.base.BaseEnvironment.run_healthcheck", "healthcheck-starting", "Failures within the start period MUST NOT count; an interval of their own follows each of them.", "", "check-health at"),
    ("run-trial/healthcheck-retries", "harbor.environments.base.BaseEnvironment.run_healthcheck", "healthcheck-again healthcheck-failed odd-retries", "A healthcheck MUST raise an error after as many successive failures as it has retries, the first one included, and there is always one try.", "order length", "check-health"),
    ("run-trial/healthcheck-interval", "harbor.environments.base.BaseEnvironment.run_healthcheck", "healthcheck-again", "The interval MUST pass between two tries.", "", "at"),
    ("run-trial/healthcheck-first", "harbor.trial.trial.Trial._prepare and harbor.trial.multi_step.MultiStepTrial._prepare_step", "healthcheck step-healthcheck", "The healthcheck MUST come before the agent.", "order length", "check-health"),
    ("run-trial/healthcheck-command", "harbor.environments.base.BaseEnvironment.run_healthcheck", "healthcheck step-healthcheck", "The command of a healthcheck MUST have its own timeout, in whole seconds; it MUST name no user at the beginning, and the agent's user in a step.", "", "check-health"),
)  # fmt: skip

_VARIABLES = rules(
    "run_trial",
    ("run-trial/verifier-variables", "harbor.verifier.verifier.Verifier.verify", "overridden-variable", "The tests MUST get the variables of the task's verifier; the step's override them, and those of the command line override both.", "", "run-tests/env"),
    ("run-trial/templates", "harbor.utils.env.resolve_env_vars", "template-set template-default not-a-template", "A value that is exactly `${VAR}` or `${VAR:-default}` MUST stand for the host's variable, even if that is empty; any other value MUST stand for itself.", "", "env"),
    ("run-trial/task-variables", "harbor.environments.base.BaseEnvironment._merge_env", "task-variables", "Every command MUST get the variables of its sandbox; its own variables override them.", "", "env"),
    ("run-trial/instruction", "harbor.models.task.task.strip_canary", "canary blank-lines", "Canaries and blank lines at the beginning of an instruction MUST be removed for the agent; further down, they MUST stay.", "", "run-command/env"),
    ("run-trial/agent-variables", "harbor.agents.oracle.OracleAgent.run", "agent-variables solution-variables oracle", "The solution MUST get DEBIAN_FRONTEND, the agent's variables and the solution's, where later ones override earlier ones; a command MUST get INSTRUCTION and the agent's variables.", "", "run-solution/env run-command/env"),
)  # fmt: skip

_USERS = rules(
    "run_trial",
    ("run-trial/step-user", "harbor.trial.multi_step.MultiStepTrial._step_agent_user and harbor.trial.multi_step.MultiStepTrial._step_verifier_user", "step-user", "A step's user MUST take precedence over the task's; a step that names no user has the task's.", "", f"{' '.join(f'{name}/user' for name in _COMMANDS.split())} ask-working-directory/user check-health/user"),
    ("run-trial/verifier-user", "harbor.trial.trial.Trial._run_shared_verifier and harbor.trial.trial.Trial._run_separate_verifier", "verifier-user agent-user", "The tests MUST run as the verifier's user, never as the agent's.", "", "run-tests/user"),
    ("run-trial/agent-user", "harbor.trial.trial.Trial._run_agent_phase and harbor.trial.multi_step.MultiStepTrial._prepare_step", "agent-user", "The agent and a step's set-up MUST run as the agent's user.", "", "run-solution/user run-command/user set-up/user ask-working-directory/user"),
    ("run-trial/root-commands", "harbor.environments.base.BaseEnvironment._reset_dirs_user, harbor.verifier.verifier.Verifier.verify, harbor.agents.oracle.OracleAgent.run and harbor.trial.artifact_handler.ArtifactHandler._download_artifact", "", "Commands that prepare a sandbox MUST run as root: those that make and empty folders, make scripts executable, and look for and pack artifacts.", "", "make-log-folders/user empty-folder/user allow-tests/user allow-solution/user look-for-folder/user pack-artifact/user remove-archive/user"),
    ("run-trial/output-redirected", "harbor.utils.scripts.build_execution_command", "", "All output of a script MUST go to a file in its log folder.", "", "run-tests/command run-solution/command run-command/command"),
)  # fmt: skip

_AGENTS = rules(
    "run_trial",
    ("run-trial/no-solution", "harbor.agents.oracle.OracleAgent.run", "no-solution", "An oracle without a solution MUST raise FileNotFoundError, and the trial MUST NOT be verified."),
    ("run-trial/step-solution", "harbor.agents.oracle.OracleAgent._resolve_solution_paths", "step-solution", "A step's own solution MUST replace the task's; the two MUST NOT be mixed.", "", "upload-solution"),
    ("run-trial/solution-by-oracle-only", "harbor.agents.oracle.OracleAgent.run", "nop command", "Only the oracle MUST get the solution.", "order length", "upload-solution allow-solution run-solution"),
    ("run-trial/oracle-timeout", "harbor.agents.oracle.OracleAgent.run", "", "The solution MUST have the timeout of the task's agent, in whole seconds, even in a step; it has no limit if that timeout is missing or zero.", "", "run-solution/timeout"),
    ("run-trial/oracle-output", "harbor.agents.oracle.OracleAgent.run", "", "The output of the solution MUST be downloaded after it has run.", "", "download-oracle-output"),
    ("run-trial/oracle-exit-code", "harbor.agents.oracle.OracleAgent.run", "solution-fails", "A solution that fails MUST NOT be an error; its exit code MUST be written to exit-code.txt.", "", "exception_info agent/exit-code.txt upload-agent-logs files keys"),
)  # fmt: skip

_VERIFIERS = rules(
    "run_trial",
    ("run-trial/separate-has-tests", "harbor.trial.trial.Trial._run_separate_verifier and harbor.verifier.verifier.Verifier.verify", "separate-verifier", "A verifier's own sandbox is built with the tests, so they MUST NOT be uploaded.", "order length", "upload-tests"),
    ("run-trial/tests-after-agent", "harbor.verifier.verifier.Verifier.verify", "", "The tests MUST be uploaded after the agent has ended, so it never sees them.", "order length", "upload-tests"),
    ("run-trial/step-tests", "harbor.verifier.verifier.Verifier._resolve_tests", "step-tests", "The task's tests MUST be uploaded first, and a step's own tests over them.", "", "upload-tests"),
    ("run-trial/allow-before-run", "harbor.verifier.verifier.Verifier.verify and harbor.agents.oracle.OracleAgent.run", "", "A script MUST be made executable before it runs.", "order length", "allow-tests allow-solution"),
    ("run-trial/verification-disabled", "harbor.trial.single_step.SingleStepTrial._run_verifier and harbor.trial.multi_step.MultiStepTrial._run_step_verifier", "verification-disabled", "If verification is disabled, a trial MUST NOT be verified."),
    ("run-trial/logs-reset", "harbor.trial.multi_step.MultiStepTrial._reset_agent_logs_for_step and harbor.trial.multi_step.MultiStepTrial._reset_shared_step_verifier_dirs", "multi-step", "The agent's logs MUST be emptied before every step; the verifier's logs and the tests MUST be emptied before each verification in the agent's sandbox.", "", "empty-folder"),
    ("run-trial/stop-before-separate", "harbor.trial.single_step.SingleStepTrial._run and harbor.trial.multi_step.MultiStepTrial._run_step", "separate-last", "The agent's sandbox MUST stop before the last verifier gets a sandbox of its own.", "order length", "stop start"),
    ("run-trial/separate-sandbox", "harbor.trial.trial.Trial._separate_verifier_env", "separate-verifier", "A verifier's own sandbox MUST have a name of its own, the step's or the task's tests, and the step's or the task's environment.", "", "start sandbox cwd folder"),
    ("run-trial/artifacts-for-verifier", "harbor.trial.artifact_handler.ArtifactHandler.upload_artifacts", "separate-verifier", "A verifier's own sandbox MUST get the artifacts at their original places.", "", "upload-files empty-folder"),
)  # fmt: skip

_ARTIFACTS = rules(
    "run_trial",
    ("run-trial/artifact-failure", "harbor.trial.artifact_handler.ArtifactHandler._download_artifact", "artifact-missing raise-in-look-for-folder raise-in-download-artifact raise-in-pack-artifact", "An artifact that cannot be downloaded MUST be recorded and skipped; if the check for a folder cannot be run, an artifact without a suffix MUST count as a folder.", "", "calls exception_info artifacts/manifest.json"),
    ("run-trial/artifact-exclude", "harbor.environments.base.BaseEnvironment.download_dir_with_exclusions", "artifact-exclude", "A folder with excluded files MUST be packed in the sandbox, without those files.", "", "pack-artifact remove-archive download-artifact"),
    ("run-trial/artifact-convention", "harbor.trial.artifact_handler.ArtifactHandler._normalized_artifacts", "artifact artifact-convention step-artifact", "/logs/artifacts MUST come first, unless the task names it.", "", "look-for-folder"),
    ("run-trial/artifact-destination", "harbor.trial.artifact_handler.ArtifactHandler._host_path", "artifact-destination artifact-overlap", "An artifact MUST be stored at its destination, or at the last part of its source if it has none; an absolute destination counts as a relative one.", "", "download-artifact artifacts/manifest.json files"),
    ("run-trial/artifact-manifest", "harbor.trial.artifact_handler.ArtifactHandler.download_artifacts", "", "manifest.json MUST list all artifacts, each with its status.", "", "artifacts/manifest.json"),
)  # fmt: skip

_ERRORS = rules(
    "run_trial",
    ("run-trial/multiplier", "harbor.trial.trial.Trial._resolve_timeout_sec", "specific-multiplier both-multipliers", "A specific multiplier MUST replace the general one.", "", "timeout at exception_type exception_info verifier_result calls"),
    ("run-trial/step-agent-timeout", "harbor.trial.multi_step.MultiStepTrial._step_agent_timeout_sec", "step-agent-timeout", "A step's timeout for the agent MUST take precedence over the task's.", "", "at exception_info calls"),
    ("run-trial/step-verifier-timeout", "harbor.trial.multi_step.MultiStepTrial._step_verifier_timeout_sec and harbor.trial.multi_step.MultiStepTrial._run_step_verifier", "verifier-timeout", "A step's verifier MUST have its own timeout, or else 600 seconds, never the task's; a timeout in a step MUST be recorded as TimeoutError.", "", "at exception_info verifier_result exception_type calls"),
    ("run-trial/agent-timeout", "harbor.trial.trial.Trial._run_agent_phase", "agent-timeout", "An agent that exceeds its timeout MUST be stopped at that moment, and the error MUST be recorded as AgentTimeoutError.", "", "at exception_type exception_info calls"),
    ("run-trial/cancellation", "harbor.trial.trial.Trial.run", "cancelled cancelled-stop cancelled-recovery", "A cancelled trial MUST save the files that exist, stop its sandbox and write its result.", "", "calls result"),
    ("run-trial/stop-error", "harbor.trial.trial.Trial._stop_agent_environment and harbor.trial.trial.Trial._separate_verifier_env", "raise-in-stop", "An error while the agent's sandbox stops MUST become the trial's error, unless there is one already; a verifier's own sandbox MAY fail to stop.", "", "exception_info"),
    ("run-trial/first-error", "harbor.trial.trial.Trial._record_exception and harbor.trial.multi_step.MultiStepTrial._run_step_verifier", "two-errors", "Of several errors, the first MUST be recorded.", "", "exception_info exception_type"),
    ("run-trial/verified-after-error", "harbor.trial.single_step.SingleStepTrial._run_agent and harbor.trial.multi_step.MultiStepTrial._run_step_agent", "agent-timeout command-fails raise-in-run-solution raise-in-run-command", "After an error of the agent, a trial without steps MUST be verified only if the agent timed out or exited with an error; a step MUST always be verified.", "", "run-tests upload-tests calls"),
    ("run-trial/logs-failure", "harbor.trial.trial.Trial._download_agent_logs and harbor.trial.trial.Trial._upload_agent_logs", "raise-in-download-agent-logs raise-in-upload-agent-logs", "A failed transfer of the agent's logs MUST NOT be an error.", "", "exception_info calls"),
    ("run-trial/recovery", "harbor.trial.single_step.SingleStepTrial._recover_outputs and harbor.trial.multi_step.MultiStepTrial._recover_outputs", "", "After an error, the agent's logs MUST be saved, and in a trial without steps the artifacts as well, unless they already are.", "order length", "download-agent-logs look-for-folder"),
    ("run-trial/agent-logs", "harbor.trial.trial.Trial._sync_agent_output and harbor.trial.trial.Trial._upload_agent_logs", "", "The agent's logs MUST be downloaded after the agent has ended, and uploaded again with the files that were added.", "", "download-agent-logs upload-agent-logs"),
    ("run-trial/stop-once", "harbor.trial.trial.Trial._stop_agent_environment", "", "The agent's sandbox MUST be stopped once, whatever happens.", "order length", "stop"),
    ("run-trial/test-exit-code", "harbor.verifier.verifier.Verifier.verify", "tests-fail", "A test script that exits with another code than 0 MUST NOT be an error: the rewards that it leaves MUST count.", "", "exception_info exception_type verifier_result rewards calls"),
)  # fmt: skip

_SETTINGS = rules(
    "run_trial",
    ("run-trial/mounted", "harbor.trial.trial.Trial._download_agent_logs, harbor.trial.trial.Trial._upload_agent_logs, harbor.trial.multi_step.MultiStepTrial._reset_agent_logs_for_step and harbor.verifier.verifier.Verifier.verify", "mounted", "If logs are mounted, host and sandbox share the folders: their content MUST NOT be transferred or emptied, and the host MUST get the right to read it after the agent has ended.", "", "start prepare-logs download-agent-logs upload-agent-logs download-oracle-output download-verifier-logs empty-folder look-for-folder calls artifacts/manifest.json"),
    ("run-trial/override-timeout", "harbor.trial.trial.Trial._compute_agent_timeout_sec and harbor.trial.trial.Trial._compute_verifier_timeout_sec", "overridden-timeout", "A timeout in the settings MUST override those of the task and its steps; 0 counts as not set.", "", "timeout at exception_type exception_info verifier_result calls"),
    ("run-trial/override-setup-timeout", "harbor.trial.trial.Trial._compute_agent_setup_timeout_sec", "overridden-setup-timeout", "The settings MUST override the timeout of the agent's set-up, even with 0.", "", "at exception_type exception_info agent_setup calls"),
    ("run-trial/longest-timeout", "harbor.trial.trial.Trial._resolve_timeout_sec", "longest-timeout", "The longest timeout in the settings MUST limit every timeout before it is multiplied; 0 counts as not set.", "", "timeout at exception_type exception_info verifier_result calls"),
    ("run-trial/program-ends", "harbor.trial.trial.Trial.run", "program-ends", "An exception that ends the program MUST NOT be recorded as the trial's error, and the trial MUST NOT be verified or recovered: its sandbox stops, and its result is written.", "", "calls exception_info exception_type exception.txt files"),
    ("run-trial/model", "harbor.agents.base.BaseAgent._init_model_info", "model", "A model MUST be split at its first slash into its provider and its name.", "", "agent_info model_info"),
)  # fmt: skip

_STEPS = rules(
    "run_trial",
    ("run-trial/step-preparation", "harbor.trial.multi_step.MultiStepTrial._prepare_step and harbor.trial.multi_step.MultiStepTrial._run_step", "step-files set-up step-healthcheck", "A step MUST upload its files, run its set-up and check its health, in this order; once one of them fails, the others and the agent MUST NOT run.", "", "upload-files set-up check-health upload-solution run-command"),
    ("run-trial/min-reward", "harbor.trial.multi_step.MultiStepTrial._should_stop_after_step", "min-reward", "A step with less than its minimum reward MUST end the trial.", "length keys order", "calls step_results"),
    ("run-trial/step-archive", "harbor.trial.multi_step.MultiStepTrial._archive_step_outputs", "multi-step", "When a step ends, the files of agent, verifier and artifacts MUST be moved to the step's folder.", "keys", "files"),
    ("run-trial/rewards", "harbor.verifier.verifier.Verifier.verify and harbor.trial.multi_step.MultiStepTrial._select_multi_step_reward", "reward-text reward-json", "The rewards MUST be those of the reward file; a task with steps MUST get their mean, or those of the last step.", "", "rewards verifier_result"),
)  # fmt: skip

_RECORDS = rules(
    "run_trial",
    ("run-trial/task-name", "harbor.models.task.task.Task", "package", "A task MUST have its own name, or else the name of its folder.", "", "task_name"),
    ("run-trial/timings", "harbor.trial.trial.Trial._setup_agent_environment, harbor.trial.trial.Trial._setup_agent, harbor.trial.trial.Trial._run_agent_phase and harbor.trial.single_step.SingleStepTrial._run_verifier", "", "The times of every phase that has begun MUST be recorded.", "", "environment_setup agent_setup agent_execution verifier"),
    ("run-trial/config", "harbor.trial.trial.Trial._init_result and harbor.utils.env.templatize_sensitive_env", "", "config.json MUST record how the trial was run, without secrets.", "", "config.json"),
    ("run-trial/calls", "harbor.trial.trial.Trial.run", "", "A trial MUST make the same calls in the same order, each with the same arguments at the same time.", "", "calls"),
    ("run-trial/files", "harbor.models.trial.paths.TrialPaths", "", "A trial's folder MUST hold the same files.", "", "files"),
    ("run-trial/result", "harbor.trial.trial.Trial._finalize", "", "result.json MUST have the same content, except for ids and times."),
)  # fmt: skip

RULES: list[Rule] = [
    *_TEXTS,
    *_WRITTEN,
    *_SETTINGS,
    *_PREPARATION,
    *_HEALTH,
    *_VARIABLES,
    *_USERS,
    *_AGENTS,
    *_VERIFIERS,
    *_ARTIFACTS,
    *_ERRORS,
    *_STEPS,
    *_RECORDS,
]
"""All rules, special ones before general ones."""
