"""The modules that are mutated, and the equivalent mutants, which behave like the original."""

import tomllib
from pathlib import Path

CONFIG = Path(__file__).with_name("cosmic-ray.toml").read_text(encoding="utf-8")


def modules() -> list[str]:
    """Return the paths of the mutated modules, relative to the checkout."""
    paths: list[str] = tomllib.loads(CONFIG)["cosmic-ray"]["module-path"]
    return paths


def equivalents() -> dict[str, set[str]]:
    """Return the changes of equivalent mutants by module, each as `before => after`."""
    listed = tomllib.loads(Path(__file__).with_name("equivalents.toml").read_text(encoding="utf-8"))
    return {module: {change for group in groups for change in group["mutants"]} for module, groups in listed.items()}
