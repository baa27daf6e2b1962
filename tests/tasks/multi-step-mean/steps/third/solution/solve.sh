#!/bin/bash
echo third >> list.txt
