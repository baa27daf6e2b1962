"""What is set up in a local sandbox before the first command: folders, accounts, and the last bounds."""

import shlex

from parity.driver.sandboxes.accounts import Accounts
from parity.driver.sandboxes.local_limits import FILES


def setup_script(accounts: Accounts, workdir: str, size: int, name_server: str | None) -> str:
    """Bash source that runs with capabilities, before anything that is not trusted does."""
    folders = [account.home for account in accounts.all]
    return "\n".join(
        [
            "set -e",
            f"mkdir -p -- {shlex.join([*folders, workdir])} /tmp /var/tmp /run /etc",
            "chmod 1777 /tmp /var/tmp",
            # bubblewrap makes them for its owner alone, on the way to what lies in them.
            "chmod 755 /etc",
            "for folder in /etc/ssl /etc/pki; do [ ! -e $folder ] || chmod 755 $folder; done",
            f"printf %s {shlex.quote(accounts.passwd())} > /etc/passwd",
            f"printf %s {shlex.quote(accounts.group())} > /etc/group",
            "echo '127.0.0.1 localhost' > /etc/hosts",
            *([f"echo nameserver {name_server} > /etc/resolv.conf"] if name_server else []),
            "[ ! -e /usr/lib/os-release ] || ln -s ../usr/lib/os-release /etc/os-release",
            # The mount's own options name users that exist only outside.
            f"mount --no-mtab --options-mode ignore -o remount,nosuid,nodev,size={size},nr_inodes={FILES} /",
        ]
    )
