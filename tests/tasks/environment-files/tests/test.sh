#!/bin/bash
if [ "$(cat both.txt)" = $'one\ntwo' ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
