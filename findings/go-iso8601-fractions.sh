#!/bin/sh
# Debian's golang-github-dylanmei-iso8601-dev 0.1.0-7, on Debian 12.
# A parser of ISO 8601 durations that returns an error for years and months. A fraction makes the part disappear,
# without an error, also where the decimal sign is the point: PT0.5S is 0 s and PT1M30.5S a minute. A minus sign is
# ignored, and so are the days after a week.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root golang-github-dylanmei-iso8601-dev=0.1.0-7 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.go <<'END'
package main

import (
	"fmt"

	"github.com/dylanmei/iso8601"
)

func main() {
	for _, text := range []string{
		"PT30S", "PT0.5S", "PT1M30.5S", "PT1.5H", "P1DT0,25S", "PT1H", "-PT1H", "P1W", "P1W2D", "P1M",
	} {
		duration, err := iso8601.ParseDuration(text)
		fmt.Printf("%s: %v, error %v\n", text, duration, err)
	}
}
END
cat > expected <<'END'
PT30S: 30s, error <nil>
PT0.5S: 0s, error <nil>
PT1M30.5S: 1m0s, error <nil>
PT1.5H: 0s, error <nil>
P1DT0,25S: 24h0m0s, error <nil>
PT1H: 1h0m0s, error <nil>
-PT1H: 1h0m0s, error <nil>
P1W: 168h0m0s, error <nil>
P1W2D: 168h0m0s, error <nil>
P1M: 0s, error no months allowed
END
GO111MODULE=off GOFLAGS= GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache" go run find.go > seen
diff expected seen && echo 'as found'
