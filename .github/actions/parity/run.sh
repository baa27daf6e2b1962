#!/usr/bin/env bash
# Run the suite, and leave what came of it where GitHub shows it: exit code, outputs, job summary and annotations.
set -uo pipefail
kit=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
results=$(mktemp -d "${RUNNER_TEMP:-/tmp}/harbor-parity.XXXXXX")
extra=$([ "$REFERENCE" = harbor ] && echo '[harbor]')

refuse() { # What went wrong before the suite could run.
  echo "::error::$1"
  echo "$1" >>"$GITHUB_STEP_SUMMARY"
  printf '%s\n' verdict=failed agreeing=0 diverging=0 declared=0 "results=$results" >>"$GITHUB_OUTPUT"
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
count() { grep -cE "^[a-z_]+ +[0-9,]+ +[0-9,]+ +[0-9,]+  $1" "$results/output.txt"; }
{
  echo "verdict=$verdict"
  echo "agreeing=$(count agrees)"
  echo "diverging=$(count diverges:)"
  echo "declared=$(count 'diverges as declared')"
  echo "conforms=$(sed -nE 's/^conforms to harbor [^:]*: ([^;]*).*/\1/p' "$results/output.txt")"
  echo "results=$results"
} >>"$GITHUB_OUTPUT"

# The sections of the suite's own: from the divergences, or else from the table of operations, to the end; then every rule that does not
# agree, as a table.
{
  echo '```'
  awk '/^=+ (FAILURES|ERRORS|divergences|parity: )/ {on = 1} on' "$results/output.txt" | grep . || tail -n 3 "$results/output.txt"
  echo '```'
  if [ -f "$results/report.json" ]; then
    echo
    "$PYTHON" -m parity report --markdown "$results/report.json" -o "$results/page.html"
  fi
} >>"$GITHUB_STEP_SUMMARY"

# Errors and warnings about the file of divergences, beside its lines.
if [ -n "$DIVERGENCES" ]; then
  grep -F -- "$(basename "$DIVERGENCES"):" "$results/output.txt" | while read -r line; do
    number=$(sed -nE "s/.*$(basename "$DIVERGENCES" | sed 's/[.]/[.]/g'):([0-9]+).*/\1/p" <<<"$line")
    case $line in
      warning:*) level=warning ;;
      *) level=error ;;
    esac
    echo "::$level file=$DIVERGENCES,line=${number:-1}::${line#warning: }"
  done
fi
exit "$code"
