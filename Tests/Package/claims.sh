# How the tests of the packages say what holds; to be sourced.

failed=0
# Usage: claim TEXT COMMAND…    Prints whether it holds, and where it does not, what the command said.
claim() {
  local text=$1 said
  shift
  if said=$("$@" 2>&1 </dev/null); then
    printf '  ok      %s\n' "$text"
  else
    printf '  FAILED  %s\n' "$text"
    printf '%s\n' "$said" | sed 's/^/          /'
    failed=$((failed + 1))
  fi
}

# Ends the script: with 1 if a claim does not hold, else with the code that is given.
verdict() {
  if [ $failed -gt 0 ]; then
    echo "$failed failed"
    exit 1
  fi
  exit "${1:-0}"
}
