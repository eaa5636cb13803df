#!/bin/sh
# How a push provider is tested: four questions, over both interfaces.
. "$(dirname "$0")/apnsim.sh"

topic=com.example.app
jwt=$(apnsim certs jwt)

# Stand in for your provider: ALERT TOKEN …; silence for so long is success.
silence=200ms
binary() {
  printf '{"aps":{"alert":"%s"}}' "$1" | { shift; apnsim send - --to "$@" --timeout $silence; }
}
http2() {
  curl --silent --show-error --http2 --max-time 60 --cacert "$APNSIM_CA_FILE" \
    --header "authorization: bearer $jwt" --header "apns-topic: $topic" \
    --data "{\"aps\":{\"alert\":\"$1\"}}" --write-out ' %{http_code}\n' \
    "https://$APNSIM_HOST:$APNSIM_HTTP2_PORT/3/device/$2"
}

device() { apnsim device add "$1" --app $topic --quiet; }

it_arrives() {
  token=$(device 'alice/2 iPad')
  "$1" 'Your order is on its way' "$token"
  apnsim wait --query 'device:"alice/2 iPad" alert~"order" outcome:delivered'
  apnsim device inbox 'alice/2 iPad' --json | grep -F '"alert":"Your order is on its way"'
}

a_wait_in_vain_says_what_came_nearest() {
  token=$(device bob)
  "$1" 'order #17' "$token"
  nearest=$(apnsim wait --query 'device:bob alert~"Order"' --timeout 200ms) && fail 'it matched'
  echo "$nearest" | grep -F 'payload.aps.alert: expected contains "Order", found "order #17"'
}

what_was_sent_after_an_error_has_to_be_sent_again() {
  set -- "$(device carol)" "$(device dave)" "$(device erin)"
  apnsim fault add --nth 2 --status 8 --times 1
  report=$(silence=60s; binary 'Hello' "$@") && fail 'nothing was refused'
  echo "$report" | grep 'status 8'
  apnsim wait --query 'device:erin outcome:discarded'
  shift "$(echo "$report" | sed -n 's/.*notification \([0-9]*\) of.*/\1/p')"
  binary 'Hello' "$@"
  apnsim wait --query 'device:erin outcome:delivered'
}

a_removed_app_is_answered_with_410_and_the_time() {
  token=$(device frank)
  apnsim device uninstall frank $topic
  answer=$(http2 'Hello?' "$token")
  echo "$answer" | grep '"reason":"Unregistered".* 410$'
  # Milliseconds. Only a token that the app registers after this time is worth another try.
  removed=$(echo "$answer" | sed 's/.*"timestamp":\([0-9]*\)[0-9]\{3\}.*/\1/')
  [ $(($(date +%s) - removed)) -lt 60 ]
}

a_device_that_was_offline_shows_the_last_one() {
  token=$(device grace)
  apnsim device offline grace
  "$1" first "$token"
  "$1" second "$token"
  apnsim wait --query device:grace --count 2
  apnsim device inbox grace --json | grep -F '"alert"' && fail 'shown offline'
  apnsim device online grace
  shown=$(apnsim device inbox grace --json | grep -o '"alert":"[^"]*"')
  [ "$shown" = '"alert":"second"' ] || fail "shown: $shown"
}

for interface in binary http2; do
  check it_arrives $interface
  check a_wait_in_vain_says_what_came_nearest $interface
  check a_device_that_was_offline_shows_the_last_one $interface
done
check what_was_sent_after_an_error_has_to_be_sent_again
check a_removed_app_is_answered_with_410_and_the_time
