"""Golden inputs of `harbor_env`."""

from parity.vectors.vector import Vector

VECTORS: list[Vector] = []
