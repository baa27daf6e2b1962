#!/bin/bash
echo '{"reward": 0.5}' > /logs/verifier/reward.json
