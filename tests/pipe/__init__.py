"""Tests for both ends of the pipe: the kit, and a program that answers its questions."""
