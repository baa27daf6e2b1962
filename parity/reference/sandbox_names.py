"""The names of sandboxes: some releases of Harbor use only the trial's name, and some add an ending."""

_ENDING = "__env"


def sandbox_name(session_id: str) -> str:
    """Return the name in 0.13.1 of a sandbox with this id in any release."""
    return session_id.removesuffix(_ENDING)
