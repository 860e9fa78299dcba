#!/bin/sh
# Debian's golang-github-parnurzeal-gorequest-dev 0.2.15-1.1, on Debian 12.
# Query() takes JSON, as its page shows. With a number, a flag or a list in it the whole text is sent as the name of one
# parameter. Send() takes a query: of a name that comes more than once it sends the values in another order, and without
# a type a text of two words becomes a form with one field. Of two JSON documents in a text it sends the first.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root golang-github-parnurzeal-gorequest-dev=0.2.15-1.1 \
  golang-github-moul-http2curl-dev golang-github-pkg-errors-dev golang-golang-x-net-dev > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.go <<'END'
package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/parnurzeal/gorequest"
)

func main() {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		if request.Method == "GET" {
			fmt.Println("  sent", request.URL.RawQuery)
		} else {
			fmt.Printf("  sent %s %s\n", request.Header.Get("Content-Type"), body)
		}
	}))
	for _, query := range []string{`{"title":"a b"}`, `{"limit":10}`, `{"done":true}`, `{"tag":["red","blue"]}`} {
		fmt.Println("Query", query)
		gorequest.New().Get(server.URL).Query(query).End()
	}
	for _, text := range []string{`{"limit":10}`, `tag=red&tag=blue&tag=green`, `two words`, `{"id":1}{"id":2}`} {
		fmt.Println("Send", text)
		gorequest.New().Post(server.URL).Send(text).End()
	}
}
END
cat > expected <<'END'
Query {"title":"a b"}
  sent title=a+b
Query {"limit":10}
  sent %7B%22limit%22%3A10%7D=
Query {"done":true}
  sent %7B%22done%22%3Atrue%7D=
Query {"tag":["red","blue"]}
  sent %7B%22tag%22%3A%5B%22red%22%2C%22blue%22%5D%7D=
Send {"limit":10}
  sent application/json {"limit":10}
Send tag=red&tag=blue&tag=green
  sent application/x-www-form-urlencoded tag=green&tag=blue&tag=red
Send two words
  sent application/x-www-form-urlencoded two+words=
Send {"id":1}{"id":2}
  sent application/json {"id":1}
END
GO111MODULE=off GOFLAGS= GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache" go run find.go > seen
diff expected seen && echo 'as found'
