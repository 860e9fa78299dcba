#!/bin/sh
# Debian's golang-github-gin-contrib-sse-dev 0.1.0-2, on Debian 12.
# What Encode() of gin's events writes, Decode() of the same package reads otherwise: the pause before a reconnect takes
# the place of the id, which a reader then sends as Last-Event-ID. A space at the start of the data is written without
# the one that a reader leaves out, so that every reader loses it; nil is the text <nil>; a CR in a text is a backslash
# and an r.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root golang-github-gin-contrib-sse-dev=0.1.0-2 > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > find.go <<'END'
package main

import (
	"bytes"
	"fmt"

	"github.com/gin-contrib/sse"
)

func main() {
	for _, event := range []sse.Event{
		{Id: "7", Event: "note", Data: "one\ntwo"},
		{Id: "7", Event: "note", Data: "one", Retry: 3000},
		{Event: "note", Data: " more"},
		{Event: "note", Data: "one\r\ntwo"},
		{Event: "note", Data: nil},
	} {
		var stream bytes.Buffer
		if err := sse.Encode(&stream, event); err != nil {
			panic(err)
		}
		text := stream.String()
		read, err := sse.Decode(&stream)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%q\n", text)
		fmt.Printf("  id %q, retry %d, data %q\n", read[0].Id, read[0].Retry, read[0].Data)
	}
}
END
cat > expected <<'END'
"id:7\nevent:note\ndata:one\ndata:two\n\n"
  id "7", retry 0, data "one\ntwo"
"id:7\nevent:note\nretry:3000\ndata:one\n\n"
  id "3000", retry 0, data "one"
"event:note\ndata: more\n\n"
  id "", retry 0, data "more"
"event:note\ndata:one\\r\ndata:two\n\n"
  id "", retry 0, data "one\\r\ntwo"
"event:note\ndata:<nil>\n\n"
  id "", retry 0, data "<nil>"
END
GO111MODULE=off GOFLAGS= GOPATH="$folder/usr/share/gocode" GOCACHE="$folder/cache" go run find.go > seen
diff expected seen && echo 'as found'
