"""The engine of the suite, without pytest: compares answers, finds the broken rule, counts, declares and replays."""
