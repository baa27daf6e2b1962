"""The users in a local sandbox, which are lines in its /etc/passwd.

The users differ only in name and user id: all of them own the same files.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from parity.driver.sandbox import User

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,31}")
_FIRST = 1000
_LARGEST = (1 << 31) - 1


@dataclass(frozen=True)
class Account:
    """A line in /etc/passwd."""

    name: str
    uid: int
    home: str


_ALWAYS = (Account("root", 0, "/root"), Account("nobody", 65534, "/"))


@dataclass(frozen=True)
class Accounts:
    """The accounts of all users in a sandbox."""

    all: tuple[Account, ...]

    def find(self, user: User | None) -> Account:
        """Return a user's account. A user id that has no account gets a new one, and None means root.

        Raises:
            RuntimeError: the sandbox has no user with this name.
        """
        if user is None:
            return _ALWAYS[0]
        uid = _number(user)
        for account in self.all:
            if uid == account.uid or user == account.name:
                return account
        if uid is None:
            raise RuntimeError(f"unable to find user {user}: the local sandbox has root and users that the task names")
        return Account(str(uid), uid, "/")

    def passwd(self) -> str:
        """Return the text of /etc/passwd."""
        return "".join(f"{who.name}:x:{who.uid}:{who.uid}:{who.name}:{who.home}:/bin/bash\n" for who in self.all)

    def group(self) -> str:
        """Return the text of /etc/group, with a separate group for each user."""
        return "".join(f"{who.name}:x:{who.uid}:\n" for who in self.all)


def accounts_of(users: Iterable[User]) -> Accounts:
    """Return accounts for the users as which commands will be run. The result does not depend on the users' order."""
    reserved = {account.name for account in _ALWAYS}
    numbers = {uid for user in users if (uid := _number(user)) is not None}
    names = sorted({str(user) for user in users if _number(user) is None} - reserved)
    free = (uid for uid in range(_FIRST, _LARGEST) if uid not in numbers)
    return Accounts((*_ALWAYS, *(Account(name, uid, f"/home/{name}") for name, uid in zip(names, free, strict=False))))


def unsupported_user(users: Iterable[User]) -> User | None:
    """Return the first user that cannot have an account; None if all users can."""
    for user in sorted(users, key=str):
        uid = _number(user)
        if not (_NAME.fullmatch(str(user)) if uid is None else 0 <= uid <= _LARGEST):
            return user
    return None


def _number(user: User) -> int | None:
    if isinstance(user, int):
        return user
    return int(user) if user.isascii() and user.isdigit() and len(user) < 20 else None
