#!/bin/sh
# Debian's tcl8.6 8.6.13+dfsg-2, package http, on Debian 12.
# The option `-query` of http::geturl makes the request a POST. With an empty text, as from a form without fields, it
# is a GET: the job that an empty POST starts is not started, and the status is 200. With `-method POST` beside it,
# it is one.
set -eu
package=tcl8.6=8.6.13+dfsg-2
installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
[ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.tcl <<'END'
package require http

proc accepted {socket address port} {
  fconfigure $socket -translation {auto crlf}
  fileevent $socket readable [list answer $socket]
}
proc answer {socket} {
  set method [lindex [split [gets $socket] " "] 0]
  while {[gets $socket line] > 0} {}
  puts -nonewline $socket "HTTP/1.1 200 OK\nContent-Length: [string length $method]\nConnection: close\n\n$method"
  close $socket
}
set server [socket -server accepted -myaddr 127.0.0.1 0]
set port [lindex [fconfigure $server -sockname] 2]

foreach options {
  {-query name=one}
  {-query {}}
  {-query {} -type application/json}
  {-query {} -method POST}
} {
  set token [http::geturl http://127.0.0.1:$port/jobs {*}$options -timeout 5000]
  puts "$options: [http::data $token]"
  http::cleanup $token
}
END
cat > expected <<'END'
-query name=one: POST
-query {}: GET
-query {} -type application/json: GET
-query {} -method POST: POST
END
tclsh8.6 find.tcl > seen
diff expected seen && echo 'as found'
