#!/bin/bash
ln -s score.txt /logs/verifier/reward.txt
echo '{"reward": 1}' > /solution/planted.json
ln -s /solution/planted.json /logs/verifier/reward.json
