#!/bin/sh
# Debian's golang-gopkg-h2non-gock.v1-dev 1.1.2-1, on Debian 12.
# Paths, values of the query and bodies of a mock are expressions that fit a part: the mock of page 1 answers for page
# 10, that of /tasks for /tasks/1 and /old/tasks, that of the body `red` for `not red`. Of two values for one name only
# the last counts. JSON is compared only under the type application/json as it stands: with a charset, as
# application/merge-patch+json or without a type the same body fits nothing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root golang-gopkg-h2non-gock.v1-dev=1.1.2-1 \
  golang-github-h2non-parth-dev=2.0.1-3 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.go <<'END'
package main

import (
	"fmt"
	"net/http"
	"strings"

	"gopkg.in/h2non/gock.v1"
)

func try(name string, mock func(*gock.Request), method, path, kind, body string) {
	defer gock.Off()
	mock(gock.New("http://mocked.test"))
	request, _ := http.NewRequest(method, "http://mocked.test"+path, strings.NewReader(body))
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	_, err := http.DefaultClient.Do(request)
	fmt.Printf("%s for %s %s %s %s: answered %t\n", name, method, path, kind, body, err == nil)
}

func main() {
	page := func(mock *gock.Request) { mock.Get("/tasks").MatchParam("page", "1") }
	both := func(mock *gock.Request) { mock.Get("/tasks").MatchParam("tag", "red").MatchParam("tag", "blue") }
	tasks := func(mock *gock.Request) { mock.Get("/tasks") }
	text := func(mock *gock.Request) { mock.Post("/tasks").BodyString("red") }
	json := func(mock *gock.Request) { mock.Post("/tasks").JSON(map[string]int{"age": 1}) }
	try("page 1", page, "GET", "/tasks?page=2", "", "")
	try("page 1", page, "GET", "/tasks?page=10", "", "")
	try("red and blue", both, "GET", "/tasks?tag=blue", "", "")
	try("/tasks", tasks, "GET", "/tasks/1", "", "")
	try("/tasks", tasks, "GET", "/old/tasks", "", "")
	try("red", text, "POST", "/tasks", "text/plain", "blue")
	try("red", text, "POST", "/tasks", "text/plain", "not red")
	for _, kind := range []string{"application/json", "application/json; charset=utf-8", "application/merge-patch+json", ""} {
		try("JSON", json, "POST", "/tasks", kind, `{"age":1}`)
	}
}
END
cat > expected <<'END'
page 1 for GET /tasks?page=2  : answered false
page 1 for GET /tasks?page=10  : answered true
red and blue for GET /tasks?tag=blue  : answered true
/tasks for GET /tasks/1  : answered true
/tasks for GET /old/tasks  : answered true
red for POST /tasks text/plain blue: answered false
red for POST /tasks text/plain not red: answered true
JSON for POST /tasks application/json {"age":1}: answered true
JSON for POST /tasks application/json; charset=utf-8 {"age":1}: answered false
JSON for POST /tasks application/merge-patch+json {"age":1}: answered false
JSON for POST /tasks  {"age":1}: answered false
END
GO111MODULE=off GOFLAGS= GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache" go run find.go > seen
diff expected seen && echo 'as found'
