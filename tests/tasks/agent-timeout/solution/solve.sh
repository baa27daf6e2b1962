#!/bin/bash
sleep 60
echo hello > greeting.txt
