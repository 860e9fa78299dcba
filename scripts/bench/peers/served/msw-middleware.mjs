/** The handlers, served by what the authors of msw offer for it. */
import { readFileSync } from 'node:fs'
import { createServer } from '@mswjs/http-middleware'
import * as msw from 'msw'
import { handlersOf } from './handlers.mjs'

const [whoami, tasks] = ['whoami.json', 'tasks.json'].map((name) => JSON.parse(readFileSync(name, 'utf8')))
createServer(...handlersOf(msw, whoami, tasks)).listen(Number(process.argv.at(-1)), '127.0.0.1')
