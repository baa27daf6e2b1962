from parity.vectors.vector import Vector

VECTORS: list[Vector] = []
