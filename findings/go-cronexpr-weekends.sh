#!/bin/sh
# Debian's golang-github-gorhill-cronexpr-dev 1.0.0+git20180427.88b0669-2, on Debian 12.
# It accepts 7 for Sunday. A range that ends with it parses, and is another: 5-7 and 1-7 have no day at all, so that the
# job never runs, and 0-7 is Sunday alone. No error is returned.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root \
  golang-github-gorhill-cronexpr-dev=1.0.0+git20180427.88b0669-2 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.go <<'END'
package main

import (
	"fmt"
	"time"

	"github.com/gorhill/cronexpr"
)

func main() {
	from := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	for _, days := range []string{"7", "5,6,7", "5-6", "5-7", "1-7", "0-6", "0-7"} {
		text := "0 0 * * " + days
		expression, err := cronexpr.Parse(text)
		fmt.Printf("%s: error %v, runs", text, err)
		if err == nil {
			for _, run := range expression.NextN(from, 4) {
				fmt.Printf(" %s", run.Format("Mon 02"))
			}
		}
		fmt.Println()
	}
}
END
cat > expected <<'END'
0 0 * * 7: error <nil>, runs Sun 06 Sun 13 Sun 20 Sun 27
0 0 * * 5,6,7: error <nil>, runs Fri 04 Sat 05 Sun 06 Fri 11
0 0 * * 5-6: error <nil>, runs Fri 04 Sat 05 Fri 11 Sat 12
0 0 * * 5-7: error <nil>, runs
0 0 * * 1-7: error <nil>, runs
0 0 * * 0-6: error <nil>, runs Wed 02 Thu 03 Fri 04 Sat 05
0 0 * * 0-7: error <nil>, runs Sun 06 Sun 13 Sun 20 Sun 27
END
GO111MODULE=off GOFLAGS= GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache" go run find.go > seen
diff expected seen && echo 'as found'
