#!/bin/sh
# Debian's golang-github-moul-http2curl-dev 0.0~git20161031.0.4e24498+dfsg-1.1, on Debian 12.
# The curl command of a request joins the values of a header by a space: of two types that are accepted, and of two
# entity tags, it makes one that is none. The Host of the request is left out, so that the command asks another service.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root \
  golang-github-moul-http2curl-dev=0.0~git20161031.0.4e24498+dfsg-1.1 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.go <<'END'
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"

	"github.com/moul/http2curl"
)

func main() {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		fmt.Printf("  Accept %q, If-None-Match %q, for mocked.test %t\n",
			request.Header["Accept"], request.Header["If-None-Match"], request.Host == "mocked.test")
	}))
	request, _ := http.NewRequest("GET", server.URL+"/tasks", nil)
	request.Host = "mocked.test"
	request.Header.Add("Accept", "text/csv")
	request.Header.Add("Accept", "application/json")
	request.Header.Add("If-None-Match", `"a"`)
	request.Header.Add("If-None-Match", `"b"`)
	fmt.Println("Go")
	if _, err := http.DefaultClient.Do(request); err != nil {
		panic(err)
	}
	command, _ := http2curl.GetCurlCommand(request)
	fmt.Println("curl")
	run := exec.Command("sh", "-c", command.String()+" --silent --show-error")
	run.Stderr = os.Stderr
	if err := run.Run(); err != nil {
		panic(err)
	}
}
END
cat > expected <<'END'
Go
  Accept ["text/csv" "application/json"], If-None-Match ["\"a\"" "\"b\""], for mocked.test true
curl
  Accept ["text/csv application/json"], If-None-Match ["\"a\" \"b\""], for mocked.test false
END
GO111MODULE=off GOFLAGS= GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache" go run find.go > seen
diff expected seen && echo 'as found'
