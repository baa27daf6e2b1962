#!/bin/bash
if grep -qx hello greeting.txt; then reward=0.75; else reward=0; fi
echo "{\"reward\": $reward}" > /logs/verifier/reward.json
