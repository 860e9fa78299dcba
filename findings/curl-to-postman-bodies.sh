#!/bin/sh
# curl-to-postmanv2 1.8.4, on Node 26.10.0.
# The package of Postman's own import makes a request of a curl command, and says `result: true` of each of these.
# `--json`, which curl has had since 7.82, is dropped with its body: a POST becomes a GET. What `--data-urlencode` would
# encode is cut at its ampersand into two fields. An empty `-d ''` takes the URL for the body.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . curl-to-postmanv2@1.8.4

cat > find.cjs <<'END'
const { convert } = require('curl-to-postmanv2')

async function main() {
  for (const command of [
    `curl -H 'Content-Type: application/json' -d '{"title":"red"}' https://api.test/tasks`,
    `curl --json '{"title":"red"}' https://api.test/tasks`,
    `curl -d 'title=red%26blue' https://api.test/tasks`,
    `curl --data-urlencode 'title=red&blue' https://api.test/tasks`,
    `curl -G --data-urlencode 'title=red&blue' https://api.test/tasks`,
    `curl -X POST https://api.test/tasks/1/cancel`,
    `curl -d '' https://api.test/tasks/1/cancel`,
  ]) {
    const answer = await new Promise((done) => convert({ type: 'string', data: command }, (_, answer) => done(answer)))
    const { method, url, body } = answer.output[0].data
    console.log(command)
    console.log(`  ${answer.result}: ${method} ${url}`, JSON.stringify(body.raw ?? body.urlencoded?.map(({ key, value }) => [key, value])))
  }
}
main()
END
cat > expected <<'END'
curl -H 'Content-Type: application/json' -d '{"title":"red"}' https://api.test/tasks
  true: POST https://api.test/tasks "{\"title\":\"red\"}"
curl --json '{"title":"red"}' https://api.test/tasks
  true: GET https://api.test/tasks undefined
curl -d 'title=red%26blue' https://api.test/tasks
  true: POST https://api.test/tasks [["title","red&blue"]]
curl --data-urlencode 'title=red&blue' https://api.test/tasks
  true: POST https://api.test/tasks [["title","red"],["blue",""]]
curl -G --data-urlencode 'title=red&blue' https://api.test/tasks
  true: GET https://api.test/tasks?title=red&blue [["title","red"],["blue",""]]
curl -X POST https://api.test/tasks/1/cancel
  true: POST https://api.test/tasks/1/cancel undefined
curl -d '' https://api.test/tasks/1/cancel
  true: POST https://api.test/tasks/1/cancel [["https://api.test/tasks/1/cancel",""]]
END
node find.cjs > seen
diff expected seen && echo 'as found'
