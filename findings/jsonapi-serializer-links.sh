#!/bin/sh
# jsonapi-serializer 3.6.9, on Node 26.10.0.
# Its Deserializer reads no links of a resource, so that its URL is lost, and gives each one those of the document in
# their place, as that of the next page. JSON:API does not ask a service to include a related resource: one that is not
# in `included` is left out with its id, and null in a list.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . jsonapi-serializer@3.6.9

cat > find.mjs <<'END'
import serializer from 'jsonapi-serializer'

const tasks = () => ['1', '2'].map((id) => ({
  type: 'tasks',
  id,
  attributes: { title: 'Buy milk' },
  relationships: { owner: { data: { type: 'people', id: '9' } }, tags: { data: [{ type: 'tags', id: '5' }] } },
  links: { self: `/tasks/${id}` },
}))
const read = (body) => new serializer.Deserializer().deserialize(body)
const show = (what, list) => console.log(what, ...list.map((task) => `\n  ${JSON.stringify(task)}`))
show('links of resources alone', await read({ data: tasks() }))
show('with links', await read({ data: tasks(), links: { next: '/tasks?page=2' } }))
show('with an owner', await read({ data: tasks(), included: [{ type: 'people', id: '9', attributes: {} }] }))
END
cat > expected <<'END'
links of resources alone 
  {"title":"Buy milk","id":"1","tags":[null]} 
  {"title":"Buy milk","id":"2","tags":[null]}
with links 
  {"title":"Buy milk","id":"1","tags":[null],"links":{"next":"/tasks?page=2"}} 
  {"title":"Buy milk","id":"2","tags":[null],"links":{"next":"/tasks?page=2"}}
with an owner 
  {"title":"Buy milk","id":"1","tags":[null],"owner":{"id":"9"}} 
  {"title":"Buy milk","id":"2","tags":[null],"owner":{"id":"9"}}
END
node find.mjs > seen
diff expected seen && echo 'as found'
