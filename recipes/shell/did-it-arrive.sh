#!/bin/sh
# A test in plain shell: run it under a simulator of its own.
#
#     apnsim exec -- sh did-it-arrive.sh
#
# What it does with "apnsim send" is what your provider does; the questions are asked with curl and work from any
# language.
set -eu
api=$APNSIM_CONTROL_URL/api/v1

ask() { # METHOD PATH [JSON]
  curl --silent --show-error --fail-with-body --max-time 30 --request "$1" "$api$2" \
    --header 'Content-Type: application/json' ${3:+--data "$3"}
}

fail() { echo "FAIL: $1" >&2; exit 1; }

# A device with one app; the simulator issues the token.
token=$(ask PUT /devices/bob '{"apps":[{"topic":"com.example.app"}]}' |
  sed 's/.*"token":"\([0-9a-f]*\)".*/\1/')

# The provider sends.
echo '{"aps":{"alert":"Your order is on its way"}}' | apnsim send - --to "$token" >/dev/null

# Did it arrive? The server waits, not the test.
ask POST '/notifications/wait?assert=true' '{"query":"device:bob alert~\"order\"","timeout":"5s"}' >/dev/null ||
  fail "the notification did not arrive"

# Offline, one more, and back: what was stored comes then.
ask POST /devices/bob/offline >/dev/null
echo '{"aps":{"alert":"It is at the door"}}' | apnsim send - --to "$token" >/dev/null
apnsim wait --query 'device:bob outcome:stored' --timeout 5s >/dev/null || fail "it was not stored"
ask POST /devices/bob/online >/dev/null
ask GET /devices/bob/inbox | grep -q 'It is at the door' || fail "it was not delivered later"

# The next notification is refused with status 8.
apnsim fault add --nth 1 --status 8 --times 1 >/dev/null
echo '{"aps":{"alert":"never"}}' | apnsim send - --to "$token" >/dev/null && fail "it was not refused"

apnsim device inbox bob
echo "ok"
