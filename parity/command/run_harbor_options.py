"""Refuses the options of `harbor run` that this driver does not have, each with an alternative."""

import argparse
from collections.abc import Mapping
from typing import Any

_WITH_HARBOR = "run the job with harbor"
_LEAVE_OUT = "leave it out"
_LIMITS = "write cpus, memory_mb and storage_mb into task.toml"
ANOTHER_AGENT = "choose oracle, nop or command with --agent, or run the job with harbor"
_HOSTS = "leave it out; sandboxes have a network or, without --allow-network, none"
_REGISTRY = "fetch the tasks with harbor download, and give their folder as PATH"
_CHOOSE = "give the folder as PATH, and choose from it with --include-task-name"
_HUB = "run without it, and then harbor upload the job's folder"
_TRACES = "run without it, and then harbor traces export the job's folder"
_KEPT = "leave it out; nothing is kept but the images, by the engine"

INSTEAD: Mapping[tuple[str, ...], str] = {
    ("-c", "--config"): "give its settings as options",
    ("--debug",): "leave it out; each trial has a trial.log",
    ("--env-file",): "set its variables in the shell, and name those for tasks with --allow-host-env",
    ("--artifact",): "write artifacts into task.toml",
    ("--verifier-import-path", "--verifier-kwarg"): _WITH_HARBOR,
    ("--enable-verification",): "leave it out; tests are run unless there is --disable-verification",
    ("--agent-import-path", "-m", "--model", "--mcp-config", "--skill", "--skills"): ANOTHER_AGENT,
    ("--allow-agent-host", "--allow-environment-host"): _HOSTS,
    ("--environment-import-path",): "use --sandbox harbor:MODULE:CLASS",
    ("--ek", "--environment-kwarg", "--mounts", "--mounts-json", "--extra-docker-compose"): _WITH_HARBOR,
    ("--force-build", "--no-force-build"): "leave it out; images are built from what has changed",
    ("--delete", "--no-delete"): _KEPT,
    ("--cpus", "--memory", "--override-cpus", "--override-memory-mb", "--override-storage-mb"): _LIMITS,
    ("--override-gpus", "--override-tpu"): _WITH_HARBOR,
    ("--extra-instruction-path",): "write it into instruction.md",
    ("-t", "--task"): f"{_CHOOSE}; a task of the registry: {_REGISTRY}",
    ("--task-git-url", "--task-git-commit"): "clone the repository, and give the task's folder as PATH",
    ("-d", "--dataset", "--registry-url", "--registry-path"): _REGISTRY,
    ("--plugin", "--pk", "--plugin-kwarg"): _WITH_HARBOR,
    ("--upload", "--public", "--private", "--share-org", "--share-user"): _HUB,
    (
        *("--export-traces", "--no-export-traces", "--export-sharegpt", "--no-export-sharegpt", "--export-episodes"),
        *("--export-push", "--no-export-push", "--export-repo", "--export-instruction-metadata"),
        *("--no-export-instruction-metadata", "--export-verifier-metadata", "--no-export-verifier-metadata"),
    ): _TRACES,
}
"""The alternative to each option, by the option's names."""


class _Refusal(argparse.Action):
    """An action that ends the program with a usage error when its option is read."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option_string: str | None = None
    ) -> None:
        parser.error(f"{option_string}: only in harbor run; {self.const}")


def refuse_options_of_harbor(parser: argparse.ArgumentParser) -> None:
    """Add the refused options to the parser; its help does not show them."""
    for names, instead in INSTEAD.items():
        parser.add_argument(
            *names, action=_Refusal, nargs="?", const=instead, dest=argparse.SUPPRESS, help=argparse.SUPPRESS
        )
