"""What `HarborEnv` in verifiers defines, each with a subclass or an argument that makes it count.

Each use makes an agent's rollout leave the file /tmp/mark in its sandbox, or change the reward.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import verifiers as vf
from verifiers.envs.experimental.harbor_env import HarborMCPHealthcheck, HarborMCPMixin

from parity.driver.sandbox import Sandbox, SandboxSpec
from parity.driver.sandboxes.bubblewrap import LocalSandboxes
from tests.harbor_env.verifiers.rollouts import NOWHERE

type State = dict[str, Any]

_SERVER = "[[environment.mcp_servers]]\nname = 'svc'\ntransport = 'sse'\nurl = 'http://localhost:8000/mcp'\n"
_MARK = "touch /tmp/mark"
_HEALTHY = HarborMCPHealthcheck(command="true", interval_sec=0.0)


@dataclass(frozen=True)
class Use:
    """A use of a member: a subclass with these methods, arguments of the constructor, an agent, and a task.toml."""

    methods: Mapping[str, Any] = field(default_factory=dict)
    arguments: Mapping[str, Any] = field(default_factory=dict)
    agent: str = "true"
    toml: str = ""

    def subclass(self, base: Any) -> Any:
        """Return a subclass with the methods. A function of the base class makes each method."""
        return type("Subclass", (base,), {name: make_method(base) for name, make_method in self.methods.items()})


def members_of_the_release() -> set[str]:
    """Return the names of all public methods, attributes and arguments that the release's own `HarborEnv` defines."""
    plain = vf.CliAgentEnv("true", dataset=_rows(), rubric=vf.Rubric(), interception_url=NOWHERE)

    class Filled(vf.HarborEnv):  # type: ignore[misc]
        def load_harbor_dataset(self) -> Any:
            return _rows()

    own = Filled("true", "tasks", interception_url=NOWHERE)
    for environment in (plain, own):
        environment.sandbox_client.teardown()
    methods = {name for kind in (vf.HarborEnv, HarborMCPMixin) for name in vars(kind) if not name.startswith("_")}
    attributes = {name for name in vars(own).keys() - vars(plain).keys() if not name.startswith("_")}
    arguments = {*inspect.signature(vf.HarborEnv).parameters} - {"kwargs"}
    return methods | attributes | arguments


def _rows() -> Any:
    from datasets import Dataset

    return Dataset.from_list([{"example_id": 0, "prompt": [{"role": "user", "content": "Do it."}], "info": {}}])


class ImageSandboxes(LocalSandboxes):
    """Provides local sandboxes that have the name of the requested image in the file /tmp/image."""

    def make(self, spec: SandboxSpec) -> Sandbox:
        sandbox = super().make(spec)
        start = sandbox.start

        async def start_named() -> None:
            await start()
            await sandbox.exec(f"echo {spec.image} > /tmp/image")

        sandbox.start = start_named  # type: ignore[method-assign]
        return sandbox


async def _execute(environment: Any, sandbox_id: str, command: str) -> None:
    await environment.sandbox_client.execute_command(sandbox_id, command, working_dir="/")


def _marks_with_state(name: str) -> Callable[[Any], Any]:
    """Return a function that makes a method of a rollout, which calls the base class and leaves the mark."""

    def make_method(base: Any) -> Any:
        async def method(self: Any, state: State) -> None:
            await getattr(base, name)(self, state)
            await _execute(self, state["sandbox_id"], _MARK)

        return method

    return make_method


def _marks_with_sandbox(name: str) -> Callable[[Any], Any]:
    """Return a function that makes a method of a sandbox, which calls the base class and leaves the mark."""

    def make_method(base: Any) -> Any:
        async def method(self: Any, sandbox_id: str, *arguments: Any) -> None:
            await getattr(base, name)(self, sandbox_id, *arguments)
            await _execute(self, sandbox_id, _MARK)

        return method

    return make_method


def _in_set_up(command_of: Callable[[Any], str]) -> Mapping[str, Any]:
    """Return a method that runs a command, made from the environment's attributes, when the sandbox is set up."""

    def make_method(base: Any) -> Any:
        async def post_sandbox_setup(self: Any, state: State) -> None:
            await base.post_sandbox_setup(self, state)
            await _execute(self, state["sandbox_id"], command_of(self))

        return post_sandbox_setup

    return {"post_sandbox_setup": make_method}


def _sets(**attributes: Any) -> Mapping[str, Any]:
    """Return a constructor that sets attributes after the base class's constructor."""

    def make_method(base: Any) -> Any:
        def construct(self: Any, *arguments: Any, **options: Any) -> None:
            base.__init__(self, *arguments, **options)
            for name, value in attributes.items():
                setattr(self, name, value)

        return construct

    return {"__init__": make_method}


def _returns(value: Any) -> Callable[[Any], Any]:
    def make_method(base: Any) -> Any:
        async def method(self: Any, *arguments: Any, **options: Any) -> Any:
            return value

        return method

    return make_method


def _adds_variable(base: Any) -> Any:
    async def build_env_vars(self: Any, state: State) -> dict[str, str]:
        return {**await base.build_env_vars(self, state), "MARK": "/tmp/mark"}

    return build_env_vars


def _renames(base: Any) -> Any:
    def load_harbor_dataset(self: Any) -> Any:
        rows = base.load_harbor_dataset(self)
        return rows.map(lambda row: {"info": {**row["info"], "task_name": "renamed"}})

    return load_harbor_dataset


def _doubles(base: Any) -> Any:
    async def post_rollout(self: Any, state: State) -> None:
        await base.post_rollout(self, state)
        state["reward"] *= 2

    return post_rollout


def _starts(base: Any) -> Any:
    async def start_mcp_servers(self: Any, sandbox_id: str, config: dict[str, Any], state: State) -> None:
        await base.start_mcp_servers(self, sandbox_id, config, state)
        await _execute(self, sandbox_id, _MARK)

    return start_mcp_servers


def _stops(base: Any) -> Any:
    return vf.cleanup(priority=1)(_marks_with_state("stop_mcp_servers")(base))


USES = {
    "run_command": Use(arguments={"run_command": _MARK}),
    "dataset_path": Use(_in_set_up(lambda self: f"[ {Path(self.dataset_path).name} = data ] && {_MARK}")),
    "tasks": Use(arguments={"tasks": ["task"]}, agent=_MARK),
    "task_names": Use(
        _in_set_up(lambda self: f"[ {'+'.join(self.task_names)} = task ] && {_MARK}"), {"tasks": ["task"]}
    ),
    "agent_workdir": Use(
        {**_sets(agent_workdir="/work"), **_in_set_up(lambda self: f"cd {self.agent_workdir} && touch here")},
        agent=f"[ -e $AGENT_WORKDIR/here ] && [ -e /work/here ] && {_MARK}",
    ),
    "docker_image": Use(arguments={"docker_image": "mine:1"}, agent=f"grep -qx mine:1 /tmp/image && {_MARK}"),
    "mcp_launch_commands": Use(
        _sets(mcp_launch_commands={"svc": f"{_MARK}; sleep 600"}, mcp_healthcheck=_HEALTHY),
        agent=f"[ $HARBOR_MCP_SVC_URL = http://127.0.0.1:8000/mcp ] || rm {_MARK.split()[1]}",
        toml=_SERVER,
    ),
    "mcp_healthcheck": Use(
        arguments={
            "mcp_launch_commands": {"svc": "sleep 600"},
            "mcp_healthcheck": HarborMCPHealthcheck(command=_MARK, interval_sec=0.0),
        },
        toml=_SERVER,
    ),
    "load_harbor_dataset": Use({"load_harbor_dataset": _renames}, agent=f"[ $HARBOR_TASK_NAME = renamed ] && {_MARK}"),
    "get_docker_image": Use({"get_docker_image": _returns("mine:1")}, agent=f"grep -qx mine:1 /tmp/image && {_MARK}"),
    "build_env_vars": Use({"build_env_vars": _adds_variable}, agent="touch ${MARK:-/tmp/other}"),
    "post_sandbox_setup": Use({"post_sandbox_setup": _marks_with_state("post_sandbox_setup")}),
    "pre_mcp_setup": Use({"pre_mcp_setup": _marks_with_state("pre_mcp_setup")}),
    "prepare_harbor_task": Use({"prepare_harbor_task": _marks_with_sandbox("prepare_harbor_task")}),
    "upload_test_assets": Use({"upload_test_assets": _marks_with_sandbox("upload_test_assets")}),
    "post_rollout": Use({"post_rollout": _doubles}),
    "harbor_reward": Use({"harbor_reward": _returns(1.0)}),
    "compute_reward": Use({"compute_reward": _returns(1.0)}),
    "mcp_launch_command": Use(
        {"mcp_launch_command": _returns(f"{_MARK}; sleep 600")}, {"mcp_healthcheck": _HEALTHY}, toml=_SERVER
    ),
    "mcp_agent_env_vars": Use(
        {"mcp_agent_env_vars": _returns({"MARK": "/tmp/mark"})}, agent="touch ${MARK:-/tmp/other}", toml=_SERVER
    ),
    "start_mcp_servers": Use({"start_mcp_servers": _starts}, toml=_SERVER),
    "stop_mcp_servers": Use({"stop_mcp_servers": _stops}, toml=_SERVER),
}
"""A use of each member, by its name."""
