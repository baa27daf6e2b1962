#!/bin/bash
id -un > /tmp/agent.txt
