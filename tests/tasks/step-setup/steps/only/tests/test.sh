#!/bin/bash
if grep -qx ready /tmp/seen.txt; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
