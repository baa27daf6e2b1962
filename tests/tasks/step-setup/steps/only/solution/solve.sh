#!/bin/bash
cat state.txt > /tmp/seen.txt
