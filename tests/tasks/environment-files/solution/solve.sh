#!/bin/bash
cat first.txt second/second.txt > both.txt
