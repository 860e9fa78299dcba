/** Servers of a few lines that people write themselves: the yardstick, and msw handlers in two ways. */
import { readFileSync } from 'node:fs'
import { byNode, type Peer } from './peer.ts'
import { whoami } from './task.ts'

const textOf = (name: string) => readFileSync(new URL(`served/${name}`, import.meta.url), 'utf8')

function files(script: string) {
  return (tasks: string) => ({
    [script]: textOf(script),
    'handlers.mjs': textOf('handlers.mjs'),
    'whoami.json': JSON.stringify(whoami),
    'tasks.json': tasks,
  })
}

/** The least that can be done. */
export const bare: Peer = {
  name: 'bare node:http',
  setUp: 'looks at the header, and keeps tasks in a Map; the yardstick',
  packages: [],
  files: files('bare.mjs'),
  command: (port) => byNode(port, 'bare.mjs'),
  yardstick: true,
}

/** What msw itself offers for serving handlers; it knows msw 2 only. */
export const mswMiddleware: Peer = {
  name: 'msw handlers, http-middleware',
  setUp: 'three handlers and a Map, served by @mswjs/http-middleware, which works with msw 2',
  packages: ['@mswjs/http-middleware@0.10', 'msw@2'],
  files: files('msw-middleware.mjs'),
  command: (port) => byNode(port, 'msw-middleware.mjs'),
}

/** The fastest way there is: no server framework, and no interception. */
export const mswByHand: Peer = {
  name: 'msw handlers, getResponse',
  setUp: 'the same handlers behind node:http in twelve lines of glue, as nobody offers it; the fastest way',
  packages: ['msw@3'],
  files: files('msw-by-hand.mjs'),
  command: (port) => byNode(port, 'msw-by-hand.mjs'),
  madeHere: true,
}
