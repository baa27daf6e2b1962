#!/bin/bash
if [ "$(wc -l < list.txt)" = 3 ]; then reward=1; else reward=0; fi
echo "{\"reward\": $reward}" > /logs/verifier/reward.json
