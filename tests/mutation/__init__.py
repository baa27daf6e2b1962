"""Mutants of the clean room, made by Cosmic Ray, and their answers to the golden vectors."""
