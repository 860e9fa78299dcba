#!/bin/sh
# Debian's r-cran-vcr 1.2.0+dfsg-1 with r-cran-crul 1.3+dfsg-1 and r-cran-webmockr 0.8.2-1, on Debian 12.
# A cassette has the address of a request without its port: what one service on this machine answered is played for
# another one on it. Two `Set-Cookie` headers are played as one with a comma, and of an answer that came after a
# redirect the playback says that it does not know the request.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet -o APT::Sandbox::User=root r-cran-vcr=1.2.0+dfsg-1 r-cran-crul=1.3+dfsg-1 \
  r-cran-webmockr=0.8.2-1 r-cran-askpass r-cran-base64enc r-cran-curl r-cran-fauxpas r-cran-httpcode r-cran-httr r-cran-jsonlite \
  r-cran-magrittr r-cran-mime r-cran-openssl r-cran-r6 r-cran-rcpp r-cran-rprojroot r-cran-sys r-cran-triebeard \
  r-cran-urltools r-cran-whisker r-cran-yaml > log
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > server.mjs <<'END'
import { createServer } from 'node:http';

const answer = (name) => (request, answer) => {
  answer.setHeader('connection', 'close');
  if (request.url === '/cookies') answer.setHeader('set-cookie', ['a=1', 'b=2']);
  if (request.url === '/moved') answer.writeHead(302, { location: '/tasks' });
  answer.end(name);
};
const ports = ['one', 'other'].map((name) => new Promise((listening) => {
  const server = createServer(answer(name)).listen(0, '127.0.0.1', () => listening(server.address().port));
}));
console.log((await Promise.all(ports)).join('\n'));
END
node server.mjs > ports &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
until [ -s ports ]; do sleep 0.1; done

cat > find.R <<'END'
.libPaths(c('usr/lib/R/site-library', .libPaths()))
suppressMessages({
  library(crul)
  library(vcr)
  configuration <- vcr_configure(dir = 'cassettes')
})
services <- lapply(readLines('ports'), function(port) HttpClient$new(paste0('http://127.0.0.1:', port)))
ask <- function(name, how, request) {
  seen <- tryCatch({
    suppressMessages(use_cassette(name, seen <- request()))
    paste(seen, collapse = ' and ')
  }, error = function(error) 'an error: the request is not known')
  cat(name, ', ', how, ': ', seen, '\n', sep = '')
}
ask('ports', 'recorded at one', function() services[[1]]$get('tasks')$parse('UTF-8'))
ask('ports', 'asked of the other', function() services[[2]]$get('tasks')$parse('UTF-8'))
for (how in c('recorded', 'played')) ask('cookies', how, function() {
  headers <- services[[1]]$get('cookies')$response_headers
  headers[names(headers) == 'set-cookie']
})
for (how in c('recorded', 'played')) ask('redirect', how, function() services[[1]]$get('moved')$parse('UTF-8'))
END
cat > expected <<'END'
ports, recorded at one: one
ports, asked of the other: one
cookies, recorded: a=1 and b=2
cookies, played: a=1,b=2
redirect, recorded: one
redirect, played: an error: the request is not known
END
Rscript find.R > seen
diff expected seen && echo 'as found'
