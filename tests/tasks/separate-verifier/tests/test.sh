#!/bin/bash
if grep -qx hello /logs/artifacts/greeting.txt && [ ! -e /tmp/trace ]; then echo 0.5; else echo 0; fi \
    > /logs/verifier/reward.txt
