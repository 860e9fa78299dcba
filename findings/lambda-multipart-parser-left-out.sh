#!/bin/sh
# lambda-multipart-parser 1.0.1 and busboy 1.6.0, on Node 26.10.0.
# A form with a field that comes twice and with an empty file is read without an error: of the field there is the last
# value, and the file is not there at all, neither in `files` nor by its name. A handler cannot tell an empty upload from
# a form without one. busboy, an older release of which it is built on, reports all four parts.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . busboy@1.6.0 lambda-multipart-parser@1.0.1

cat > find.mjs <<'END'
import busboy from 'busboy'
import parser from 'lambda-multipart-parser'

const form = new FormData()
form.append('tag', 'red')
form.append('tag', 'blue')
form.append('log', new File(['one line'], 'a.log'))
form.append('log', new File([], 'empty.log'))
const request = new Response(form)
const headers = { 'content-type': request.headers.get('content-type') }
const bytes = Buffer.from(await request.arrayBuffer())

const { files, ...fields } = await parser.parse({ headers, body: bytes.toString('base64'), isBase64Encoded: true })
console.log('lambda-multipart-parser:', JSON.stringify(fields), files.map(({ filename }) => filename).join())

const seen = []
const reader = busboy({ headers })
reader.on('field', (name, value) => seen.push(`${name}=${value}`))
reader.on('file', (name, file, { filename }) => seen.push(filename) && file.resume())
reader.end(bytes)
await new Promise((closed) => reader.on('close', closed))
console.log('busboy:', seen.sort().join())
END
cat > expected <<'END'
lambda-multipart-parser: {"tag":"blue"} a.log
busboy: a.log,empty.log,tag=blue,tag=red
END
node find.mjs > seen
diff expected seen && echo 'as found'
