"""What environments over Harbor's tasks do where the environment that runs their agents calls them."""

from typing import TYPE_CHECKING

from parity.harbor_env.states import State
from parity.harbor_env.tasks import HarborTasks

if TYPE_CHECKING:
    from datasets import Dataset


class HarborHooks:
    """Comes before the environment that runs the agents among the bases of a class."""

    harbor_tasks: HarborTasks

    def load_harbor_dataset(self) -> "Dataset":
        """All tasks as a Hugging Face dataset: `example_id`, `task`, `prompt` and `info`.

        Raises:
            DatasetError: one cannot be used, there is none, or they do not fit into one dataset.
        """
        return self.harbor_tasks.load()

    async def get_docker_image(self, state: State) -> str:
        """The image that task.toml names, or the environment's."""
        return self.harbor_tasks.image(state)

    async def post_sandbox_setup(self, state: State) -> None:
        """Upload instruction and task.toml; whoever adds to it calls this first."""
        await self.harbor_tasks.bring_task(state)

    async def before_agent(self, state: State) -> None:
        """Note what runs besides the agent, where the agent may have to be ended."""
        await self.harbor_tasks.note_processes(state)

    async def compute_reward(self, state: State) -> float:
        """Run the tests and score what they leave; see `HarborTasks.compute_reward`."""
        return await self.harbor_tasks.compute_reward(state)
