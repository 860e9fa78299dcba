#!/bin/sh
# Debian's r-cran-webmockr 0.8.2-1 with r-cran-crul 1.3+dfsg-1, on Debian 12.
# A stub with two answers, a 503 and then a 200, gives them in that order in the first test. In the second test,
# after stub_registry_clear(), the same stub begins with the 200: what counts is how often the URL was asked for
# since the process began, or since request_registry_clear(). The retry is never tested.
set -eu
for package in r-cran-webmockr=0.8.2-1 r-cran-crul=1.3+dfsg-1; do
  installed=$(dpkg-query --show --showformat '${Version}' "${package%%=*}" 2>/dev/null || true)
  [ "$installed" = "${package#*=}" ] || { echo "needs $package, found: ${installed:-none}" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > find.R <<'END'
suppressMessages({
  library(crul)
  library(webmockr)
  webmockr::enable(quiet = TRUE)
})
answers <- function(name) {
  stub <- to_return(to_return(stub_request('get', 'http://mocked.test/tasks'), status = 503), status = 200)
  statuses <- sapply(1:3, function(attempt) HttpClient$new('http://mocked.test')$get('tasks')$status_code)
  cat(name, ': ', paste(statuses, collapse = ' '), '\n', sep = '')
  stub_registry_clear()
}
answers('first test')
answers('second test')
request_registry_clear()
answers('after request_registry_clear()')
END
cat > expected <<'END'
first test: 503 200 200
second test: 200 200 200
after request_registry_clear(): 503 200 200
END
Rscript find.R > seen
diff expected seen && echo 'as found'
