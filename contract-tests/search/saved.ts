/** A found history as a file, to be tried again on any service, as a shell script of curl lines, and as tests. */
import { z } from 'zod'
import { problemOf } from '#contract/input/checked.ts'
import { routeOf } from '#contract/operation.ts'
import { idPlaces } from '../harness/operations.ts'
import type { Finding } from './findings.ts'
import { type CallStep, type Credential, callsOf, type Ref, type Step, step, type Tenant } from './step.ts'

const saved = z.strictObject({
  requirement: z.string(),
  /** What it showed: for people, and not read again. */
  expected: z.string().optional(),
  actual: z.string().optional(),
  before: z.array(z.string()).optional(),
  before_steps: z.array(z.array(z.string())).optional(),
  /** How it was seen; absent: replays showed it. */
  how: z.enum(['replayed', 'read again', 'once', 'untried', 'suspected']).optional(),
  /** It showed only where something was before that is not in the steps. */
  is_here: z.boolean().optional(),
  /** The day on which it showed no more. */
  fixed: z.iso.date().optional(),
  steps: z.array(step).min(1).readonly(),
})

/** A history and the requirement that it showed to be violated. */
export type SavedHistory = Readonly<
  Pick<z.output<typeof saved>, 'requirement' | 'how' | 'is_here' | 'fixed' | 'steps'>
>

/** The file of a finding. Steps hold no secret: credentials are named. */
export function saveFinding({ violation, how, isHere, before, before_steps, steps }: Finding): string {
  const { requirement, expected, actual } = violation
  return `${JSON.stringify({ requirement, expected, actual, how, is_here: isHere || undefined, before, before_steps, steps }, null, 2)}\n`
}

/** Reads a file. @throws Error that says what is wrong with it. */
export function readSaved(json: unknown): SavedHistory {
  const read = saved.safeParse(json)
  if (read.success) return read.data
  throw new Error(problemOf(read.error.issues, 'the file'))
}

/** Headers of an exchange that the lines set themselves, or that need not be the same. */
const own = new Set(['accept', 'authorization', 'content-type', 'cookie', 'user-agent', 'x-request-id'])

/** A script that does the steps of a finding, with the ids that come. `safe`: redacts. */
export function scriptOf(finding: Finding, safe: (text: string) => string): string {
  const { violation, evidence, steps } = finding
  const [first] = evidence
  const base = first?.url.replace(/\/api\/cli\/.*/s, '') ?? ''
  const headers = Object.entries(first?.requestHeaders ?? {}).filter(([name]) => !own.has(name))
  const creations = new Map(steps.flatMap(callsOf).map(({ at, operation }) => [at, operation]))
  const known = new Set<string>()
  return [
    '#!/bin/sh',
    `# ${violation.requirement}: expected ${oneLine(safe(violation.expected))}`,
    `# got ${oneLine(safe(violation.actual))}`,
    ...doubtsOf(finding).map((line) => `# ${line}`),
    '# Needs curl, node, and the credentials in the variables that are named below.',
    `BASE=\${WORK_AGENT_BASE_URL:-${quoted(safe(base))}}`,
    'TAG=replay-$(date +%s)',
    'ANSWERS=$(mktemp -d)',
    `trap 'rm -r "$ANSWERS"' EXIT`,
    askWith(headers.map(([name, value]) => `-H ${quoted(safe(`${name}: ${value}`))} `).join('')),
    ...(steps.some(({ kind }) => kind === 'state') ? [arrange] : []),
    ...(steps.some(({ kind }) => kind === 'end') ? [finish] : []),
    ...steps.flatMap((step) => linesOf(step, creations, known)),
    '',
  ].join('\n')
}

/** Shell functions that send a request and keep its answer, and that read an answer. */
const askWith = (headers: string) => `ask() { # step, method, path, further arguments of curl
  step=$1 method=$2 path=$3
  shift 3
  STATUS=$(curl -sS -X "$method" "$BASE$path" -o "$ANSWERS/$step" -w '%{http_code}' -H 'accept: application/json' ${headers}"$@")
  echo "# $step: $STATUS $method $path $(cat "$ANSWERS/$step")"
}
from() { # step, an expression of its answer
  node -p "const answer = JSON.parse(require('fs').readFileSync('$ANSWERS/$1', 'utf8')); $2"
}
id() { from "$1" "encodeURIComponent($2)"; }`

/** A shell function that sets a provider state up. */
const arrange = `arrange() { # header with the key, state, its parameters
  ask org GET /api/cli/whoami -H "$1" > "$ANSWERS/log"
  BODY=$(from org "JSON.stringify({ state: '$2', action: 'setup', params: { ...$3, org_id: answer.org.id } })")
  STATUS=$(curl -sS "$WORK_AGENT_STATES_URL" -o "$ANSWERS/log" -w '%{http_code}' -H 'content-type: application/json' --data-raw "$BODY")
  echo "# state $2 $3: $STATUS"
}`

/** A shell function that reads a task until it is finished. */
const finish = `finish() { # step, path, header with the key
  for i in $(seq 300); do
    ask "$1" GET "$2" -H "$3" > "$ANSWERS/log"
    [ "$(from "$1" 'answer.finished === false')" = true ] || break
    sleep 0.2
  done
  cat "$ANSWERS/log"
}`

/** What a reader must know who does the steps again. */
function doubtsOf({ how, isHere }: Pick<Finding, 'how' | 'isHere'>): string[] {
  if (isHere)
    return [
      'It showed in one organization, and not in one that nobody had used: what was there before is not in these steps.',
    ]
  if (how === 'replayed') return []
  const seen = how === 'read again' ? 'The same was read three times' : 'It was seen once'
  return [
    `${seen}, and no replay of these steps has shown it: that they show nothing does not mean it is gone.`,
  ]
}

type Creations = ReadonlyMap<number, CallStep['operation']>

/** A step, after what it refers to is put into variables: so requests of a burst leave at once. */
function linesOf(step: Step, creations: Creations, known: Set<string>): string[] {
  const refs = [...callsOf(step).map(({ of }) => of), ...(step.kind === 'end' ? [step.of] : [])]
  const secrets = callsOf(step).flatMap(({ as }) => (typeof as === 'object' ? [as.made] : []))
  const variables = [
    ...refs.flatMap((ref) =>
      typeof ref === 'object' ? [[nameOf(ref), commandFor(ref, creations)] as const] : [],
    ),
    ...secrets.map((made) => [`SECRET_${made}`, `from ${made} answer.secret`] as const),
  ]
  const fresh = new Map(variables.filter(([name]) => !known.has(name)))
  for (const name of fresh.keys()) known.add(name)
  return [...[...fresh].map(([name, value]) => `${name}=$(${value})`), ...doing(step)]
}

function doing(step: Step): string[] {
  switch (step.kind) {
    case 'call':
      return [lineOf(step)]
    case 'burst':
      return ['# at once', ...step.calls.map((call) => `${lineOf(call)} &`), 'wait']
    case 'wait':
      return [`sleep ${step.ms / 1_000}`]
    case 'end':
      return [`finish ${step.at} "/api/cli/tasks/${idOf(step.of)}" ${headerOf('key', step.tenant)}`]
    case 'state':
      return [`arrange ${headerOf('key', step.tenant)} ${step.state} ${quoted(JSON.stringify(step.params))}`]
  }
}

function lineOf({ at, tenant, as, operation, of, query, body }: CallStep): string {
  const { method, path } = routeOf(operation)
  const search = query ? `?${new URLSearchParams(query)}`.replaceAll('%7Btag%7D', '{tag}') : ''
  const url = `${path.replace(':id', () => (of === undefined ? '' : idOf(of)))}${withTag(named(search))}`
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const header = headerOf(as, tenant)
  const parts = [`ask ${at} ${method} "${url}"`, ...(header === undefined ? [] : [`-H ${header}`])]
  if (body !== undefined)
    parts.push(`-H 'content-type: application/json' --data-raw ${withTag(quoted(text), `'"`)}`)
  return parts.join(' ')
}

/** The id that a reference stands for, for a place in double quotes. */
const idOf = (ref: Ref | string) =>
  typeof ref === 'string' ? named(encodeURIComponent(ref)) : `$${nameOf(ref)}`

const nameOf = (ref: Ref) =>
  'made' in ref ? `ID_${ref.made}` : `${ref.unread ? 'UNREAD' : 'READ'}_${ref.listed}_${ref.nth}`

/** The command that finds the id. */
const commandFor = (ref: Ref, creations: Creations) =>
  'made' in ref
    ? `id ${ref.made} '${placeOf(creations.get(ref.made))}'`
    : `id ${ref.listed} 'answer.items.filter(({ read }) => read === ${!ref.unread})[${ref.nth}].id'`

/** Where the answer of a creating operation holds the id, as an expression of JavaScript. */
const placeOf = (operation: CallStep['operation'] | undefined) =>
  (operation ? (idPlaces[operation] ?? []) : []).map((path) => ['answer', ...path].join('?.')).join(' ?? ')

/** The header that authenticates, in double quotes; undefined: none. */
function headerOf(as: Credential, tenant: Tenant): string | undefined {
  const other = tenant === 'main' ? '' : 'OTHER_'
  if (typeof as === 'object') return `"authorization: Bearer $SECRET_${as.made}"`
  if (as === 'key') return `"authorization: Bearer $WORK_AGENT_${other}API_KEY"`
  if (as === 'session') return `"cookie: $WORK_AGENT_${other}SESSION_COOKIE"`
  return as === 'invalid' ? '"authorization: Bearer no-such-key-0123456789"' : undefined
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

/** In single quotes, where the shell expands nothing. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** For a place in double quotes. */
const named = (text: string) => text.replace(/["\\`$]/g, '\\$&')

/** With the mark of the replay; `out`: what ends the quotes around it. */
const withTag = (text: string, out = '') =>
  text.replaceAll('{tag}', `${out}$TAG${[...out].toReversed().join('')}`)

/** What the tests of a finding say of it. */
const headOf = (finding: Finding) =>
  [
    `${finding.violation.requirement}: the service must not show this history again.`,
    'Set WORK_AGENT_BASE_URL and the credentials.',
    ...doubtsOf(finding),
  ].join(' ')

/** A vitest file that tries a saved history again. `file`: its name, beside the test. */
export function testOf(finding: Finding, file: string): string {
  const { requirement } = finding.violation
  return `/** ${headOf(finding)} */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('${requirement}', () => {
  const history = fileURLToPath(new URL('./${file}', import.meta.url))
  const command = ['--no-install', 'work-agent-contract', 'verify', '--explore-replay', history]
  const { status, stdout } = spawnSync('npx', command, { encoding: 'utf8' })
  expect(status, stdout).toBe(0)
}, 120_000)
`
}

/** The same for pytest. */
export function pytestOf(finding: Finding, file: string): string {
  const name = finding.violation.requirement.toLowerCase().replace(/\W+/g, '_')
  return `"""${headOf(finding)}"""
import os
import shlex
import subprocess
from pathlib import Path

COMMAND = os.environ.get("WORK_AGENT_COMMAND", "npx --no-install work-agent-contract")


def test_${name}():
    history = Path(__file__).with_name("${file}")
    command = [*shlex.split(COMMAND), "verify", "--explore-replay", str(history)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
`
}
