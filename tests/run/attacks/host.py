"""Attacks on the host's files, kernel, keys and terminal, and on other trials."""

from tests.run.attacks.attack import Attack

HOST = (
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
