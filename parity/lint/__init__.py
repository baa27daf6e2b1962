"""`parity lint`: what Harbor refuses, ignores or takes for something else, and what test scripts leave."""
