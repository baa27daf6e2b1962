"""The suite's engine, independent of pytest: it compares answers, finds broken rules, counts, and replays cases."""
