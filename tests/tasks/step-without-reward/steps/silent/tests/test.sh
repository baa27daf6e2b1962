#!/bin/bash
echo nothing
