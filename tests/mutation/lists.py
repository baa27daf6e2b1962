"""The modules that are mutated, and the mutants that answer every question as the original does."""

import tomllib
from pathlib import Path

CONFIG = Path(__file__).with_name("cosmic-ray.toml").read_text(encoding="utf-8")


def modules() -> list[str]:
    """Paths of the modules, from the root of the checkout."""
    paths: list[str] = tomllib.loads(CONFIG)["cosmic-ray"]["module-path"]
    return paths


def equivalents() -> dict[str, set[str]]:
    """By module, the changes that make an equivalent mutant, each as `before => after`."""
    listed = tomllib.loads(Path(__file__).with_name("equivalents.toml").read_text(encoding="utf-8"))
    return {module: {change for group in groups for change in group["mutants"]} for module, groups in listed.items()}
