"""Writes a `read_reward` case as bash commands that make its files in the current directory."""

import shlex

from parity.operations.files.file_states import FileState
from parity.operations.read_reward import RewardDirectory
from parity.operations.wire import encode_bytes

_PLAIN = range(ord(" "), ord("~") + 1)


def shell_lines(case: RewardDirectory) -> list[str]:
    """Return the commands that make the case's directory, `verifier`, and the targets of its symlinks."""
    root = f"{case.within}/verifier" if case.within else "verifier"
    lines = [f"mkdir {_quoted(case.within)}"] if case.within else []
    if case.directory == "absent":
        return lines
    if case.directory == "file":
        return [*lines, f": > {_quoted(root)}"]
    lines += ["mkdir elsewhere", f'ln -s "$PWD/elsewhere" {_quoted(root)}'] if case.directory == "link" else []
    lines += [f"mkdir {_quoted(root)}"] if case.directory != "link" else []
    for name, content in case.others.items():
        below = name.removeprefix("../").rpartition("/")[0]
        lines += [f"mkdir -p {_quoted(f'{root}/{name}'.rpartition('/')[0])}"] if below else []
        lines += _content(content, _quoted(f"{root}/{name}"))
    for name, state in case.files.items():
        lines += _file(state, name, _quoted(f"{root}/{name}"))
    return [*lines, f"chmod 0 {_quoted(root)}"] if case.directory == "unsearchable" else lines


def _file(state: FileState, name: str, path: str) -> list[str]:
    match state.kind:
        case "file":
            return _content(state.content, path)
        case "unreadable":
            return [*_content(state.content, path), f"chmod 0 {path}"]
        case "link":
            return [*_content(state.content, f"elsewhere-{name}"), f'ln -s "$PWD/elsewhere-{name}" {path}']
        case "link-to-directory":
            return [f"mkdir elsewhere-{name}", f'ln -s "$PWD/elsewhere-{name}" {path}']
        case "dangling-link":
            return [f'ln -s "$PWD/nowhere" {path}']
        case "looping-link":
            return [f"ln -s {name} {path}"]
        case "device":
            return [f"ln -s /dev/null {path}"]
        case "directory":
            return [f"mkdir {path}"]
        case "fifo":
            return [f"mkfifo {path}"]
        case "socket":
            return [f"python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' {path}"]
        case "absent":
            return []


def _content(content: bytes, path: str) -> list[str]:
    """Return the command that writes a file. Content that consists of one repeated piece is written by a loop."""
    times = encode_bytes(content).get("times")
    if not isinstance(times, int):
        return [f"printf '{_escaped(content, percent='%%')}' > {path}"]
    piece = _escaped(content[: len(content) // times], percent="%%")
    return [f"for ((i = 0; i < {times}; i++)); do printf '{piece}'; done > {path}"]


def _quoted(path: str) -> str:
    """Return a relative path as one shell word that no command mistakes for an option."""
    path = f"./{path}" if path.startswith("-") else path
    data = path.encode()
    return shlex.quote(path) if all(byte in _PLAIN for byte in data) else f"$'{_escaped(data)}'"


def _escaped(data: bytes, percent: str = "%") -> str:
    """Return bytes as printable ASCII for single quotes. Other bytes, and a leading minus, become octal escapes."""
    special = {ord("'"): r"\047", ord("\\"): r"\\", ord("%"): percent}
    text = "".join(special.get(byte) or (chr(byte) if byte in _PLAIN else f"\\{byte:03o}") for byte in data)
    return rf"\055{text[1:]}" if text.startswith("-") else text
