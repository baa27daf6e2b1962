"""Golden inputs of `run_job`: small jobs, rule by rule."""

from parity.vectors.vector import Vector

VECTORS: list[Vector] = []
