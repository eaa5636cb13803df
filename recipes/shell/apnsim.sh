# Tests of a push provider in plain shell, each with the simulator as new. Copy this file, and source it first:
#
#     . ./apnsim.sh
#
#     it_arrives() {
#       token=$(apnsim device add alice --app com.example.app --quiet)
#       your-provider --port "$APNSIM_HTTP2_PORT" --ca "$APNSIM_CA_FILE" "$token"
#       apnsim wait --query 'device:alice alert~"order"'
#     }
#     check it_arrives
#
# It prints TAP, which `prove` reads. The tests run one after another: a reset between them is enough.

# Runs the script again under a simulator, which ends with it. The environment then says where everything is.
[ -n "${APNSIM_CONTROL_URL:-}" ] || exec "${APNSIM_BIN:-apnsim}" exec --log-level error -- sh "$0" "$@"

apnsim() { command "${APNSIM_BIN:-apnsim}" "$@"; }

fail() { echo "$*"; exit 1; }

# check FUNCTION [ARGUMENT …]: one test. The first command that fails ends it, and what was printed, such as what came
# nearest to a wait, is shown with the journal.
check() {
  checks=$((checks + 1))
  apnsim reset 2>/dev/null || fail "the simulator is gone"
  printed=$(set -eu; "$@" 2>&1)
  if [ $? = 0 ]; then
    echo "ok $checks - $*"
  else
    failures=$((failures + 1))
    echo "not ok $checks - $*"
    { echo "$printed"; echo "apnsim journal:"; apnsim watch --all --for 1s 2>/dev/null; } | sed 's/^/# /'
  fi
}

checks=0 failures=0
trap 'echo "1..$checks"; [ $failures = 0 ] || exit 1' EXIT
