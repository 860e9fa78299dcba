#!/bin/sh
# @usebruno/converters 0.23.0, on Node 26.10.0.
# Bruno's own converters. A request whose query has an address, as of a callback, has no URL at all in the Postman
# collection, without an error. Of an OpenAPI document a list in the query or in a form, which is sent as
# `tag=red&tag=blue`, becomes the one value `red,blue`, and bodies in `application/merge-patch+json` and `text/csv` lose
# their type: Bruno sends them as application/json and text/plain.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @usebruno/converters@0.23.0

cat > find.cjs <<'END'
const { brunoToPostman, openApiToBruno } = require('@usebruno/converters')

const request = (name, url) => ({
  uid: name, name, type: 'http-request', seq: 1,
  request: { method: 'POST', url, auth: { mode: 'none' }, headers: [], params: [], body: { mode: 'none' }, script: {}, vars: {} },
})
const items = [request('plain', 'https://api.test/hooks?kind=task'), request('callback', 'https://api.test/hooks?to=https://app.test/hook')]
for (const { name, request } of brunoToPostman({ version: '1', name: 'Hooks', items }).item) console.log(name, JSON.stringify(request.url.raw))

const tags = { type: 'array', items: { type: 'string' }, example: ['red', 'blue'] }
const body = (type, media) => ({ requestBody: { content: { [type]: media } }, responses: { 204: { description: 'done' } } })
const document = {
  openapi: '3.0.3',
  info: { title: 'Tasks', version: '1' },
  servers: [{ url: 'https://api.test' }],
  paths: {
    '/tasks': {
      get: { parameters: [{ in: 'query', name: 'tag', schema: tags, example: ['red', 'blue'] }], responses: { 204: { description: 'done' } } },
      post: body('application/x-www-form-urlencoded', { schema: { type: 'object', properties: { tag: tags } } }),
      patch: body('application/merge-patch+json', { example: { due: null } }),
      put: body('text/csv', { example: 'id,title' }),
    },
  },
}
async function main() {
  const made = await openApiToBruno(document)
  const show = ({ items, request }) => {
    for (const item of items ?? []) show(item)
    if (!request) return
    const pairs = (list) => list.map(({ name, value }) => `${name}=${value}`).join('&')
    const { mode, json, text, formUrlEncoded } = request.body
    console.log(request.method, `query ${pairs(request.params)}, headers ${pairs(request.headers)}, body ${mode} ${JSON.stringify(json ?? text ?? pairs(formUrlEncoded))}`)
  }
  show(made.collection ?? made)
}
main()
END
cat > expected <<'END'
plain "https://api.test/hooks?kind=task"
callback undefined
GET query tag=red,blue, headers , body none ""
POST query , headers , body formUrlEncoded "tag=red,blue"
PATCH query , headers , body json "{\n  \"due\": null\n}"
PUT query , headers , body text "id,title"
END
node find.cjs > seen 2> errors
diff expected seen && echo 'as found'
