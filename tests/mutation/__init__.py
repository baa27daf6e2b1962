"""Mutants of the clean room, made by Cosmic Ray, and what the golden vectors say of them."""
