#!/bin/bash
printf '%s\n' "$GREETING" "$NAME" "$ANSWER" > said.txt
