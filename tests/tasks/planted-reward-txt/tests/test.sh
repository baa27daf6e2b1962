#!/bin/bash
echo "a test script that writes no reward leaves the agent's"
