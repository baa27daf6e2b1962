#!/bin/bash
cp note.txt state.txt
