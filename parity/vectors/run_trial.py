"""Golden inputs of `run_trial`: plays, rule by rule."""

from parity.vectors.vector import Vector

VECTORS: list[Vector] = []
