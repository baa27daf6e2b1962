"""Attacks by the settings in a task.toml."""

from tests.run.attacks.attack import ANY_FAULT, Attack

SETTINGS = (
    Attack(
        "loader-variables",
        "Lets variables of the task reach the loader of the driver's own programs.",
        settings='[environment.env]\nLD_DEBUG = "all"\nLD_DEBUG_OUTPUT = "@HOST@/planted"\nGCONV_PATH = "@HOST@"\n'
        'LD_PRELOAD = "@HOST@/evil.so"\nLD_LIBRARY_PATH = "@HOST@"\n',
        gives=ANY_FAULT,
    ),
    Attack(
        "path-variable",
        "Lets variables of the task choose which programs the driver starts, and what they read.",
        settings='[environment.env]\nPATH = "@HOST@/bin:/usr/bin:/bin"\nDOCKER_HOST = "unix://@HOST@/socket"\n'
        'DOCKER_CONFIG = "@HOST@"\nHOME = "@HOST@"\nPYTHONPATH = "@HOST@"\nPYTHONHOME = "@HOST@"\n'
        'BASH_ENV = "@HOST@/bin/tar"\nTAR_OPTIONS = "--checkpoint=1 --checkpoint-action=exec=@HOST@/bin/tar"\n',
        gives=ANY_FAULT,
    ),
    Attack(
        "odd-variables",
        "Names variables as no shell would.",
        settings='[environment.env]\n"a b" = "1"\n"BASH_FUNC_echo%%" = "() { builtin echo 1; }"\n"--privileged" = "1"\n'
        '"n\\n" = "1"\n',
        gives=("0.5", "1", "error"),
    ),
    Attack(
        "artifacts-of-the-system",
        "Asks for folders of the kernel, devices without end, and options as artifacts.",
        artifacts='["/proc", "/dev/zero", "/sys/kernel", "/proc/kmsg", "/dev", "--help", "/proc/1/environ"]',
        gives=ANY_FAULT,
    ),
    Attack(
        "artifacts-in-each-other",
        "Asks for a folder of artifacts in the place of another artifact, a file.",
        "echo 1 > /tmp/file",
        artifacts='["/tmp/file", {source = "/logs/artifacts", destination = "file"}]',
    ),
    Attack(
        "small-times",
        "Gives agent and verifier no time at all.",
        agent=0.000001,
        verifier=0.000001,
        gives=ANY_FAULT,
    ),
)
