"""Mutation testing: Cosmic Ray makes mutants of the clean room, which must fail golden vectors."""
