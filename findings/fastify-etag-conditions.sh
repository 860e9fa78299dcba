#!/bin/sh
# @fastify/etag 6.2.0 on fastify 5.12.8, express 5.3.0, on Node 26.10.0.
# `If-None-Match` may list several ETags or be `*`, and belongs to GET and HEAD. The plugin knows one ETag alone, so a
# cache that holds two versions and asks with both gets the whole answer again, and it heeds the field in a POST: the
# task is made, and the client gets 304 without it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . fastify@5.12.8 @fastify/etag@6.2.0 express@5.3.0

cat > find.mjs <<'END'
import { request } from 'node:http'
import etag from '@fastify/etag'
import express from 'express'
import Fastify from 'fastify'

const task = { id: 1 }
const fastify = Fastify()
await fastify.register(etag)
fastify.all('/', () => task)
const services = { fastify: await fastify.listen({ port: 0, host: '127.0.0.1' }) }
const server = express().all('/', (_, answer) => answer.json(task)).listen(0, '127.0.0.1')
await new Promise((listening) => server.on('listening', listening))
services.express = `http://127.0.0.1:${server.address().port}`

/** Asks by node:http, as fetch would add fields of its own. */
const ask = (url, method, headers) =>
  new Promise((resolve) => request(url, { method, headers }, (answer) => resolve(answer.resume())).end())
for (const [name, url] of Object.entries(services)) {
  const { headers } = await ask(url, 'GET', {})
  for (const [method, value] of [
    ['GET', headers.etag],
    ['GET', `"older", ${headers.etag}`],
    ['GET', '*'],
    ['POST', headers.etag],
  ]) {
    const { statusCode } = await ask(url, method, { 'if-none-match': value })
    console.log(`${name}, ${method} with ${value.replace(headers.etag, 'the ETag')}: ${statusCode}`)
  }
}
process.exit()
END
cat > expected <<'END'
fastify, GET with the ETag: 304
fastify, GET with "older", the ETag: 200
fastify, GET with *: 200
fastify, POST with the ETag: 304
express, GET with the ETag: 304
express, GET with "older", the ETag: 304
express, GET with *: 304
express, POST with the ETag: 200
END
node find.mjs > seen
diff expected seen && echo 'as found'
