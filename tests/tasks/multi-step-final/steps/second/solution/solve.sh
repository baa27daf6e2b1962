#!/bin/bash
echo second >> list.txt
