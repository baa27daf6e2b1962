"""The engine of the suite: compares answers, finds the broken rule, counts, declares and replays; no pytest in it."""
