"""The names of sandboxes, which some releases of Harbor make of the trial's name alone, and some of more."""

_ENDING = "__env"


def sandbox_name(session_id: str) -> str:
    """What 0.13.1 calls the sandbox whose id a release gives."""
    return session_id.removesuffix(_ENDING)
