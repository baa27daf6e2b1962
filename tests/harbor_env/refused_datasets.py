"""Datasets with tasks that cannot run under the scoring of Harbor."""

from parity.harbor_env import Mistake
from tests.harbor_env.wrong_datasets import WrongDataset, builds, says, without_tests

REFUSED = {
    "no test script": WrongDataset(
        without_tests, Mistake.REFUSED, "{data}/task: tests/test.sh is missing; add it", scoring="harbor"
    ),
    "healthcheck": WrongDataset(
        says("environment.healthcheck.command = 'true'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: environment.healthcheck: an environment does not wait for it;"
        " run the task with parity run or harbor",
        scoring="harbor",
    ),
    "variable that the host does not have": WrongDataset(
        says("verifier.env.TOLD = '${PARITY_NEVER_SET}'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: a variable of the task needs PARITY_NEVER_SET, which is not set here; set it",
        scoring="harbor",
    ),
    "several steps": WrongDataset(
        says("[[steps]]\nname = 'one'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: steps: an environment does not run steps; run the task with parity run or harbor",
        scoring="harbor",
    ),
    "verifier in a sandbox of its own": WrongDataset(
        says("verifier.environment_mode = 'separate'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: verifier.environment_mode is separate, which an environment does not do;"
        " run the task with parity run or harbor",
        scoring="harbor",
    ),
    "user of the agent": WrongDataset(
        says("agent.user = 'nobody'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: agent.user: an environment runs all as the image's own user;"
        " run the task with parity run or harbor",
        scoring="harbor",
    ),
    "several containers": WrongDataset(
        builds("docker-compose.yaml", "services: {}\n"),
        Mistake.REFUSED,
        "{data}/task: environment/docker-compose.yaml: an environment runs one container; run the task with harbor",
        scoring="harbor",
    ),
    "user of the verifier": WrongDataset(
        says("verifier.user = 'nobody'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: verifier.user: an environment runs all as the image's own user;"
        " run the task with parity run or harbor",
        scoring="harbor",
    ),
    "MCP servers": WrongDataset(
        says("[[environment.mcp_servers]]\nname = 'x'\nurl = 'u'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: environment.mcp_servers asks for MCP servers, which this driver does not offer;"
        " run the task with harbor",
        scoring="harbor",
    ),
    "time that Harbor refuses": WrongDataset(
        says("verifier.timeout_sec = 'soon'\n"),
        Mistake.REFUSED,
        "{data}/task: task.toml: verifier.timeout_sec is a string; write a number",
        scoring="harbor",
    ),
    "variable that Harbor refuses": WrongDataset(
        says('[verifier.env]\n"A\\nB" = 1\n'),
        Mistake.REFUSED,
        "{data}/task: task.toml: verifier.env.A\\nB is an integer; write a string",
        scoring="harbor",
    ),
}
