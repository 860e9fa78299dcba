#!/bin/sh
# Debian's golang-github-gregjones-httpcache-dev 0.0~git20180305.9cad4c3-1.1, on Debian 12.
# The cache heeds `no-store` where it stands in lower case in the first Cache-Control line: one that is written
# `No-Store`, or in a second line, is kept and given out again, though RFC 9111 knows no letter case there and joins the
# lines. An answer that varies by `*` fits every request, and a POST or DELETE of a URL leaves what was kept of it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root \
  golang-github-gregjones-httpcache-dev=0.0~git20180305.9cad4c3-1.1 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.go <<'END'
package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/gregjones/httpcache"
)

func main() {
	count := 0
	var headers http.Header
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		count++
		for name, values := range headers {
			answer.Header()[name] = values
		}
		fmt.Fprint(answer, count)
	}))
	control := func(values ...string) http.Header { return http.Header{"Cache-Control": values} }
	for _, headers = range []http.Header{
		control("max-age=60"), control("max-age=60, no-store"), control("max-age=60, No-Store"),
		control("max-age=60", "no-store"), {"Cache-Control": {"max-age=60"}, "Vary": {"*"}},
	} {
		count = 0
		client := httpcache.NewMemoryCacheTransport().Client()
		fmt.Print(headers, ":")
		for _, method := range []string{"GET", "GET", "POST", "GET", "DELETE", "GET"} {
			request, _ := http.NewRequest(method, server.URL+"/task", nil)
			answer, err := client.Do(request)
			if err != nil {
				panic(err)
			}
			body, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			fmt.Printf(" %s %s", method, body)
		}
		fmt.Println()
	}
}
END
cat > expected <<'END'
map[Cache-Control:[max-age=60]]: GET 1 GET 1 POST 2 GET 1 DELETE 3 GET 1
map[Cache-Control:[max-age=60, no-store]]: GET 1 GET 2 POST 3 GET 4 DELETE 5 GET 6
map[Cache-Control:[max-age=60, No-Store]]: GET 1 GET 1 POST 2 GET 1 DELETE 3 GET 1
map[Cache-Control:[max-age=60 no-store]]: GET 1 GET 1 POST 2 GET 1 DELETE 3 GET 1
map[Cache-Control:[max-age=60] Vary:[*]]: GET 1 GET 1 POST 2 GET 1 DELETE 3 GET 1
END
GO111MODULE=off GOFLAGS= GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache" go run find.go > seen
diff expected seen && echo 'as found'
