#!/bin/sh
# What a provider in another container does: it gets the CA and the provider's certificate from the control API, pushes
# over HTTP/2 with verification on, and waits for what arrived. In place of curl stands your own provider.
#
# APNSIM_CONTROL_URL, APNSIM_HOST and APNSIM_HTTP2_PORT say where the simulator is; APNSIM_CONTROL_TOKEN, if it wants one.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
control() {
  path=$1
  shift
  curl --silent --show-error --fail-with-body --max-time 30 \
    --header "Authorization: Bearer ${APNSIM_CONTROL_TOKEN:-none}" "$APNSIM_CONTROL_URL$path" "$@"
}

control /ca.pem >"$folder/ca.pem"
control /api/v1/credentials >"$folder/credentials.json"
jq --raw-output .providerCertificate "$folder/credentials.json" >"$folder/provider.pem"
jq --raw-output .providerKey "$folder/credentials.json" >"$folder/provider.key"

token=$(printf 'c0%.0s' $(seq 32))
status=$(curl --silent --show-error --max-time 30 --http2 --cacert "$folder/ca.pem" \
  --cert "$folder/provider.pem" --key "$folder/provider.key" \
  --header "apns-topic: com.example.app" --header "apns-push-type: alert" \
  --data '{"aps":{"alert":"Your order has shipped"}}' --output "$folder/answer" --write-out '%{http_code}' \
  "https://$APNSIM_HOST:$APNSIM_HTTP2_PORT/3/device/$token")
[ "$status" = 200 ] || { echo "the push was answered with $status: $(cat "$folder/answer")" >&2; exit 1; }

control '/api/v1/notifications/wait?assert=true' --header 'Content-Type: application/json' --output "$folder/wait" \
  --data '{"where":{"payload":{"aps.alert":{"contains":"order"}}},"count":{"atLeast":1},"timeout":"5s"}' ||
  { cat "$folder/wait" >&2; exit 1; }
jq --raw-output '"arrived: " + .notifications[0].payload.aps.alert' "$folder/wait"
