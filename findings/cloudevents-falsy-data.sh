#!/bin/sh
# cloudevents 10.0.0, on Node 26.10.0.
# By the JSON format of CloudEvents `data` may be any JSON value. Read from a structured message, 0, false and an empty
# text are no data at all, where 5 and true are. As a binary message such values are not serialized, as an object is:
# the body is a number or a boolean, and a text goes out without its quotes under `application/json`, so that it is no
# JSON.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . cloudevents@10.0.0

cat > find.mjs <<'END'
import { CloudEvent, HTTP } from 'cloudevents'

const show = (value) => (value === undefined ? 'undefined' : JSON.stringify(value))
for (const data of [{ left: 0 }, 5, 0, true, false, 'done', '', null]) {
  const event = new CloudEvent({ id: '1', source: '/tasks', type: 'test.task', data })
  const structured = HTTP.structured(event)
  const { body, headers } = HTTP.binary(event)
  console.log(`data ${show(data)}:`)
  const sent = show(JSON.parse(structured.body).data)
  console.log(`  structured: sent ${sent}, read ${show(HTTP.toEvent(structured).data)}`)
  console.log(`  binary: ${headers['content-type']}, body a ${typeof body}: ${body}`)
}
END
cat > expected <<'END'
data {"left":0}:
  structured: sent {"left":0}, read {"left":0}
  binary: application/json; charset=utf-8, body a string: {"left":0}
data 5:
  structured: sent 5, read 5
  binary: application/json; charset=utf-8, body a number: 5
data 0:
  structured: sent 0, read undefined
  binary: application/json; charset=utf-8, body a number: 0
data true:
  structured: sent true, read true
  binary: application/json; charset=utf-8, body a boolean: true
data false:
  structured: sent false, read undefined
  binary: application/json; charset=utf-8, body a boolean: false
data "done":
  structured: sent "done", read "done"
  binary: application/json; charset=utf-8, body a string: done
data "":
  structured: sent "", read undefined
  binary: application/json; charset=utf-8, body a string: 
data null:
  structured: sent null, read undefined
  binary: application/json; charset=utf-8, body a string: null
END
node find.mjs > seen
diff expected seen && echo 'as found'
