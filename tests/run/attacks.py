"""What hostile tasks try: agents and test scripts as bash source, and what Harbor's rules give them for it.

`@HOST@` stands for a folder of the host with a canary in it, `@MARK@` for the seconds of a `sleep` by which
processes are found, `@NAME@` for a name that nothing else has, `@PATTERN@` for one that matches what no sandbox may
see. Whatever succeeds leaves a line in /tmp/breach, for which `HONEST` gives a reward of 1. Each attempt is bounded
by itself, so that the machine survives one that succeeds.
"""

from dataclasses import dataclass

HONEST = """
if [ -s /tmp/breach ]; then
    cat /tmp/breach > /logs/verifier/breach
    echo 1 > /logs/verifier/reward.txt
else
    echo 0.5 > /logs/verifier/reward.txt
fi
"""
_IN_VAIN = "0.5"
_ANY_FAULT = ("0.5", "error", "none")
"""Whoever breaks the own trial may lose it, but wins nothing."""


@dataclass(frozen=True)
class Attack:
    """A task whose agent or tests try something."""

    name: str
    tries: str
    """In a sentence."""

    solve: str = "true"
    tests: str = HONEST
    gives: str | tuple[str, ...] = _IN_VAIN
    """Rewards, names of errors, `error` for any of them, `none` for no reward, `any` for whatever."""

    agent: float = 60
    """Seconds for the agent."""

    verifier: float = 60
    settings: str = ""
    """More of task.toml."""

    artifacts: str = "[]"
    """Artifacts that the task asks for."""

    apart: bool = False
    """Whether the verifier has a sandbox of its own."""


_CARRYING = (
    Attack(
        "odd-names",
        "Leaves names with line breaks, escape codes, no UTF-8 and 255 bytes.",
        r"""
        for place in agent artifacts verifier; do
            cd /logs/$place
            echo x > $'line\nbreak'; echo x > $'\e]0;owned\a\e[2J'; echo x > $'\xff\xfe'; echo x > ./--help
            echo x > "$(printf 'n%.0s' {1..255})"; mkdir $'\xff folder\n'; echo x > $'\xff folder\n/\r'
            ln -s $'\e[31m/etc/passwd' $'\e[2Jlink'
        done
        """,
    ),
    Attack(
        "deep-folders",
        "Leaves folders in folders, deeper than a path can say, wherever it may write.",
        """
        for place in /logs/agent /logs/verifier /logs/artifacts /app /tmp; do
            perl -e 'chdir shift; for (1..3000) { mkdir "dddd"; chdir "dddd" or last } open F, ">f"' $place
        done
        """,
        gives=_ANY_FAULT,
    ),
    Attack(
        "pipe-as-reward",
        "Leaves pipes without a writer where rewards and logs are read.",
        "mkfifo /logs/agent/pipe /logs/artifacts/pipe; mkdir /logs/artifacts/d; mkfifo /logs/artifacts/d/manifest.json",
        "cd /logs/verifier; mkfifo reward.txt reward.json",
        gives="error",
    ),
    Attack(
        "socket-as-reward",
        "Leaves sockets where rewards and logs are read.",
        tests=r"""
        perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un("/logs/verifier/reward.json"))'
        """,
        gives="error",
    ),
    Attack(
        "folder-as-reward",
        "Makes a folder where the tests write the reward.",
        "mkdir -p /logs/verifier/reward.txt/reward.json /logs/verifier/reward.json",
        gives="error",
    ),
    Attack(
        "hollow-files",
        "Leaves files that seem as large as the disk and take nothing of it.",
        "truncate -s 400M /logs/agent/hole /logs/artifacts/hole; truncate -s 9G /logs/agent/large",
        gives=_ANY_FAULT,
    ),
    Attack(
        "hard-links",
        "Leaves one file under a hundred names, which become a gigabyte if each is copied.",
        """
        head -c 10M /dev/zero > /logs/agent/0; cd /logs/agent; for i in {1..100}; do ln 0 $i; done
        ln /etc/passwd /logs/agent/passwd; ln /usr/bin/env /logs/agent/env; true
        """,
    ),
    Attack(
        "set-user-id",
        "Leaves a shell that runs as root for whoever starts it, and devices.",
        """
        for place in /logs/agent /logs/artifacts; do
            cp /bin/bash $place/shell; chown 0:0 $place/shell; chmod 6777 $place/shell
            mkdir $place/folder; chmod 7777 $place/folder; mknod $place/memory c 1 1; mknod $place/disk b 254 0
        done
        true
        """,
    ),
    Attack(
        "swapped-folder",
        "Puts now a folder, now a link to a folder of the host in the way, while files are carried.",
        """
        (setsid bash -c '
            cd /logs/artifacts; mkdir -p real && for i in {1..200}; do echo $i > real/$i; done
            while :; do
                mv real x; mv x real; ln -s @HOST@ x; rm x
                mv /logs/agent /logs/kept; ln -s @HOST@ /logs/agent; rm /logs/agent; mv /logs/kept /logs/agent
                mv /tests /tests2; ln -s @HOST@ /tests; rm /tests; mv /tests2 /tests
            done; sleep @MARK@' >/dev/null 2>&1 &)
        sleep 1
        """,
        gives=_ANY_FAULT,
    ),
    Attack(
        "growing-log",
        "Grows, cuts off and removes a log while it is carried.",
        """
        (setsid perl -e 'for (;;) { open F, ">>/logs/agent/grows"; print F "x" x 65536; close F;
            truncate "/logs/agent/grows", 10 if -s "/logs/agent/grows" > 2e7;
            unlink "/logs/agent/grows" if rand() < 0.01
        }' &) >/dev/null 2>&1
        sleep 1
        """,
        gives=_ANY_FAULT,
    ),
    Attack(
        "odd-times",
        "Leaves files from before the beginning and after the end of time.",
        """
        for place in agent artifacts verifier; do
            cd /logs/$place; for t in -99999999999 -1 253402300800 99999999999999; do touch -d @$t t$t; done
        done
        true
        """,
    ),
    Attack(
        "many-files",
        "Leaves more files than anybody wants.",
        """
        perl -e 'for $d ("/logs/agent", "/logs/artifacts", "/tmp") { for (1..15000) { open F, ">$d/$_" } }'
        """,
        gives=_ANY_FAULT,
    ),
    Attack(
        "linked-reward",
        "Makes the reward's file a link to what the driver may read, and the sandbox may not.",
        tests="cd /logs/verifier; ln -s @HOST@/reward reward.json; ln -s @HOST@/reward reward.txt",
        gives="error",
    ),
    Attack(
        "climbing-reward",
        "Makes the reward's file a link to another trial's, and to the job's own files.",
        tests="cd /logs/verifier; ln -s ../../../reward reward.txt; ln -s ../result.json reward.json",
        gives="error",
    ),
    Attack(
        "reward-without-rights",
        "Takes every right away from the reward's file, and from the folders that it lies in.",
        tests="echo 0.5 > /logs/verifier/reward.txt; chmod 0 /logs/verifier/reward.txt /logs/verifier /logs",
        gives="0.5",
    ),
    Attack(
        "unremovable",
        "Leaves what cannot be removed: no rights, unchangeable, in use.",
        """
        for place in /app /tmp /logs/agent /logs/artifacts /logs/verifier; do
            mkdir -p $place/locked/in; echo x > $place/locked/in/file
            chattr +i $place/locked/in/file; chmod 0 $place/locked
        done
        cd /tmp; (setsid sleep @MARK@ &) >/dev/null 2>&1
        """,
        gives=_ANY_FAULT,
    ),
    Attack(
        "logs-elsewhere",
        "Takes the log folders away, and puts links to the host in their place.",
        """
        cd /; mv /logs /elsewhere; rm -rf /logs; ln -s @HOST@ /logs; ln -s @HOST@ /tests; ln -s @HOST@ /solution2; true
        """,
        gives=_ANY_FAULT,
    ),
    Attack(
        "no-working-directory",
        "Removes the folder that all commands run in.",
        "cd /; rm -rf /app /tmp; true",
        gives=_ANY_FAULT,
    ),
)

_PROGRAMS = (
    Attack(
        "planted-tests",
        "Puts its own test script where the tests come, and keeps it from being written over.",
        r"""
        mkdir -p /tests /app/own; printf '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n' > /app/own/test.sh
        chmod 555 /app/own/test.sh; ln -s /app/own/test.sh /tests/test.sh; chattr +i /app/own/test.sh; chmod 555 /tests
        true
        """,
        gives=("0.5", "error"),
    ),
    Attack(
        "tests-as-link",
        "Makes the folder of the tests a link to its own.",
        r"""
        mkdir -p /app/own; printf '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n' > /app/own/test.sh
        chmod 555 /app/own/test.sh /app/own; rm -rf /tests; ln -s /app/own /tests
        """,
        gives=("0.5", "error"),
    ),
    Attack(
        "script-as-folder",
        "Makes folders of the names that the tests' files have.",
        "mkdir -p /tests/test.sh/test.sh; echo 'echo 1 > /logs/verifier/reward.txt' > /tests/test.sh/test.sh",
        gives=("0.5", "error"),
    ),
    Attack(
        "endless-programs",
        "Replaces the programs that files are carried with by some that never end.",
        r"""
        printf '#!/bin/sh\nexec sleep @MARK@\n' > /tmp/never; chmod +x /tmp/never
        for p in mkdir chmod tar find test realpath; do
            for d in /usr/local/sbin /usr/local/bin /usr/bin /bin; do cp /tmp/never $d/$p 2>/dev/null; done
        done
        true
        """,
        gives=_ANY_FAULT,
        verifier=5,
    ),
    Attack(
        "endless-shell",
        "Replaces the shell itself by one that never ends.",
        r"""
        printf '#!/usr/bin/perl\nsleep @MARK@;\n' > /tmp/never; chmod +x /tmp/never
        mv /tmp/never /usr/bin/bash 2>/dev/null; true
        """,
        gives=_ANY_FAULT,
        verifier=5,
    ),
    Attack(
        "lying-programs",
        "Replaces tar by one that speaks of files outside, links to them, and does not end.",
        r"""
        cat > /tmp/lies <<'END'
#!/usr/bin/perl
sub h { my ($n, $t, $l, $s) = @_; my $h = pack("a100a8a8a8a12a12a8a1a100a6a2a32a32a8a8a155a12",
    $n, "0004755", "0000000", "0000000", sprintf("%011o", $s), "00000000000", "        ", $t, $l, "ustar", "00");
    substr($h, 148, 8) = sprintf("%06o\0 ", unpack("%32C*", $h)); print $h }
h("x", 2, "@HOST@", 0); h("x/planted", 0, "", 0); h("@HOST@/planted", 0, "", 0);
h("../../../../../../@HOST@/planted", 0, "", 0); h("y", 1, "@HOST@/canary", 0); h("z", 0, "", 8**11 - 1);
print "\0" x 65536 for 1..5000;
END
        chmod +x /tmp/lies; for d in /usr/local/bin /usr/local/sbin /usr/bin; do cp /tmp/lies $d/tar 2>/dev/null; done
        export PATH=/tmp:$PATH; true
        """,
        gives=_ANY_FAULT,
    ),
    Attack(
        "start-files",
        "Leaves start files of the shell, which would run before the tests.",
        r"""
        for f in ~/.bashrc ~/.bash_profile ~/.profile /etc/profile /etc/bash.bashrc /etc/ld.so.preload; do
            echo 'echo 1 > /logs/verifier/reward.json; echo started > /tmp/breach' > $f 2>/dev/null
        done
        rm -f /etc/ld.so.preload; true
        """,
    ),
)

_PROCESSES = (
    Attack(
        "deaf-and-loud",
        "Ignores signals, and prints without a line's end until its time is up.",
        "trap '' TERM INT HUP PIPE; head -c 300M /dev/zero | tr '\\0' x; while :; do sleep @MARK@; done",
        gives="0.5",
        agent=5,
    ),
    Attack(
        "loud-tests",
        "Prints more than is carried, and no line's end, from the tests.",
        tests="echo 0.5 > /logs/verifier/reward.txt; head -c 300M /dev/zero | tr '\\0' x",
        gives=("0.5", "error"),
    ),
    Attack(
        "closed-descriptors",
        "Closes input and output and waits.",
        "exec 0<&- 1>&- 2>&-; sleep @MARK@",
        gives="0.5",
        agent=3,
    ),
    Attack(
        "talks-on",
        "Holds the pipes of the driver open, and prints into them for ever.",
        """
        for fd in 1 2; do (exec >/proc/$PPID/fd/$fd; setsid bash -c 'while :; do echo talk; done; sleep @MARK@' &); done
        (exec >/proc/$PPID/fd/1; setsid head -c 200M /dev/zero &)
        true
        """,
    ),
    Attack(
        "first-process-output",
        "Writes into whatever other processes have open, the first one too.",
        """
        for f in /proc/[0-9]*/fd/*; do
            case $f in /proc/$$/*) continue;; esac
            [ -p $f ] && timeout 2 bash -c "head -c 1M /dev/urandom > $f"
        done 2>/dev/null
        true
        """,
        gives=_ANY_FAULT,
    ),
    Attack(
        "daemons",
        "Leaves thirty processes without parents, in sessions of their own, deaf to signals.",
        """
        for i in {1..30}; do
            (setsid bash -c 'trap "" TERM INT HUP; (sleep @MARK@ &) ; sleep @MARK@' >/dev/null 2>&1 &)
        done
        """,
    ),
    Attack(
        "stops-everything",
        "Stops every process that it sees, again and again.",
        """
        [ $(ls -d /proc/[0-9]* | wc -l) -lt 40 ] || exit  # never outside of a sandbox
        (setsid perl -e '$0 = "sleep @MARK@"; for (1..60000) { kill STOP, -1; select undef, undef, undef, 0.001 }' &) \\
            >/dev/null 2>&1
        """,
        gives=_ANY_FAULT,
        agent=5,
        verifier=5,
    ),
    Attack(
        "kills-everything",
        "Kills every process that it sees, again and again.",
        """
        [ $(ls -d /proc/[0-9]* | wc -l) -lt 40 ] || exit  # never outside of a sandbox
        (setsid perl -e '$0 = "sleep @MARK@"; for (1..30000) { kill KILL, -1; select undef, undef, undef, 0.001 }' &) \\
            >/dev/null 2>&1
        """,
        gives=_ANY_FAULT,
        agent=5,
        verifier=5,
    ),
    Attack(
        "late-words",
        "Goes on writing logs and rewards after the tests and after the trial.",
        """
        (setsid bash -c 'while :; do
            echo late >> /logs/agent/late; echo late >> /logs/verifier/late; sleep 0.01
        done; sleep @MARK@' >/dev/null 2>&1 &)
        """,
    ),
    Attack(
        "own-end",
        "Ends by signals that shells do not know, and by numbers beyond them.",
        "kill -64 $$; kill -SEGV $$; kill -KILL $$",
        gives=("0.5",),
    ),
)

_HOST = (
    Attack(
        "spies-on-variables",
        "Looks for the driver's variables in every process, and in its own.",
        """
        (env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n') 2>/dev/null | grep @PATTERN@ >/tmp/breach
        true
        """,
    ),
    Attack(
        "reads-the-host",
        "Reaches for a file of the host: by its path, by every process's root and by every open folder.",
        """
        cat @HOST@/canary /proc/[0-9]*/{root,cwd}@HOST@/canary >>/tmp/breach 2>/dev/null
        for fd in /proc/[0-9]*/fd/*; do
            [ -d $fd ] || continue
            cat $fd@HOST@/canary $fd/../../../../../../../../../../../..@HOST@/canary >>/tmp/breach 2>/dev/null
        done
        true
        """,
    ),
    Attack(
        "writes-to-the-host",
        "Writes to a folder of the host, by its path, its devices and its block devices.",
        """
        mkdir -p @HOST@ 2>/dev/null; echo planted > @HOST@/planted
        for d in /proc/[0-9]*/{root,cwd}; do echo planted > $d@HOST@/planted; done
        for d in $(awk 'NR > 2 {print $4}' /proc/partitions); do head -c 1 /dev/$d && echo /dev/$d >>/tmp/breach; done
        rm -rf @HOST@ 2>/dev/null; true
        """,
    ),
    Attack(
        "kernel-settings",
        "Opens the kernel's settings for writing, without writing.",
        """
        for f in /proc/sysrq-trigger /proc/sys/kernel/{core_pattern,hostname,modprobe} /proc/sys/fs/file-max \\
            /proc/sys/vm/{overcommit_memory,drop_caches} /sys/kernel/uevent_helper /sys/fs/cgroup/cgroup.procs \\
            /sys/power/state /dev/kmsg /dev/mem; do
            [ -e $f ] && (exec 3>>$f) 2>/dev/null && echo $f >>/tmp/breach
        done
        true
        """,
    ),
    Attack(
        "clock-and-priority",
        "Sets the clock to what it is, and takes a priority above all others.",
        """
        date -s @$(date +%s) >/dev/null 2>&1 && echo clock >>/tmp/breach
        nice -n -20 bash -c '[ $(nice) -lt 0 ] && echo nice >>/tmp/breach' 2>/dev/null
        chrt -f 1 true 2>/dev/null && echo real time >>/tmp/breach
        true
        """,
    ),
    Attack(
        "keyring",
        "Searches the keyrings of whoever runs the driver, and leaves a key there.",
        r"""
        cat /proc/keys 2>/dev/null | grep canary-@NAME@ >>/tmp/breach
        perl -e '
            for $ring (-1, -2, -3, -4, -5) {
                $id = syscall(250, 10, $ring, my $t = "user", my $n = "canary-@NAME@", 0);
                if ($id > 0) { my $b = "\0" x 100; syscall(250, 11, $id, $b, 100); print "ring $ring: $b\n" }
                syscall(248, my $u = "user", my $m = "planted-@NAME@", my $v = "x", 1, $ring) if $ring < -2;
            }' | tr -d '\0' >>/tmp/breach
        true
        """,
    ),
    Attack(
        "shared-memory",
        "Leaves shared memory, semaphores and queues of messages that outlive every process.",
        r"""
        perl -e 'shmget(0x5ca1ab1e, 1 << 20, 0666 | 01000); semget(0x5ca1ab1e, 1, 0666 | 01000);
            msgget(0x5ca1ab1e, 0666 | 01000)'
        head -c 80M /dev/zero > /dev/shm/planted-@NAME@ 2>/dev/null; true
        """,
    ),
    Attack(
        "device-nodes",
        "Makes devices, and opens them.",
        """
        for place in /tmp /app /dev /dev/shm /logs/agent; do
            for number in 1 11; do
                mknod $place/d$number c 1 $number && (exec 3<$place/d$number) && echo $place $number
            done
        done >/tmp/breach 2>/dev/null
        true
        """,
    ),
    Attack(
        "terminal",
        "Types a command into the terminal of whoever started the driver.",
        r"""
        perl -e 'for $f ("/dev/tty", map { "/proc/self/fd/$_" } 0..9) { open(T, "+<", $f) or next;
            for (split //, "echo typed\n") { my $c = $_; ioctl(T, 0x5412, $c) and print "typed into $f\n" }
        }' >/tmp/breach
        """,
    ),
    Attack(
        "input",
        "Reads what is meant for the driver.",
        "timeout 5 cat >/tmp/breach; true",
    ),
    Attack(
        "neighbour-marks",
        "Leaves a mark for other trials in every folder.",
        """
        find / -xdev -type d -not -path '/proc/*' 2>/dev/null |
            while read -r d; do touch $d/mark-@NAME@; done 2>/dev/null
        for d in /dev/shm /logs /tmp /app; do touch $d/mark-@NAME@; done; sleep 3
        """,
    ),
    Attack(
        "neighbour-searches",
        "Looks for marks of other trials, and for their processes.",
        "sleep 2; find / -name 'mark-@NAME@' -not -path '/proc/*' 2>/dev/null >/tmp/breach; true",
    ),
    Attack(
        "new-namespaces",
        "Makes namespaces of its own, with a root of its own, and mounts there.",
        """
        unshare -Urm true 2>/dev/null && echo user >>/tmp/breach
        unshare -m true 2>/dev/null && echo mount >>/tmp/breach
        mount -t tmpfs none /mnt 2>/dev/null && echo tmpfs >>/tmp/breach
        mount --bind /app /logs 2>/dev/null && echo bind >>/tmp/breach
        true
        """,
    ),
)

_VERDICT = (
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
        gives=_ANY_FAULT,
        apart=True,
    ),
)

_SETTINGS = (
    Attack(
        "loader-variables",
        "Lets variables of the task reach the loader of the driver's own programs.",
        settings='[environment.env]\nLD_DEBUG = "all"\nLD_DEBUG_OUTPUT = "@HOST@/planted"\nGCONV_PATH = "@HOST@"\n'
        'LD_PRELOAD = "@HOST@/evil.so"\nLD_LIBRARY_PATH = "@HOST@"\n',
        gives=_ANY_FAULT,
    ),
    Attack(
        "path-variable",
        "Lets variables of the task choose which programs the driver starts, and what they read.",
        settings='[environment.env]\nPATH = "@HOST@/bin:/usr/bin:/bin"\nDOCKER_HOST = "unix://@HOST@/socket"\n'
        'DOCKER_CONFIG = "@HOST@"\nHOME = "@HOST@"\nPYTHONPATH = "@HOST@"\nPYTHONHOME = "@HOST@"\n'
        'BASH_ENV = "@HOST@/bin/tar"\nTAR_OPTIONS = "--checkpoint=1 --checkpoint-action=exec=@HOST@/bin/tar"\n',
        gives=_ANY_FAULT,
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
        gives=_ANY_FAULT,
    ),
    Attack(
        "small-times",
        "Gives agent and verifier no time at all.",
        agent=0.000001,
        verifier=0.000001,
        gives=_ANY_FAULT,
    ),
)

ATTACKS = {
    attack.name: attack for group in (_CARRYING, _PROGRAMS, _PROCESSES, _HOST, _VERDICT, _SETTINGS) for attack in group
}
