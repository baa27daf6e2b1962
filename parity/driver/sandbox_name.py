"""Names of sandboxes."""

import hashlib

_LONGEST = 63


def verifier_sandbox_name(trial: str, key: str) -> str:
    """The name of a verifier's own sandbox: safe to use anywhere, and no longer than a host's name may be."""
    full = "".join(c if c.isalnum() or c in "-._" else "_" for c in f"{trial}__verifier__{key}")
    if len(full) <= _LONGEST:
        return full
    ending = "__" + hashlib.sha1(full.encode(), usedforsecurity=False).hexdigest()[:8]
    return full[: _LONGEST - len(ending)].rstrip("-._") + ending
