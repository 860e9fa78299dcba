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

# start ID STATUS: starts a run. After a lost answer the task shows whether it was accepted; if it does not, and the
# next request is rejected, the lost one may have been accepted: then $looks is small.
start() {
  looks=600
  until ask POST "tasks/$1/run"; do
    case $code in
      busy) return 0 ;;
      invalid_request) return 1 ;;
      lost) insist GET "tasks/$1" ;;
      *) stop ;;
    esac
    [ "$(field .finished)" = false ] && [ "$(field .task.status)" = "$2" ] || break
    looks=20
  done
  looks=600
}

# create TEXT: creates a task, and leaves its id, as a path takes it, and its status. After a lost answer the list
# shows whether it was created: then it has that text, and is not among those of before.
create() {
  for pause in 1 2 4 8 0; do
    task=.task
    ask POST tasks "$(jq -n --arg text "$1" '{$text}')" && break
    [ "$code" = lost ] && [ "$pause" -gt 0 ] || stop
    sleep "$pause"
    insist GET tasks
    task='first(.items[] | select(.text == $text and (.id | IN($known[]) | not)))'
    [ "$(find_task .id)" ] && break
  done
  id=$(find_task '.id | tostring | @uri') status=$(find_task .status)
  known=$(find_task '$known + [.id]')
}
find_task() { jq -rc --arg text "$text" --argjson known "$known" "$task | $1" "$dir/body"; }

[ $# -gt 0 ] || set -- 'Say hello'
insist GET whoami
insist GET tasks
known=$(jq -c '[.items[].id]' "$dir/body") refused=0
for text; do
  create "$text"
  if ! start "$id" "$status" && [ "$looks" -gt 20 ]; then
    echo "$text: refused"
    refused=1
    continue
  fi
  while insist GET "tasks/$id" && [ "$(field .finished)" != true ]; do
    [ $((looks -= 1)) -gt 0 ] || { echo "$text: has not ended" >&2 && exit 1; }
    sleep 1
  done
  echo "$text: $(field .task.status)"
done
exit "$refused"
