/** A found history as a shell script of curl lines, and as a vitest file. */
import { curlOf, shownHeaders } from '#traffic/curl.ts'
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { createdId } from '../harness/created.ts'
import type { Finding } from './finding.ts'

/** Where the answer of each creating operation holds the id, as an expression of JavaScript. */
const places: Partial<Record<Exchange['operation'], string>> = {
  createTask: 'task.id',
  createDocument: 'item.id',
  createKey: 'key.id',
  createLandingPage: 'id',
}

/** A script that sends the requests of a finding one after the other, with the ids that come. `safe`: redacts. */
export function scriptOf({ violation, evidence }: Finding, safe: (text: string) => string): string {
  const names = new Map<string, string>()
  const lines = evidence.flatMap((exchange) => {
    const line = withIds(curlLine(exchange, safe), names)
    const id = isAccepted(exchange) ? createdId(exchange) : undefined
    const place = places[exchange.operation]
    const comment = `# ${exchange.number}: answered ${exchange.status}`
    if (id === undefined || place === undefined) return [comment, line, 'echo']
    const name = `ID_${exchange.number}`
    names.set(id, name)
    return [
      comment,
      `ANSWER=$(${line.replace('curl -i', 'curl -s')})`,
      `${name}=$(node -p "JSON.parse(process.argv[1]).${place}" "$ANSWER")`,
      ...(exchange.operation === 'createKey'
        ? ['CREATED_KEY=$(node -p "JSON.parse(process.argv[1]).secret" "$ANSWER")']
        : []),
    ]
  })
  return [
    '#!/bin/sh',
    `# ${violation.requirement}: expected ${oneLine(safe(violation.expected))}`,
    `# got ${oneLine(safe(violation.actual))}`,
    ...lines,
    '',
  ].join('\n')
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

function curlLine(exchange: Exchange, safe: (text: string) => string): string {
  const { method, url, requestBody } = exchange
  return curlOf({
    method,
    url: safe(url),
    requestHeaders: Object.fromEntries(
      Object.entries(shownHeaders(exchange)).map(([name, value]) => [name, safe(value)]),
    ),
    requestBody: requestBody === undefined ? undefined : safe(requestBody),
  })
}

/** A line with variables in place of ids that earlier lines made; URLs are in single quotes. */
function withIds(line: string, names: ReadonlyMap<string, string>): string {
  return [...names].reduce((text, [id, name]) => text.replaceAll(`/${id}`, `/'"$${name}"'`), line)
}

/** A vitest file that tries a saved history again. `file`: its name, beside the test. */
export function testOf({ violation }: Finding, file: string): string {
  return `/** ${violation.requirement}: the service must not show this history again. Set WORK_AGENT_BASE_URL and the credentials. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('${violation.requirement}', () => {
  const history = fileURLToPath(new URL('./${file}', import.meta.url))
  const command = ['work-agent-contract', 'verify', '--explore-replay', history]
  const { status, stdout } = spawnSync('npx', command, { encoding: 'utf8' })
  expect(status, stdout).toBe(0)
}, 120_000)
`
}
