"""Harbor is imported without litellm and clients of its own, and what of them is used after all is their own."""

import json
import subprocess
import sys
from typing import Any

import pytest

_PROGRAM = """
import json, sys
from parity.reference import load_for, open_reference

open_reference()
load_for("run_trial")
from harbor import job
from harbor.agents.installed import mini_swe_agent
from harbor.cli.plugins import harbor_hub
from harbor.llms import lite_llm

factory = job.RegistryClientFactory

seen = {"imported": [name for name in ("litellm", "supabase", "fastapi") if name in sys.modules]}
early = lite_llm.LiteLLMBadRequestError
seen["called"] = lite_llm.get_supported_openai_params("gpt-4o") is not None

import litellm

error = litellm.exceptions.BadRequestError("no", "model", "provider")
seen["matches"] = [isinstance(error, early), isinstance(ValueError(), early)]
seen["is its own"] = [lite_llm.litellm is litellm, lite_llm.Message is litellm.Message]
seen["made"] = litellm.Message(content="hi").content
seen["table"] = mini_swe_agent.get_api_key_var_names_from_model_name("openai/gpt-4o")
seen["uploads"] = [harbor_hub.is_hub_auth_error(ValueError()), type(harbor_hub.Uploader).__name__]
seen["registry"] = [factory.create is job.RegistryClientFactory.create, job.RegistryClientFactory.__module__]
print(json.dumps(seen))
"""


@pytest.fixture(scope="module")
def seen() -> Any:
    """What a fresh process sees of clients after it has imported what `run_trial` needs."""
    run = subprocess.run([sys.executable, "-c", _PROGRAM], check=True, capture_output=True, text=True)
    return json.loads(run.stdout)


def test_clients_are_not_imported(seen: Any) -> None:
    """Not before anything of them is used, nor what they import."""
    assert seen["imported"] == []


def test_clients_of_the_registry_are_harbors_own(seen: Any) -> None:
    """Also by a name that was imported before."""
    assert seen["registry"] == [True, "harbor.registry.client.factory"]


def test_uploads_are_harbors_own(seen: Any) -> None:
    """What goes on with a job has the real ones once it has used any."""
    assert seen["uploads"] == [False, "type"]


def test_what_is_used_is_litellms_own(seen: Any) -> None:
    """Functions that Harbor imported answer, its modules have litellm's members, and so has whoever imports it."""
    assert seen["called"]
    assert seen["is its own"] == [True, True]
    assert seen["made"] == "hi"


def test_errors_match(seen: Any) -> None:
    """A class of errors that Harbor took before litellm was imported matches its errors, and no others."""
    assert seen["matches"] == [True, False]


def test_tables_of_models_are_made_when_they_are_asked_for(seen: Any) -> None:
    """By the module of Harbor that makes them while it is imported."""
    assert seen["table"] == ["OPENAI_API_KEY"]
