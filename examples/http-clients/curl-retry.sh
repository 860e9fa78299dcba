#!/bin/sh
# The work by curl --retry. It repeats any request after a 408, 429, 500, 502, 503 or 504, also a POST. Needs jq.
set -eu
base=$WORK_AGENT_BASE_URL/api/cli
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
case ${1-} in
  fixed) once='--retry 0' limits='--max-time 10 --retry-max-time 60' ;;
  *) once='' limits='' ;;
esac

# send PATH [CURL OPTIONS]: leaves the body in $dir/body. Returns 2 if no answer came, or one that may come from a gateway
# after the work was done, 3 if the request is to be sent later, and 1 after any other error than busy.
send() {
  url=$base/$1
  shift
  answer=$(printf 'header = "Authorization: Bearer %s"\n' "$WORK_AGENT_API_KEY" |
    curl -K - -sS --retry 5 $limits -o "$dir/body" -w '%{http_code} %header{retry-after}' "$@" "$url") || return 2
  case $answer in
    429* | 503*) return 3 ;;
    500* | 502* | 504*) return 2 ;;
  esac
  [ "${answer%% *}" -lt 300 ] || [ "$(field .error)" = busy ] || { field .message >&2 && return 1; }
}
field() { jq -r "$1" "$dir/body"; }

# Waits as the last answer asks to: a number of seconds, or until a date.
wait_as_asked() {
  case ${answer#* } in
    '') sleep 1 ;;
    *[!0-9]*) sleep $(($(date -d "${answer#* }" +%s) - $(date +%s) + 1)) ;;
    *) sleep "${answer#* }" ;;
  esac
}

send tasks --json '{"text":"Say hello"}'
path=tasks/$(field '.task.id | tostring | @uri')
before=$(field .task.status)
until send "$path/run" -X POST $once; do
  case $?$once in
    3?*) wait_as_asked ;;
    2?*)
      # After a lost answer the task shows whether the run was accepted.
      send "$path"
      [ "$(field .finished)" = false ] && [ "$(field .task.status)" = "$before" ] || break
      ;;
    *) exit 1 ;;
  esac
done
for look in $(seq 120); do
  send "$path"
  [ "$(field .finished)" != true ] || break
  sleep 1
done
field .task.status
