#!/bin/sh
# cloudevents 10.0.0, on Node 26.10.0.
# By the HTTP binding of CloudEvents, attributes that stand in headers have their signs outside of ASCII, spaces and
# percent signs encoded, and a reader decodes them. It does neither: such a subject cannot be sent, and what another SDK
# sent arrives encoded. JSON under a type ending in `+json` is not parsed in a binary message, and a structured one is
# none if its media type is in capitals.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . cloudevents@10.0.0

cat > find.mjs <<'END'
import { CloudEvent, HTTP } from 'cloudevents'

const attributes = { id: '1', source: '/tasks', type: 'test.task' }
const { headers } = HTTP.binary(new CloudEvent({ ...attributes, subject: '5 € 100%', data: {} }))
console.log('written subject:', headers['ce-subject'])
try {
  console.log('as a header of fetch:', new Headers({ 'ce-subject': headers['ce-subject'] }).get('ce-subject'))
} catch (error) {
  console.log('as a header of fetch:', error.name)
}
const binary = (type, more) => ({
  headers: { 'content-type': type, 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/', 'ce-type': 't', ...more },
  body: '{"done":true}',
})
const encoded = binary('application/json', { 'ce-subject': '5%20%E2%82%AC%20100%25' })
console.log('read subject:', HTTP.toEvent(encoded).subject)
for (const type of ['application/json', 'application/vnd.task+json', 'Application/JSON'])
  console.log(`binary, ${type}: data is a ${typeof HTTP.toEvent(binary(type)).data}`)
for (const type of ['application/cloudevents+json', 'Application/CloudEvents+JSON']) {
  const message = { headers: { 'content-type': type }, body: JSON.stringify({ specversion: '1.0', ...attributes }) }
  try {
    console.log(`structured, ${type}: ${HTTP.toEvent(message).type}`)
  } catch (error) {
    console.log(`structured, ${type}: throws ${error.message.trim()}`)
  }
}
END
cat > expected <<'END'
written subject: 5 € 100%
as a header of fetch: TypeError
read subject: 5%20%E2%82%AC%20100%25
binary, application/json: data is a object
binary, application/vnd.task+json: data is a string
binary, Application/JSON: data is a string
structured, application/cloudevents+json: test.task
structured, Application/CloudEvents+JSON: throws no cloud event detected
END
node find.mjs > seen
diff expected seen && echo 'as found'
