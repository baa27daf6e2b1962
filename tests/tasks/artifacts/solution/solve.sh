#!/bin/bash
echo kept > /logs/artifacts/kept.txt
echo report > /tmp/report.txt
mkdir -p /tmp/plots/raw
echo plot > /tmp/plots/plot.svg
echo raw > /tmp/plots/raw/data.csv
echo scratch > /tmp/plots/scratch.tmp
