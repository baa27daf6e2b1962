#!/usr/bin/env bash
# Run the suite, and leave its results where GitHub shows them: exit code, outputs, job summary and annotations.
set -uo pipefail
kit=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
extra=$([ "$REFERENCE" = harbor ] && echo '[harbor]')

# The artifact is named after the runner, the job and its index in the matrix. A second one of the same name in this job
# could not be uploaded, so it gets a number. The folders of the results show which names are taken.
clean() { tr -cs 'A-Za-z0-9._\n-' - <<<"$1" | head -n 1 | cut -c 1-80; }
name=$(clean "${ARTIFACT:-harbor-parity-${RUNNER_SPEC:-$RUNNER_COMMAND}}")
[ -n "$ARTIFACT" ] || name=${name%-}-$JOB-$INDEX
folder=${RUNNER_TEMP:-$(mktemp -d)}/harbor-parity
artifact=$name
number=1
while [ -e "$folder/$artifact" ]; do artifact=$name-$((++number)); done
results=$folder/$artifact
mkdir -p "$results"

refuse() { # What went wrong before the suite could run.
  echo "::error::$1"
  echo "$1" >>"$GITHUB_STEP_SUMMARY"
  printf '%s\n' verdict=failed agreeing=0 diverging=0 declared=0 "results=$results" "artifact=$artifact" \
    >>"$GITHUB_OUTPUT"
  exit 4
}

# Without either, the suite would test its own runner, and agree.
[ -n "$RUNNER_SPEC$RUNNER_COMMAND" ] || refuse "harbor-parity: nothing is tested; give the input runner or command"

if ! "$PYTHON" -c 'import parity' 2>"$results/import.txt"; then
  "$PYTHON" -m pip install -q "$kit$extra" || refuse "harbor-parity: it could not be installed for $PYTHON; see the log"
fi

suite=()
for operation in $OPERATIONS; do suite+=("parity.operations.$operation"); done
options=("--profile=$PROFILE" "--reference=$REFERENCE" "--report=$results/report.json" "--junitxml=$results/junit.xml")
[ -z "$RUNNER_SPEC" ] || options+=("--runner=$RUNNER_SPEC")
[ -z "$RUNNER_COMMAND" ] || options+=("--runner-cmd=$RUNNER_COMMAND")
[ -z "$DIVERGENCES" ] || options+=("--divergences=$DIVERGENCES")

"$PYTHON" -m pytest --pyargs "${suite[@]:-parity}" -p no:cacheprovider --color=no "${options[@]}" 2>&1 |
  tee "$results/output.txt"
code=${PIPESTATUS[0]}

case $code in
  0) verdict=agrees ;;
  1) verdict=diverges ;;
  *) verdict=failed ;;
esac
{
  echo "verdict=$verdict"
  echo "results=$results"
  echo "artifact=$artifact"
  # The record has the verdicts on operations and classes. It is absent or unfinished if the suite could not run.
  "$PYTHON" -I - "$results/report.json" <<'PYTHON'
import json, sys
try:
    record = json.load(open(sys.argv[1], encoding="utf-8"))
except OSError:
    record = {}
verdicts = [each["verdict"] for each in record.get("operations", [])]
for name, words in [("agreeing", "agrees"), ("diverging", "diverges:"), ("declared", "diverges as declared")]:
    print(f"{name}={sum(each.startswith(words) for each in verdicts)}")
settings = record.get("settings", {"complete": False})
classes = [name for name, each in record.get("final", {}).get("classes", {}).items() if each == "conforms"]
decided = settings["complete"] and not settings["golden_only"]
print(f"conforms={(', '.join(classes) or 'nothing') if decided else ''}")
PYTHON
} >>"$GITHUB_OUTPUT"

{
  "$PYTHON" -m parity report --markdown "$results/report.json" -o "$results/page.html" 2>"$results/report.txt"
  # Without a verdict, the last lines say why.
  [ "$code" -le 1 ] || { echo '```'; tail -n 3 "$results/output.txt"; echo '```'; }
} >>"$GITHUB_STEP_SUMMARY"

# Annotations beside the lines of the file of divergences: rows of the record that are not as declared or, if the suite
# could not start and there is no record, the first error that the kit finds in the file.
if [ -n "$DIVERGENCES" ]; then
  "$PYTHON" -P - "$results/report.json" "$DIVERGENCES" <<'PYTHON'
import json, pathlib, re, sys
record, declared = map(pathlib.Path, sys.argv[1:])
problems = []
if record.exists():
    rows = json.loads(record.read_text("utf-8")).get("counts", [])
    stale = [row for row in rows if row["outcome"] == "stale" and "reason" in row]
    problems = [f"{row['reason']}: not as declared: {row['rule']}" for row in stale]
else:
    from parity.suite.declared import DeclarationsError, read_all_declarations
    try:
        read_all_declarations([declared])
    except DeclarationsError as error:
        problems = [str(error)]
for problem in problems:
    if place := re.match(rf"{re.escape(str(declared))}:(\d+):(\d+): (.*)", problem):
        print(f"::error file={declared},line={place[1]},col={place[2]}::{place[3]}")
    elif problem.startswith(f"{declared}: "):
        print(f"::error file={declared}::{problem.removeprefix(f'{declared}: ')}")
PYTHON
fi
exit "$code"
