"""Tasks that attack the driver through the files that they leave, their rewards or their settings.

`@HOST@` stands for a directory on the host with a canary file, and `@MARK@` for the seconds of a `sleep`, by which its
processes are found. Attacks on the sandbox itself are in `tests/sandboxes`.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.run.tasks import reward
from tests.sandboxes.kinds import IMAGE

NONE, ERROR, ANY = "none", "error", "any"
"""Results of a trial: no reward, an error, or anything."""

_MAY_FAIL = ("0.5", NONE, ERROR)
"""Possible results of a task that breaks its own trial: it may lose its reward, but gains nothing."""


@dataclass(frozen=True)
class Attack:
    """A task whose agent, tests or settings attack the driver."""

    name: str
    solution: str = "true"
    tests: str = reward(0.5)
    gives: tuple[str, ...] = ("0.5",)
    """The results that are allowed."""

    settings: dict[str, Any] = field(default_factory=dict)
    """Additional arguments for `write_task`."""


_OWN_TEST = f"mkdir -p /app/own; printf '#!/bin/bash\\n{reward(1)}\\n' > /app/own/test.sh; chmod 555 /app/own/test.sh"

_TESTS_REPLACED = (
    Attack("planted-tests", f"{_OWN_TEST}; mkdir -p /tests; ln -s /app/own/test.sh /tests/test.sh; chmod 555 /tests"),
    Attack("tests-as-link", f"{_OWN_TEST}; rm -rf /tests; ln -s /app/own /tests", gives=("0.5", ERROR)),
    Attack("script-as-directory", "mkdir -p /tests/test.sh/test.sh", gives=("0.5", ERROR)),
    Attack("logs-elsewhere", "mv /logs /elsewhere; rm -rf /logs; ln -s @HOST@ /logs; true", gives=_MAY_FAIL),
    Attack("no-working-directory", "cd /; rm -rf /app /tmp; true", gives=_MAY_FAIL),
    Attack(
        "links-for-a-separate-verifier",
        "cd /logs/artifacts; ln -s ../../tests t; ln -s /tests abs; mkdir a; ln -s ../../../tests a/tests; "
        "cd /logs; rm -rf artifacts; ln -s / artifacts",
        gives=_MAY_FAIL,
        settings={
            "more": f'[verifier.environment]\ndocker_image = "{IMAGE}"\nnetwork_mode = "no-network"\nworkdir = "/tests"'
        },
    ),
)

_FILES_LEFT = (
    Attack(
        "odd-names",
        r"""
        for place in agent artifacts verifier; do
            cd /logs/$place
            echo x > $'line\nbreak'; echo x > $'\e]0;owned\a\e[2J'; echo x > $'\xff\xfe'; echo x > ./--help
            echo x > "$(printf 'n%.0s' {1..255})"; mkdir $'\xff directory\n'; ln -s $'\e[31m/etc/passwd' $'\e[2Jlink'
        done
        """,
    ),
    Attack(
        "special-files",
        """
        for place in agent artifacts; do
            cd /logs/$place; mkfifo pipe; cp /bin/bash shell; chmod 6777 shell; mkdir directory; chmod 7777 directory
            mkdir -p locked/in; chmod 0 locked; touch -d @253402300800 late; touch -d @-99999999999 early
        done
        mkdir /logs/artifacts/d; mkfifo /logs/artifacts/d/manifest.json
        """,
        gives=_MAY_FAIL,
    ),
    Attack(
        "documents-of-the-job",
        """
        for place in agent artifacts verifier; do
            cd /logs/$place; echo '{"verifier_result": {"rewards": {"reward": 1}}}' > result.json
            cp result.json config.json; cp result.json manifest.json; echo 1 > reward.txt
        done
        """,
    ),
    Attack("too-many-files", "cd /logs/agent; seq 15000 | xargs touch; truncate -s 9G hole", gives=_MAY_FAIL),
    Attack(
        "late-writer",
        "(setsid bash -c 'while :; do echo late | tee -a /logs/{agent,verifier}/late; sleep 0.01; done; sleep @MARK@' "
        ">/dev/null 2>&1 &)",
    ),
    Attack("deaf-and-loud", "trap '' TERM INT HUP PIPE; yes | tr -d '\\n'", settings={"agent": 3}),
    Attack("loud-tests", tests=f"{reward(0.5)}; head -c 300M /dev/zero | tr '\\0' x", gives=("0.5", ERROR)),
    Attack("own-end", "kill -SEGV $$; kill -KILL $$"),
)

_LEAVES = "cd /logs/verifier"

_REWARDS = (
    Attack("pipes-as-reward", tests=f"{_LEAVES}; mkfifo reward.txt reward.json", gives=(ERROR,)),
    Attack("directories-as-reward", tests=f"{_LEAVES}; mkdir -p reward.txt/reward.json reward.json", gives=(ERROR,)),
    Attack(
        "reward-of-the-host",
        tests=f"{_LEAVES}; ln -s @HOST@/reward.txt reward.txt; ln -s @HOST@/reward.txt reward.json",
        gives=(ERROR,),
    ),
    Attack(
        "reward-of-another-trial",
        tests=f"{_LEAVES}; ln -s ../../../reward reward.txt; ln -s ../result.json reward.json",
        gives=(ERROR,),
    ),
    Attack("reward-without-rights", tests=f"{reward(0.5)}; chmod 0 /logs/verifier/reward.txt /logs/verifier /logs"),
    Attack(
        "codes-in-keys",
        tests=r"""echo '{"\u001b[2J\u009b": 1, "\u202e": 0.5}' > /logs/verifier/reward.json""",
        gives=(ANY,),
    ),
    Attack("codes-in-error", tests=r"printf '\e]0;owned\a\e[2J\r\n' > /logs/verifier/reward.txt", gives=(ERROR,)),
    Attack("half-a-character", tests=r"""echo '{"\ud800": 0.5}' > /logs/verifier/reward.json""", gives=(ANY,)),
    Attack("no-utf-8", tests="head -c 100000 /dev/urandom > /logs/verifier/reward.json", gives=(ERROR,)),
    Attack("long-number", tests=f"{_LEAVES}; (printf 9%.0s {{1..100000}}) > reward.json", gives=(ERROR,)),
    Attack("deep-reward", tests=f"{_LEAVES}; head -c 1M /dev/zero | tr '\\0' '[' > reward.json", gives=(ERROR,)),
    Attack(
        "many-rewards",
        tests=f"""{_LEAVES}; (echo '{{'; printf '"%d": 1, ' {{1..30000}}; echo '"reward": 0.5}}') > reward.json""",
        gives=(ERROR,),
    ),
)

_SETTINGS = (
    Attack(
        "variables-of-the-loader",
        gives=_MAY_FAIL,
        settings={
            "more": '[environment.env]\nLD_DEBUG = "all"\nLD_DEBUG_OUTPUT = "@HOST@/planted"\n'
            'LD_PRELOAD = "@HOST@/a.so"'
        },
    ),
    Attack(
        "variables-of-programs",
        gives=_MAY_FAIL,
        settings={
            "more": '[environment.env]\nPATH = "@HOST@/bin:/usr/bin:/bin"\nDOCKER_HOST = "unix://@HOST@/socket"\n'
            'HOME = "@HOST@"\nPYTHONPATH = "@HOST@"\nBASH_ENV = "@HOST@/bin/tar"\n'
            'TAR_OPTIONS = "--checkpoint=1 --checkpoint-action=exec=@HOST@/bin/tar"'
        },
    ),
    Attack(
        "odd-variables",
        gives=("0.5", "1", ERROR),
        settings={
            "more": '[environment.env]\n"a b" = "1"\n"--privileged" = "1"\n"n\\n" = "1"\n'
            '"BASH_FUNC_echo%%" = "() { builtin echo 1; }"'
        },
    ),
    Attack(
        "artifacts-of-the-kernel",
        gives=_MAY_FAIL,
        settings={"top": 'artifacts = ["/proc", "/dev/zero", "/proc/kmsg", "/dev", "--help", "/proc/1/environ"]'},
    ),
    Attack(
        "artifacts-over-documents",
        gives=_MAY_FAIL,
        settings={
            "top": 'artifacts = [{source = "/etc/nsswitch.conf", destination = "manifest.json"}, '
            '{source = "/etc/nsswitch.conf", destination = "/result.json"}, '
            '{source = "/etc/nsswitch.conf", destination = "@HOST@/planted"}, '
            '{source = "/logs/artifacts", destination = "manifest.json"}]'
        },
    ),
    Attack("no-time", gives=_MAY_FAIL, settings={"agent": 0.000001, "verifier": 0.000001}),
)

ATTACKS = (*_TESTS_REPLACED, *_FILES_LEFT, *_REWARDS, *_SETTINGS)
