"""Attacks by files that an agent or its tests leave: on their transfer, and on reading the reward."""

from tests.run.attacks.attack import ANY_FAULT, Attack

CARRYING = (
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
        gives=ANY_FAULT,
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
        gives=ANY_FAULT,
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
        gives=ANY_FAULT,
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
        gives=ANY_FAULT,
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
        gives=ANY_FAULT,
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
        gives=ANY_FAULT,
    ),
    Attack(
        "logs-elsewhere",
        "Takes the log folders away, and puts links to the host in their place.",
        """
        cd /; mv /logs /elsewhere; rm -rf /logs; ln -s @HOST@ /logs; ln -s @HOST@ /tests; ln -s @HOST@ /solution2; true
        """,
        gives=ANY_FAULT,
    ),
    Attack(
        "no-working-directory",
        "Removes the folder that all commands run in.",
        "cd /; rm -rf /app /tmp; true",
        gives=ANY_FAULT,
    ),
)
