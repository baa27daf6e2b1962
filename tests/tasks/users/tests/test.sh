#!/bin/bash
if [ "$(cat /tmp/agent.txt) $(id -un)" = "nobody daemon" ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
