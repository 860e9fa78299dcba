#!/bin/sh
# A client in shell: runs a task for each argument. Needs curl and jq; the environment says where and with which key.
set -u
: "${WORK_AGENT_BASE_URL:?}" "${WORK_AGENT_API_KEY:?}"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# send METHOD PATH [JSON]: one request. Leaves the body in $dir/body, headers in $dir/head; prints the status, or 000.
send() {
  set -- "$1" "$2" ${3+--json "$3"}
  method=$1 path=$2
  shift 2
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$WORK_AGENT_API_KEY" |
    curl -K - -sS -m 10 -X "$method" -o "$dir/body" -D "$dir/head" -w '%{http_code}' "$@" \
      "$WORK_AGENT_BASE_URL/api/cli/$path" 2>"$dir/error") || status=000
  jq -e . "$dir/body" >"$dir/json" 2>"$dir/error" || status=000
  echo "$status"
}
field() { jq -r "$1" "$dir/body"; }
header() { tr -d '\r' <"$dir/head" | sed -n "s/^$1: *//Ip" | tail -n 1; }

# ask METHOD PATH [JSON]: waits after 429 and 503, five tries in all. Fails with a message otherwise.
ask() {
  try=1
  while :; do
    status=$(send "$@")
    case $status in
      2??) return 0 ;;
      000) code=lost ;;
      *) code=$(field .error) ;;
    esac
    case $code in
      unavailable) wait=$((1 << (try - 1))) ;;
      rate_limited) wait=$(seconds "$(header retry-after)") ;;
      *) return 1 ;;
    esac
    [ "$try" -lt 5 ] || return 1
    try=$((try + 1))
    sleep "$wait"
  done
}

# seconds VALUE: the seconds of a Retry-After header, which may be a date.
seconds() {
  case $1 in
    '') echo 1 ;;
    *[!0-9]*) echo $(($(date -d "$1" +%s) - $(date -d "$(header date)" +%s))) ;;
    *) echo "$1" ;;
  esac
}

# insist METHOD PATH [JSON]: the same for what is safe to send twice; a lost answer is asked for again.
insist() {
  for pause in 1 2 4 8 0; do
    ask "$@" && return 0
    [ "$code" = lost ] || break
    sleep "$pause"
  done
  stop
}
stop() {
  [ "$code" = lost ] && echo 'no readable answer' >&2 || field '"\(.error): \(.message)"' >&2
  exit 1
}

# start ID STATUS: starts a run. After a lost answer the task shows whether it was accepted.
start() {
  until ask POST "tasks/$1/run"; do
    case $code in
      busy) return 0 ;;
      invalid_request) return 1 ;;
      lost) insist GET "tasks/$1" ;;
      *) stop ;;
    esac
    [ "$(field .finished)" = false ] && [ "$(field .task.status)" = "$2" ] || return 0
  done
}

[ $# -gt 0 ] || set -- 'Say hello'
insist GET whoami
for text; do
  insist POST tasks "$(jq -n --arg text "$text" '{$text}')"
  id=$(field '.task.id | tostring | @uri')
  if ! start "$id" "$(field .task.status)"; then
    echo "$text: refused"
    continue
  fi
  while insist GET "tasks/$id" && [ "$(field .finished)" != true ]; do sleep 1; done
  echo "$text: $(field .task.status)"
done
