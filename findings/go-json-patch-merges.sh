#!/bin/sh
# Debian's golang-github-evanphx-json-patch-dev 5.2.0-2, with golang-1.19-go 1.19.8-2, on Debian 12.
# CreateMergePatch() compares numbers as floats: the patch between two ids of 20 digits is empty. MergePatch() drops
# the nulls from objects in a list, where RFC 7396 has the list of the patch replace that of the document as it is;
# so the patch that leads from one document to another leads to a third one.
set -eu
for package in golang-github-evanphx-json-patch-dev=5.2.0-2 golang-1.19-go=1.19.8-2; do
  installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
  [ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.go <<'END'
package main

import (
	"fmt"

	jsonpatch "github.com/evanphx/json-patch"
)

func main() {
	for _, pair := range [][2]string{
		{`{"id":1}`, `{"id":2}`},
		{`{"id":12345678901234567890}`, `{"id":12345678901234567891}`},
		{`{"tasks":[]}`, `{"tasks":[{"due":null}]}`},
	} {
		patch, err := jsonpatch.CreateMergePatch([]byte(pair[0]), []byte(pair[1]))
		if err != nil {
			panic(err)
		}
		merged, err := jsonpatch.MergePatch([]byte(pair[0]), patch)
		if err != nil {
			panic(err)
		}
		fmt.Printf("to %s: patch %s, merged %s\n", pair[1], patch, merged)
	}
}
END
cat > expected <<'END'
to {"id":2}: patch {"id":2}, merged {"id":2}
to {"id":12345678901234567891}: patch {}, merged {"id":12345678901234567890}
to {"tasks":[{"due":null}]}: patch {"tasks":[{"due":null}]}, merged {"tasks":[{}]}
END
GO111MODULE=off GOFLAGS= GOPATH=/usr/share/gocode GOCACHE="$folder/cache" /usr/lib/go-1.19/bin/go run find.go > seen
diff expected seen && echo 'as found'
