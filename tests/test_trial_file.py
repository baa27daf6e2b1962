"""A trial's result.json is read by two ways, without its configuration or whole; they must never disagree."""

import random
import shutil

import pytest

from parity.scorer.disk import FolderError
from parity.scorer.trial_file import TrialFile, TrialReader
from parity.scorer.trial_kinds import TrialKinds
from tests.real_jobs import JobPlan, PlannedTask, Run, run_job


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Results that the wheel wrote: plain, with steps, with an error."""
    tasks = PlannedTask("plain"), PlannedTask("steps", "data", steps=2)
    plan = JobPlan(
        tasks,
        lambda spot: Run({"reward": 1}, agent="OSError" if spot.attempt else None, steps=(Run(),) * 2),
        attempts=2,
    )
    folder = tmp_path_factory.mktemp("job")
    job = run_job(folder, plan)
    found = [path.read_text() for path in job.glob("*/result.json")]
    shutil.rmtree(folder)
    return found


def _both(text: str, known: list[str]) -> tuple[str | TrialFile, str | TrialFile]:
    """What a reader that knows other trials makes of a text, and one that reads it whole."""
    reader = TrialReader(TrialKinds())
    for other in known:
        reader.read("other", other)
    answers: list[str | TrialFile] = []
    for read in (reader.read, reader._read_whole):
        try:
            answers.append(read("trial", text))
        except FolderError as error:
            answers.append(str(error))
    return answers[0], answers[1]


def test_the_way_without_configuration_is_taken(texts: list[str]) -> None:
    """Else this module would test nothing."""
    reader = TrialReader(TrialKinds())

    assert all(reader._read_known("trial", text) for text in texts)


_PIECES = [
    '"',
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\n",
    "\\",
    " ",
    "0",
    "null",
    '"config": ',
    "\n    ",
    '\n    "config": 1,',
]


@pytest.mark.parametrize("seed", range(20))
def test_damaged_texts(texts: list[str], seed: int) -> None:
    """Something is removed, put in, doubled or moved, mostly around the configuration."""
    draw = random.Random(seed)
    for _ in range(100):
        text = draw.choice(texts)
        near = draw.choice([0, text.index('"config"'), text.index('"trial_name": ', 600), text.index('"agent_info"')])
        start = max(0, min(len(text), near + draw.randint(-40, 60)))
        end = min(len(text), start + draw.choice([0, 0, 1, 2, 30]))
        put = draw.choice([*_PIECES, "", text[start:end] * 2, text[end : end + 20] + text[start:end]])

        known, whole = _both(text[:start] + put + text[end:], texts)

        assert known == whole


def test_a_configuration_inside_another_object(texts: list[str]) -> None:
    """It is not taken for the trial's own."""
    text = texts[0]
    start = text.index('\n    "config"')
    inner = text[start : text.index(',\n    "agent_info"')]
    text = (
        text[:start] + '\n    "metadata": {' + inner + "}," + text[start:].replace('"path": "/', '"path": "/elsewhere/')
    )

    known, whole = _both(text, texts)

    assert known == whole
    assert isinstance(whole, TrialFile)
    assert whole.kind not in (0, 1)
