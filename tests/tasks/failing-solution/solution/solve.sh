#!/bin/bash
echo hello > greeting.txt
exit 3
