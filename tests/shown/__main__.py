"""`python -m tests.shown` prints how early broken rules are shown, and what naive readers meet first."""

from tests.shown.blocks import COMBINED, combined_faults, measured, shown_rules, single_faults
from tests.shown.naive import NAIVE

_ANSWERED_BY_OTHERS = ("read_reward", "aggregate", "pass_at_k", "trial_reward", "trial_score")

for operation in _ANSWERED_BY_OTHERS:
    print(f"{operation}, single faults: {measured(single_faults(operation))}", flush=True)
for operation in COMBINED:
    print(f"{operation}, 3 to 5 faults: {measured(combined_faults(operation))}", flush=True)
for naive in NAIVE:
    for operation in _ANSWERED_BY_OTHERS:
        if rules := shown_rules(naive(), [operation]):
            print(f"{operation}, naive {naive.name}: {len(rules)} blocks: {', '.join(rules[:3])}", flush=True)
