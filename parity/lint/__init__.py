"""`parity lint`: finds what Harbor refuses, ignores or converts in tasks, and judges what their test scripts write."""
