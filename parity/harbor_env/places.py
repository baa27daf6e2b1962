"""Paths inside the sandbox of an environment."""

TASK = "/task"
INSTRUCTION = f"{TASK}/instruction.md"
TESTS = "/tests"
ORACLE = "/oracle"
VERIFIER = "/logs/verifier"
TEST_SCRIPT = f"{TESTS}/test.sh"
TEST_OUTPUT = f"{VERIFIER}/test-stdout.txt"

TASK_ARCHIVE = "/tmp/parity-task.tar.gz"
TESTS_ARCHIVE = "/tmp/parity-tests.tar.gz"
VERIFIER_ARCHIVE = "/tmp/parity-verifier.tar.gz"
