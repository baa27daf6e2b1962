"""Rules of `run_trial`: the calls of a trial to its sandboxes, and the files that it leaves on the host.

Calls are compared before results, and results before files, because the first differing call is closest to the cause.
"""

from parity.operations.rule import Rule, leaves_its_input, rules

_COMMANDS = "run-tests run-solution run-command set-up"

TIMES = "started_at finished_at updated_at created_at occurred_at"

_TEXTS = rules(
    "run_trial",
    "pydantic.BaseModel.model_dump_json",
    ("run-trial/document-layout", "", "Documents are indented by four blanks per level, with one blank after each colon and no line break at the end.", "layout", "texts/layout"),
    ("run-trial/document-spelling", "", "Numbers are spelled as in a job's result.json; in strings, only quotes, backslashes and control characters are escaped.", "layout", "texts/spelling"),
    ("run-trial/duplicate-key", "", "No object in a document has the same key twice.", "layout", "texts/duplicate-key"),
)  # fmt: skip

_WRITTEN = rules(
    "run_trial",
    "harbor.models.trial.result",
    ("run-trial/time-format", "", "Times of a trial are in UTC and end in Z, and times of errors are local, without a zone; both have six digits for the fraction of a second, or none if it is 0.", "text", TIMES),
    ("run-trial/message-presence", "", "The message and the traceback of an error are recorded, in result.json and exception.txt.", "text", "exception_message/presence exception_traceback/presence exception.txt/presence"),
    ("run-trial/message-code", "", "The message of an error has the same reason code as Harbor's message, both alone and after the error's type.", "text", "exception_message/code"),
    ("run-trial/result-config", "", "result.json repeats the content of config.json.", "", "result/config"),
)  # fmt: skip

_PREPARATION = rules(
    "run_trial",
    "harbor.trial.trial",
    ("run-trial/lax-values", "lax-value", "A value of another type is converted as pydantic converts it: a text or true to a number, a number or a word to a boolean, a whole float to an int; a user given as text stays a text.", "", "timeout user resources network at exception_info verifier_result calls step_results"),
    ("run-trial/size-with-unit", "size-with-unit", "`memory = \"2G\"` is 2048 megabytes: K, M and G are powers of 1024, in lower or upper case, and a fraction of a megabyte is cut off.", "", "resources"),
    ("run-trial/nan-timeout", "nan-timeout", "A timeout of nan ends at the first wait; the solution does not run, because its timeout has to be a whole number of seconds.", "", "at exception_info exception_type calls verifier_result"),
    ("run-trial/missing-variable", "template-missing", "If a template has no default and its variable is not set, this is an error: for the sandbox or the agent before anything starts, otherwise where the value is needed."),
    ("run-trial/start-timeout", "start-timeout", "A sandbox that does not start in time raises EnvironmentStartTimeoutError.", "", "at exception_info exception_type calls"),
    ("run-trial/agent-setup-timeout", "agent-setup-timeout", "The agent's set-up may take 360 seconds, multiplied; a timeout of zero raises AgentSetupTimeoutError.", "", "exception_info agent_setup calls"),
    ("run-trial/sandbox", "", "A sandbox is started with the task's image, folder, resources and network.", "", "start/image start/folder start/resources start/network"),
    ("run-trial/image-files", "prebuilt-image-with-files", "If the task names an image and nothing builds one, the environment's files are uploaded to the image's working directory.", "", "upload-files ask-working-directory"),
    ("run-trial/working-directory", "workdir", "Commands run in the task's working directory, except the one that makes the log folders.", "", "cwd"),
    ("run-trial/asked-working-directory", "step-files set-up prebuilt-image-with-files", "Files are uploaded to the working directory that the sandbox prints, without blanks around it, or to the root if it prints nothing.", "", "upload-files/target set-up/command"),
)  # fmt: skip

_HEALTH = rules(
    "run_trial",
    "harbor.environments.base",
    ("run-trial/healthcheck-start-period", "healthcheck-starting", "Failures within the start period do not count; an interval of their own follows each of them.", "", "check-health at"),
    ("run-trial/healthcheck-retries", "healthcheck-again healthcheck-failed odd-retries", "A healthcheck raises an error after as many successive failures as it has retries, the first one included, and there is always one try.", "order length", "check-health"),
    ("run-trial/healthcheck-interval", "healthcheck-again", "The interval passes between two tries.", "", "at"),
    ("run-trial/healthcheck-first", "healthcheck step-healthcheck", "The healthcheck comes before the agent.", "order length", "check-health"),
    ("run-trial/healthcheck-command", "healthcheck step-healthcheck", "The command of a healthcheck has its own timeout, in whole seconds; it names no user at the beginning, and the agent's user in a step.", "", "check-health"),
)  # fmt: skip

_VARIABLES = rules(
    "run_trial",
    "harbor.utils.env",
    ("run-trial/verifier-variables", "overridden-variable", "The tests get the variables of the task's verifier; the step's override them, and those of the command line override both.", "", "run-tests/env"),
    ("run-trial/templates", "template-set template-default not-a-template", "A value that is exactly `${VAR}` or `${VAR:-default}` stands for the host's variable, even if that is empty; any other value stands for itself.", "", "env"),
    ("run-trial/task-variables", "task-variables", "Every command gets the variables of its sandbox; its own variables override them.", "", "env"),
    ("run-trial/instruction", "canary blank-lines", "Canaries and blank lines at the beginning of an instruction are removed for the agent; further down, they stay.", "", "run-command/env"),
    ("run-trial/agent-variables", "agent-variables solution-variables oracle", "The solution gets DEBIAN_FRONTEND, the agent's variables and the solution's, where later ones override earlier ones; a command gets INSTRUCTION and the agent's variables.", "", "run-solution/env run-command/env"),
)  # fmt: skip

_USERS = rules(
    "run_trial",
    "harbor.trial.trial",
    ("run-trial/step-user", "step-user", "A step's user takes precedence over the task's; a step that names no user has the task's.", "", f"{' '.join(f'{name}/user' for name in _COMMANDS.split())} ask-working-directory/user check-health/user"),
    ("run-trial/verifier-user", "verifier-user agent-user", "The tests run as the verifier's user, never as the agent's.", "", "run-tests/user"),
    ("run-trial/agent-user", "agent-user", "The agent and a step's set-up run as the agent's user.", "", "run-solution/user run-command/user set-up/user ask-working-directory/user"),
    ("run-trial/root-commands", "", "Commands that prepare a sandbox run as root: those that make and empty folders, make scripts executable, and look for and pack artifacts.", "", "make-log-folders/user empty-folder/user allow-tests/user allow-solution/user look-for-folder/user pack-artifact/user remove-archive/user"),
    ("run-trial/output-redirected", "", "All output of a script goes to a file in its log folder.", "", "run-tests/command run-solution/command run-command/command"),
)  # fmt: skip

_AGENTS = rules(
    "run_trial",
    "harbor.agents.oracle",
    ("run-trial/no-solution", "no-solution", "An oracle without a solution raises FileNotFoundError, and nothing is verified."),
    ("run-trial/step-solution", "step-solution", "A step's own solution replaces the task's; the two are not mixed.", "", "upload-solution"),
    ("run-trial/solution-by-oracle-only", "nop command", "Only the oracle gets the solution.", "order length", "upload-solution allow-solution run-solution"),
    ("run-trial/oracle-timeout", "", "The solution has the timeout of the task's agent, in whole seconds, even in a step; it has no limit if that timeout is missing or zero.", "", "run-solution/timeout"),
    ("run-trial/oracle-output", "", "The output of the solution is downloaded after it has run.", "", "download-oracle-output"),
    ("run-trial/oracle-exit-code", "solution-fails", "A solution that fails is no error; its exit code is written to exit-code.txt.", "", "exception_info agent/exit-code.txt upload-agent-logs files keys"),
)  # fmt: skip

_VERIFIERS = rules(
    "run_trial",
    "harbor.verifier.verifier",
    ("run-trial/separate-has-tests", "separate-verifier", "A verifier's own sandbox is built with the tests, so they are not uploaded.", "order length", "upload-tests"),
    ("run-trial/tests-after-agent", "", "The tests are uploaded after the agent has ended, so it never sees them.", "order length", "upload-tests"),
    ("run-trial/step-tests", "step-tests", "The task's tests are uploaded first, and a step's own tests over them.", "", "upload-tests"),
    ("run-trial/allow-before-run", "", "A script is made executable before it runs.", "order length", "allow-tests allow-solution"),
    ("run-trial/verification-disabled", "verification-disabled", "If verification is disabled, nothing is verified."),
    ("run-trial/logs-reset", "multi-step", "The agent's logs are emptied before every step; the verifier's logs and the tests are emptied before each verification in the agent's sandbox.", "", "empty-folder"),
    ("run-trial/stop-before-separate", "separate-last", "The agent's sandbox stops before the last verifier gets a sandbox of its own.", "order length", "stop start"),
    ("run-trial/separate-sandbox", "separate-verifier", "A verifier's own sandbox has a name of its own, the step's or the task's tests, and the step's or the task's environment.", "", "start sandbox cwd folder"),
    ("run-trial/artifacts-for-verifier", "separate-verifier", "A verifier's own sandbox gets the artifacts at their original places.", "", "upload-files empty-folder"),
)  # fmt: skip

_ARTIFACTS = rules(
    "run_trial",
    "harbor.trial.artifact_handler",
    ("run-trial/artifact-failure", "artifact-missing raise-in-look-for-folder raise-in-download-artifact raise-in-pack-artifact", "An artifact that cannot be downloaded is recorded and skipped; if the check for a folder cannot be run, an artifact without a suffix counts as a folder.", "", "calls exception_info artifacts/manifest.json"),
    ("run-trial/artifact-exclude", "artifact-exclude", "A folder with excluded files is packed in the sandbox, without those files.", "", "pack-artifact remove-archive download-artifact"),
    ("run-trial/artifact-convention", "artifact artifact-convention step-artifact", "/logs/artifacts comes first, unless the task names it.", "", "look-for-folder"),
    ("run-trial/artifact-destination", "artifact-destination artifact-overlap", "An artifact is stored at its destination, or at the last part of its source if it has none; an absolute destination counts as a relative one.", "", "download-artifact artifacts/manifest.json files"),
    ("run-trial/artifact-manifest", "", "manifest.json lists all artifacts, each with its status.", "", "artifacts/manifest.json"),
)  # fmt: skip

_ERRORS = rules(
    "run_trial",
    "harbor.trial.trial",
    ("run-trial/multiplier", "specific-multiplier both-multipliers", "A specific multiplier replaces the general one.", "", "timeout at exception_type exception_info verifier_result calls"),
    ("run-trial/step-agent-timeout", "step-agent-timeout", "A step's timeout for the agent takes precedence over the task's.", "", "at exception_info calls"),
    ("run-trial/step-verifier-timeout", "verifier-timeout", "A step's verifier has its own timeout, or else 600 seconds, never the task's; a timeout in a step is recorded as TimeoutError.", "", "at exception_info verifier_result exception_type calls"),
    ("run-trial/agent-timeout", "agent-timeout", "An agent that exceeds its timeout is stopped at that moment, and the error is recorded as AgentTimeoutError.", "", "at exception_type exception_info calls"),
    ("run-trial/cancellation", "cancelled cancelled-stop cancelled-recovery", "A cancelled trial saves the files that exist, stops its sandbox and writes its result.", "", "calls result"),
    ("run-trial/stop-error", "raise-in-stop", "An error while the agent's sandbox stops becomes the trial's error, unless there is one already; a verifier's own sandbox may fail to stop.", "", "exception_info"),
    ("run-trial/first-error", "two-errors", "Of several errors, the first is recorded.", "", "exception_info exception_type"),
    ("run-trial/verified-after-error", "agent-timeout command-fails raise-in-run-solution raise-in-run-command", "After an error of the agent, a trial without steps is verified only if the agent timed out or exited with an error; a step is always verified.", "", "run-tests upload-tests calls"),
    ("run-trial/logs-failure", "raise-in-download-agent-logs raise-in-upload-agent-logs", "A failed transfer of the agent's logs is no error.", "", "exception_info calls"),
    ("run-trial/recovery", "", "After an error, the agent's logs are saved, and in a trial without steps the artifacts as well, unless they already are.", "order length", "download-agent-logs look-for-folder"),
    ("run-trial/agent-logs", "", "The agent's logs are downloaded after the agent has ended, and uploaded again with the files that were added.", "", "download-agent-logs upload-agent-logs"),
    ("run-trial/stop-once", "", "The agent's sandbox is stopped once, whatever happens.", "order length", "stop"),
)  # fmt: skip

_SETTINGS = rules(
    "run_trial",
    "harbor.trial.trial",
    ("run-trial/mounted", "mounted", "If logs are mounted, host and sandbox share the folders: nothing in them is transferred or emptied, and the host gets the right to read them after the agent has ended.", "", "start prepare-logs download-agent-logs upload-agent-logs download-oracle-output download-verifier-logs empty-folder look-for-folder calls artifacts/manifest.json"),
    ("run-trial/override-timeout", "overridden-timeout", "A timeout in the settings overrides those of the task and its steps; 0 counts as not set.", "", "timeout at exception_type exception_info verifier_result calls"),
    ("run-trial/override-setup-timeout", "overridden-setup-timeout", "The settings override the timeout of the agent's set-up, even with 0.", "", "at exception_type exception_info agent_setup calls"),
    ("run-trial/longest-timeout", "longest-timeout", "The longest timeout in the settings limits every timeout before it is multiplied; 0 counts as not set.", "", "timeout at exception_type exception_info verifier_result calls"),
    ("run-trial/program-ends", "program-ends", "An exception that ends the program is not recorded as the trial's error, and the trial is not verified or recovered: its sandbox stops, and its result is written.", "", "calls exception_info exception_type exception.txt files"),
    ("run-trial/model", "model", "A model is split at its first slash into its provider and its name.", "", "agent_info model_info"),
)  # fmt: skip

_STEPS = rules(
    "run_trial",
    "harbor.trial.multi_step",
    ("run-trial/step-preparation", "step-files set-up step-healthcheck", "A step uploads its files, runs its set-up and checks its health, in this order; once one of them fails, the others and the agent do not run.", "", "upload-files set-up check-health upload-solution run-command"),
    ("run-trial/min-reward", "min-reward", "A step with less than its minimum reward ends the trial.", "length keys order", "calls step_results"),
    ("run-trial/step-archive", "multi-step", "When a step ends, the files of agent, verifier and artifacts are moved to the step's folder.", "keys", "files"),
    ("run-trial/rewards", "reward-text reward-json", "The rewards are those of the reward file; a task with steps gets their mean, or those of the last step.", "", "rewards verifier_result"),
)  # fmt: skip

_RECORDS = rules(
    "run_trial",
    "harbor.models.trial.result",
    ("run-trial/task-name", "package", "A task has its own name, or else the name of its folder.", "", "task_name"),
    ("run-trial/timings", "", "The times of every phase that has begun are recorded.", "", "environment_setup agent_setup agent_execution verifier"),
    ("run-trial/config", "", "config.json records how the trial was run, without secrets.", "", "config.json"),
    ("run-trial/calls", "", "A trial makes the same calls in the same order, each with the same arguments at the same time.", "", "calls"),
    ("run-trial/files", "", "A trial's folder holds the same files.", "", "files"),
    ("run-trial/result", "", "result.json has the same content, except for ids and times."),
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
    leaves_its_input("run_trial", "harbor.trial.trial"),
]
"""All rules, special ones before general ones."""
