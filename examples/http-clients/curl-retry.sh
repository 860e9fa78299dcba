#!/bin/sh
# The work by curl --retry. It repeats any request after a 408, 429, 500, 502, 503 or 504, also a POST. Needs jq.
set -eu
base=$WORK_AGENT_BASE_URL/api/cli
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
case ${1-} in
  fixed) fixed=yes limits='--max-time 10 --retry-max-time 60' ;;
  *) fixed='' limits='' ;;
esac

# send PATH [CURL OPTIONS]: leaves the body in $dir/body. Fails if no answer came, or an error other than busy.
send() {
  url=$base/$1
  shift
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$WORK_AGENT_API_KEY" |
    curl -K - -sS --retry 5 $limits -o "$dir/body" -w '%{http_code}' "$@" "$url") || return 2
  [ "$status" -lt 300 ] || [ "$(field .error)" = busy ] || { field .message >&2 && return 1; }
}
field() { jq -r "$1" "$dir/body"; }

send tasks --json '{"text":"Say hello"}'
path=tasks/$(field '.task.id | tostring | @uri')
before=$(field .task.status)
until send "$path/run" -X POST; do
  # After a lost answer the task shows whether the run was accepted.
  [ $? -eq 2 ] && [ "$fixed" ] || exit 1
  send "$path"
  [ "$(field .finished)" = false ] && [ "$(field .task.status)" = "$before" ] || break
done
for look in $(seq 120); do
  send "$path"
  [ "$(field .finished)" != true ] || break
  sleep 1
done
field .task.status
