#!/bin/bash
echo "nothing to say"
