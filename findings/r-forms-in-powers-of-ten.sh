#!/bin/sh
# Debian's r-cran-crul 1.3+dfsg-1 and r-cran-httr 1.4.5+dfsg-1, on Debian 12.
# The number 100000 is sent in JSON as it is written. In a form both send 1e+05, which a service that reads whole
# numbers refuses or takes for 1, and httr does so in a query too, where crul does not. 100001 is sent as 100001.
set -eu
for package in r-cran-crul=1.3+dfsg-1 r-cran-httr=1.4.5+dfsg-1; do
  installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
  [ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > server.py <<'END'
from http.server import BaseHTTPRequestHandler, HTTPServer


class Echo(BaseHTTPRequestHandler):
    def do_GET(self):
        sent = self.rfile.read(int(self.headers.get("content-length", 0))) or self.path.encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_):
        pass

    do_POST = do_GET


server = HTTPServer(("127.0.0.1", 0), Echo)
print(server.server_port, flush=True)
server.serve_forever()
END
python3 server.py > port &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done

cat > find.R <<'END'
suppressMessages({
  library(crul)
  library(httr)
})
url <- paste0('http://127.0.0.1:', readLines('port'))
client <- HttpClient$new(url)
of <- function(answer) httr::content(answer, 'text', encoding = 'UTF-8')
for (price in c(100000, 100001)) {
  fields <- list(price = price)
  cat('crul', client$get('/', query = fields)$parse('UTF-8'))
  for (encode in c('form', 'json')) cat('', client$post('/', body = fields, encode = encode)$parse('UTF-8'))
  cat('\nhttr', of(GET(url, path = '/', query = fields)))
  for (encode in c('form', 'json')) cat('', of(POST(url, body = fields, encode = encode)))
  cat('\n')
}
END
cat > expected <<'END'
crul /?price=100000 price=1e%2B05 {"price":100000}
httr /?price=1e%2B05 price=1e%2B05 {"price":100000}
crul /?price=100001 price=100001 {"price":100001}
httr /?price=100001 price=100001 {"price":100001}
END
Rscript find.R > seen
diff expected seen && echo 'as found'
