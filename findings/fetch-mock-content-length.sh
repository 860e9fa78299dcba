#!/bin/sh
# fetch-mock 12.6.0, the Content-Length that it adds by itself, on Node 26.10.0.
# The header counts the units of a JavaScript string and not the bytes of the body, so that an answer with a euro sign
# announces fewer bytes than it has. A program that checks the length, or shows progress by it, is wrong in tests alone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . fetch-mock@12.6.0

cat > find.mjs <<'END'
import fetchMock from 'fetch-mock'

fetchMock.mockGlobal()
for (const body of ['5 EUR', '5 €']) {
  fetchMock.removeRoutes().route('http://mocked.test/', { body })
  const answer = await fetch('http://mocked.test/')
  console.log(`${body}: announces ${answer.headers.get('content-length')},`, (await answer.bytes()).length, 'arrive')
}
END
cat > expected <<'END'
5 EUR: announces 5, 5 arrive
5 €: announces 3, 5 arrive
END
node find.mjs > seen
diff expected seen && echo 'as found'
