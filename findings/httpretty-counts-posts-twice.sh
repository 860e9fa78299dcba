#!/bin/sh
# Debian's python3-httpretty 1.1.4-1 with python3-requests 2.28.1+dfsg-1, on Debian 12.
# latest_requests() lists a POST with a body twice, once as the headers arrive and once with the body, and a POST
# without one and a GET once. A test that counts what a client sent accuses it of a repeat.
set -eu
for package in python3-httpretty=1.1.4-1 python3-requests=2.28.1+dfsg-1; do
  installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
  [ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.py <<'END'
import httpretty
import requests

url = "http://mocked.test/"
requests_of = {
    "GET": lambda: requests.get(url),
    "POST without a body": lambda: requests.post(url),
    "POST with a body": lambda: requests.post(url, json={"title": "one"}),
}
for name, send in requests_of.items():
    with httpretty.enabled(allow_net_connect=False):
        httpretty.register_uri(httpretty.GET, url)
        httpretty.register_uri(httpretty.POST, url)
        send()
        print(f"{name}: sent 1, listed {len(httpretty.latest_requests())}")
END
cat > expected <<'END'
GET: sent 1, listed 1
POST without a body: sent 1, listed 1
POST with a body: sent 1, listed 2
END
/usr/bin/python3 find.py > seen
diff expected seen && echo 'as found'
