#!/bin/bash
expected=$(printf '%s\n' hello "two words" "$WANTED")
if [ "$(cat said.txt)" = "$expected" ] && [ -z "$ANSWER" ] && [ "$GREETING" = hello ]; then
    echo 1
else
    echo 0
fi > /logs/verifier/reward.txt
