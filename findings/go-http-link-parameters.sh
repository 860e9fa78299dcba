#!/bin/sh
# Debian's golang-github-tent-http-link-go-dev 0.0~git20130702.0.ac974c6-6, on Debian 12.
# By RFC 8288 a parameter of a link may stand without a value, or have an empty text in quotes. Either of them is an
# error that loses all links of the header, the next page too. A quotation mark within a title is read, and written
# without its backslash: what Format() gives cannot be parsed again.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root \
  golang-github-tent-http-link-go-dev=0.0~git20130702.0.ac974c6-6 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.go <<'END'
package main

import (
	"fmt"

	link "github.com/tent/http-link-go"
)

func main() {
	for _, parameter := range []string{``, `; title="red"`, `; title=""`, `; crossorigin`, `; title="the \"red\" one"`} {
		header := `</tasks?page=2>; rel="next", </a>; rel="up"` + parameter
		links, err := link.Parse(header)
		fmt.Printf("%s: %d links, error %v\n", header, len(links), err)
		if err == nil {
			again, err := link.Parse(link.Format(links))
			fmt.Printf("  %s: %d links, error %v\n", link.Format(links), len(again), err)
		}
	}
}
END
cat > expected <<'END'
</tasks?page=2>; rel="next", </a>; rel="up": 2 links, error <nil>
  </tasks?page=2>; rel="next", </a>; rel="up": 2 links, error <nil>
</tasks?page=2>; rel="next", </a>; rel="up"; title="red": 2 links, error <nil>
  </tasks?page=2>; rel="next", </a>; rel="up"; title="red": 2 links, error <nil>
</tasks?page=2>; rel="next", </a>; rel="up"; title="": 0 links, error link: malformed param
</tasks?page=2>; rel="next", </a>; rel="up"; crossorigin: 0 links, error link: malformed param
</tasks?page=2>; rel="next", </a>; rel="up"; title="the \"red\" one": 2 links, error <nil>
  </tasks?page=2>; rel="next", </a>; rel="up"; title="the "red" one": 0 links, error link: expected ";" or "'", got "r"
END
GO111MODULE=off GOFLAGS= GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache" go run find.go > seen
diff expected seen && echo 'as found'
