#!/bin/bash
echo first > list.txt
