"""Attacks by rewards and logs that mislead their reader."""

from tests.run.attacks.attack import ANY_FAULT, Attack

VERDICT = (
    Attack(
        "codes-in-keys",
        "Gives rewards names that clear the terminal and break the table.",
        tests=r"""
        cd /logs/verifier
        echo '{"\u001b]0;owned\u0007\u001b[2J": 1, "a\nb\r": 0.5, "\u202e\u2028\u009b2J": 0.25}' >reward.json
        """,
        gives="any",
    ),
    Attack(
        "codes-in-error",
        "Lets the error's message clear the terminal.",
        tests=r"""printf '\e]0;owned\a\e[2J\r\n' >/logs/verifier/reward.txt""",
        gives="error",
    ),
    Attack(
        "half-a-character",
        "Gives a reward a name that UTF-8 cannot write.",
        tests=r"""echo '{"\ud800": 0.5}' >/logs/verifier/reward.json""",
        gives="any",
    ),
    Attack(
        "no-utf-8",
        "Leaves a reward that is not text.",
        tests="head -c 100000 /dev/urandom >/logs/verifier/reward.json",
        gives="error",
    ),
    Attack(
        "endless-number",
        "Leaves a whole number with a hundred thousand digits.",
        tests="(printf '{\"reward\": '; printf '9%.0s' {1..100000}; echo '}') >/logs/verifier/reward.json",
        gives="error",
    ),
    Attack(
        "deep-reward",
        "Leaves a million brackets.",
        tests="head -c 1000000 /dev/zero | tr '\\0' '[' >/logs/verifier/reward.json",
        gives="error",
    ),
    Attack(
        "poisoned-logs",
        "Leaves files named like the job's own, in the hope that they are taken for them.",
        """
        for place in agent artifacts verifier; do
            cd /logs/$place
            echo '{"verifier_result": {"rewards": {"reward": 1}}}' >result.json; cp result.json config.json
            cp result.json manifest.json; cp result.json lock.json; echo 1 >reward.txt
        done
        """,
    ),
    Attack(
        "links-for-the-verifier",
        "Lets links among the artifacts lead to the tests of a verifier with a sandbox of its own.",
        r"""
        cd /logs/artifacts; rm -rf *; ln -s ../../tests t; ln -s ../verifier v; ln -s /tests abs; mkdir tests
        mkdir -p 'a' && ln -s ../../../tests a/tests; printf 'echo 1 > /logs/verifier/reward.txt\n' > a/x
        cd /logs; rm -rf artifacts; ln -s / artifacts
        """,
        gives=ANY_FAULT,
        apart=True,
    ),
)
