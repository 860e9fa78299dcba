#!/bin/sh
# HTTP clients of the command line: `sh clients.sh SET-UP METHOD=URL …` sends each request with a command of its own, and
# prints the status and the length of the answer, or `error`. `:fixed` at the end of a name is the command without its
# repeats.
setup=$1
shift
body=$(mktemp)
trap 'rm -f "$body"' EXIT

# Sends one request, and prints its status.
one() {
  method=$1 url=$2
  case $setup in
    curl) curl -s -X "$method" -d '' -o "$body" -w '%{http_code}' "$url" ;;
    'curl --retry 3' | 'curl --retry 3 --retry-all-errors:fixed')
      curl -s --retry 3 -X "$method" -d '' -o "$body" -w '%{http_code}' "$url" ;;
    'curl --retry 3:fixed') curl -s -X "$method" -d '' -o "$body" -w '%{http_code}' "$url" ;;
    'curl --retry 3 --retry-all-errors')
      curl -s --retry 3 --retry-all-errors -X "$method" -d '' -o "$body" -w '%{http_code}' "$url" ;;
    wget | wget2)
      if [ "$method" = POST ]; then "$setup" -q --post-data='' -O "$body" "$url"; else "$setup" -q -O "$body" "$url"; fi &&
        printf 200 ;;
    wget:fixed | wget2:fixed)
      if [ "$method" = POST ]; then "${setup%:*}" -q --tries=1 --post-data='' -O "$body" "$url"
      else "${setup%:*}" -q --tries=1 -O "$body" "$url"; fi && printf 200 ;;
    http) http --ignore-stdin --check-status -o "$body" "$method" "$url" > /dev/null 2>&1 && printf 200 ;;
    lynx)
      if [ "$method" = POST ]; then printf -- '---\n' | lynx -source -post_data "$url" > "$body"
      else lynx -source "$url" > "$body"; fi &&
        [ -s "$body" ] && printf 200 ;;
  esac
}

for request in "$@"; do
  : > "$body"
  if status=$(one "${request%%=*}" "${request#*=}"); then
    echo "$status $(wc -c < "$body")"
  else
    echo error
  fi
done
