"""Golden vectors of `reason_code`, with answers that were derived by hand from the scoring description, section 1.4."""

from collections.abc import Iterator

from parity.operations.answers import Value
from parity.operations.reason_code.case import ErrorText
from parity.operations.vector import Vector, named
from parity.scorer.series import Series

_MISSING, _EMPTY, _PARSE = "harbor_reward_missing", "harbor_reward_empty", "harbor_reward_parse_error"

# By rule and code: texts that have this code.
_TEXTS: dict[str, dict[str | None, list[str | None]]] = {
    "reason-code/no-text": {None: [None, ""]},
    "reason-code/code": {
        _MISSING: ["reward missing", "reward file is missing", "harbor_reward_missing", "reward: missing"],
        _EMPTY: ["reward empty", "harbor_reward_empty", "reward file empty", "Reward file is empty at /logs/verifier/reward.txt"],
    },
    "reason-code/parse-error": {
        _PARSE: [
            "reward parse", "reward malformed", "reward parse error", "reward: malformed JSON", "harbor_reward_parse_error", "could not parse the reward", "reward parse malformed", "reward malformed parse",
            "Failed to parse rewards from text file /logs/verifier/reward.txt", "Failed to parse rewards from JSON file /logs/verifier/reward.json",
            "1 validation error for VerifierResult\nrewards.reward.float\n  Input should be a valid number, unable to parse string as a number [type=float_parsing, input_value='x', input_type=str]",
        ],
    },
    "reason-code/not-found": {
        None: ["No reward file found at /logs/verifier/reward.txt or /logs/verifier/reward.json", "RewardFileNotFoundError: No reward file found at a/reward.txt or a/reward.json", "no reward file found"],
        _MISSING: ["No reward file found at jobs/j/missing-files__x/verifier/reward.txt or jobs/j/missing-files__x/verifier/reward.json"],
        _EMPTY: ["No reward file found at jobs/j/empty-repo__x/verifier/reward.txt or jobs/j/empty-repo__x/verifier/reward.json"],
        _PARSE: ["No reward file found at jobs/j/json-parser__x/verifier/reward.txt or jobs/j/json-parser__x/verifier/reward.json"],
    },
    "reason-code/otherwise-none": {None: ["reward", "rewards", "the reward is 0.5", "reward not found", "reward absent", "no reward", "reward.txt", "invalid reward", "reward timeout", "reward corrupt", "[Errno 21] Is a directory: '/logs/verifier/reward.json'"]},
    "reason-code/needs-reward": {
        None: [
            "missing", "empty", "parse", "malformed", "file is missing", "VerifierOutputParseError", "malformed output", "missing empty parse malformed", "harbor_result_missing", "harbor_result_malformed", "score is missing",
            "Failed to add tests directory to environment.", "Failed to download verifier directory from environment", "Verifier execution timed out after 900.0 seconds", "Agent execution timed out after 900.0 seconds", "rewar missing", "eward empty", "award missing",
        ],
    },
    "reason-code/first-word": {
        _MISSING: ["reward missing empty", "reward empty missing", "reward missing parse", "reward parse missing", "reward malformed missing", "empty missing parse reward", "Reward file is empty at jobs/j/missing-files__x/verifier/reward.txt", "Failed to parse rewards from text file jobs/j/missing-files__x/verifier/reward.txt"],
        _EMPTY: ["reward empty parse", "reward parse empty", "reward malformed empty", "Failed to parse rewards from JSON file jobs/j/empty-repo__x/verifier/reward.json"],
    },
    "reason-code/substring": {
        _MISSING: ["reward " + "x" * 300 + " missing", "Traceback:\n" * 500 + "reward missing", "rewardmissing", "missingreward", "missing reward", "rewarded, dismissing", "unrewarding missingness", "emptymissingreward", "files are missing\n\n\nreward", "a/missing/b reward.txt", "reward_missing", "\u00e9reward\u00e9missing\u00e9"],
        _EMPTY: ["x" * 5000 + "reward empty", "emptyreward", "empty: reward.txt", "reward emptying", "nonempty reward", "not empty reward", "reward is not empty"],
        _PARSE: ["parser reward", "sparse reward", "reward unparsed", "malformedreward", "rewardparse", "cannot read: malformed\treward"],
        None: ["reward mis-sing", "reward mis sing", "re ward missing", "reward emp\nty", "reward par-se", "reward mal formed", "reward m.i.s.s.i.n.g", "reward emp\u00adty", "rew\u200bard missing"],
    },
    "reason-code/lower-case": {
        _MISSING: ["REWARD MISSING", "Reward Missing", "rEwArD mIsSiNg", "RewardMissing"],
        _EMPTY: ["REWARD EMPTY", "RewardFileEmptyError", "RewardFileEmptyError: Reward file is empty at reward.txt"],
        _PARSE: ["REWARD PARSE", "Reward MALFORMED", "VerifierOutputParseError: reward"],
        None: [
            "reward mi\u017f\u017fing", "reward mi\u017fsing", "reward mi\u1e9eing", "reward mi\u00dfing", "REWARD M\u0130SS\u0130NG", "reward m\u0130ssing", "reward m\u0131ssing", "reward par\u017fe", "REWARD PAR\u017fE", "r\u0435ward missing", "reward \uff4dissing",
            "\uff32\uff25\uff37\uff21\uff32\uff24 missing", "reward mi\u0307ssing", "RewardFileNotFoundError",
        ],
    },
}  # fmt: skip

# Words in quotes and brackets, beside control characters, and far from the end of a long text.
_TEXTS["reason-code/substring"][_MISSING] += ["'reward' missing", "reward `missing`", "{'reward': 'missing'}", "reward\0missing", "reward missing" + "\nTraceback" * 200, "reward missing.\nAnother error"]  # fmt: skip
_TEXTS["reason-code/substring"][_EMPTY] += ['"reward" is "empty"', "(reward) [empty]", "<reward/> empty", "reward" + " and more" * 300 + " empty" + " and more" * 300]  # fmt: skip
_TEXTS["reason-code/substring"][_PARSE] += ["\x1b[31mreward\x1b[0m malformed"]


def _vectors() -> Iterator[Vector]:
    for rule, codes in _TEXTS.items():
        for code, texts in codes.items():
            for text in texts:
                name = "null" if text is None else named(text if len(text) < 120 else f"{text[:60]}...")
                yield Vector(rule, name, ErrorText(text), dict.fromkeys(Series, Value(code)))


VECTORS: list[Vector] = list(_vectors())
