"""Flags of `pass_at_k`: why a case is hard."""

FLAGS = {
    "no-trials": "no trials at all",
    "several-groups": "trials of more than one evals key",
    "no-model": "a trial without a model",
    "empty-model": "a trial whose model is the empty string",
    "no-source": "a trial without a dataset",
    "empty-source": "a trial whose dataset is the empty string",
    "double-underscore": "a name holds the separator of evals keys",
    "colliding-keys": "different agents, models or datasets give the same evals key",
    "several-tasks": "a group with more than one task",
    "uneven-attempts": "tasks of one group with different numbers of attempts",
    "single-attempt": "a task with one attempt, so that no k is eligible",
    "k-of-five": "at least 5 attempts at every task, so that k is not only a power of two",
    "many-attempts": "at least 15 attempts at every task",
    "interleaved-tasks": "the attempts at a task do not follow each other",
    "null-reward": "a trial without rewards",
    "empty-rewards": "a trial whose rewards are `{}`",
    "several-keys": "more than one reward key",
    "unusual-key": "a key is not `reward`",
    "not-binary": "a reward other than 0 and 1",
    "float-binary": "a 0 or 1 that is a float",
}
