#!/bin/bash
if [ -e greeting.txt ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
