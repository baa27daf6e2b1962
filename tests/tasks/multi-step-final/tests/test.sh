#!/bin/bash
wc -l < list.txt > /logs/verifier/reward.txt
