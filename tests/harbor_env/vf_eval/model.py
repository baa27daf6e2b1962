"""A model with OpenAI's chat completions that gives every agent the same command, and the agent that runs it."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_COMMAND = "echo hello > greeting.txt"
"""A command that solves most of the tasks."""

# bash and coreutils are enough for it, as for the tasks.
AGENT = r"""
address=${OPENAI_BASE_URL#http://} host=${OPENAI_BASE_URL#http://} host=${host%%/*}
body='{"model": "a-model", "messages": [{"role": "user", "content": "Which command does it?"}]}'
exec 3<>/dev/tcp/${host%:*}/${host#*:}
printf 'POST /%s/chat/completions HTTP/1.1\r\nHost: %s\r\n' "${address#*/}" "$host" >&3
printf 'Content-Type: application/json\r\nAuthorization: Bearer %s\r\n' "${OPENAI_API_KEY:-none}" >&3
printf 'Connection: close\r\nContent-Length: %d\r\n\r\n%s' ${#body} "$body" >&3
command=$(sed -n 's/.*"content": *"\([^"]*\)".*/\1/p' <&3)
[ -n "$command" ] || exit 9
eval "$command"
"""
"""An agent that asks the model at OPENAI_BASE_URL for a command, and runs it."""


class Model:
    """A model that counts its questions."""

    def __init__(self) -> None:
        self.asked = 0
        self.port = 0

    def answer(self) -> dict[str, Any]:
        self.asked += 1
        message = {"role": "assistant", "content": _COMMAND}
        return {
            "id": f"answer-{self.asked}",
            "object": "chat.completion",
            "created": 1,
            "model": "a-model",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }


@contextmanager
def serving() -> Iterator[Model]:
    """Yield a model that serves on all addresses of this machine."""
    model = Model()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = json.dumps(model.answer()).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_request(self, *arguments: object) -> None:
            """Suppress the log of requests."""

    with ThreadingHTTPServer(("0.0.0.0", 0), Handler) as server:
        model.port = server.server_port
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield model
        server.shutdown()
