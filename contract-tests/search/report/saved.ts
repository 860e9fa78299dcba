/** Saves a finding as a file to replay, as a shell script of curl lines, and as tests. */
import { z } from 'zod'
import { tryParse } from '#contract/input/checked.ts'
import { routeOf } from '#contract/operation.ts'
import { createdIdPathsByOperation } from '../../harness/operations.ts'
import {
  type CallStep,
  type ResourceRef,
  requestsOfStep,
  type Step,
  type StepCredential,
  type StepTenant,
  stepSchema,
} from '../step.ts'
import type { Finding } from './findings.ts'

/** Property names of steps in files that earlier versions wrote. */
const formerNames: Readonly<Record<string, string>> = {
  at: 'stepId',
  of: 'target',
  as: 'credential',
  made: 'createdBy',
}

/** Steps of an earlier version with the names that they have now. */
function withCurrentNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withCurrentNames)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => {
    if (name === 'kind' && one === 'end') return [name, 'awaitRun']
    const isSent = name === 'body' || name === 'params' || name === 'query'
    return [formerNames[name] ?? name, isSent ? one : withCurrentNames(one)]
  })
  return Object.fromEntries(entries)
}

const savedSchema = z.strictObject({
  requirement: z.string(),
  /** Description for people, not read again. */
  expected: z.string().optional(),
  actual: z.string().optional(),
  before: z.array(z.string()).optional(),
  before_steps: z.array(z.array(z.string())).optional(),
  /** Kind of evidence; absent means replayed. */
  how: z.enum(['replayed', 'read again', 'once', 'untried', 'suspected']).optional(),
  /** True if it depends on data from before the steps. */
  is_here: z.boolean().optional(),
  /** Day since which it no longer reproduces. */
  fixed: z.iso.date().optional(),
  steps: z.preprocess(withCurrentNames, z.array(stepSchema).min(1).readonly()),
})

/** The content of the file of a finding: its steps, and the requirement that they showed to be violated. */
export type FindingFileContent = Readonly<
  Pick<z.output<typeof savedSchema>, 'requirement' | 'how' | 'is_here' | 'fixed' | 'steps'>
>

/** The text of the file of a finding. Its steps hold no secrets: credentials are named. */
export function findingFileText({
  violation,
  how,
  needsPriorState,
  before,
  before_steps,
  steps,
}: Finding): string {
  const { requirement, expected, actual } = violation
  return `${JSON.stringify({ requirement, expected, actual, how, is_here: needsPriorState || undefined, before, before_steps, steps }, null, 2)}\n`
}

/** Parses the content of the file of a finding. @throws Error that says what is wrong with it. */
export function parseFindingFile(json: unknown): FindingFileContent {
  const { data, problem } = tryParse(savedSchema, json, 'the file')
  if (problem !== undefined) throw new Error(problem)
  return data
}

/** Headers that the script sets itself or that may differ. */
const omittedHeaders = new Set([
  'accept',
  'authorization',
  'content-type',
  'cookie',
  'user-agent',
  'x-request-id',
])

/** A shell script that sends the steps of a finding with curl. `safe` redacts texts. */
export function findingShellScript(finding: Finding, safe: (text: string) => string): string {
  const { violation, evidence, steps } = finding
  const [first] = evidence
  const base = first?.url.replace(/\/api\/cli\/.*/s, '') ?? ''
  const headers = Object.entries(first?.requestHeaders ?? {}).filter(([name]) => !omittedHeaders.has(name))
  const creations = new Map(steps.flatMap(requestsOfStep).map(({ stepId, operation }) => [stepId, operation]))
  const assigned = new Set<string>()
  return [
    '#!/bin/sh',
    `# ${violation.requirement}: expected ${singleSpaced(safe(violation.expected))}`,
    `# got ${singleSpaced(safe(violation.actual))}`,
    ...caveatsOf(finding).map((line) => `# ${line}`),
    '# Needs curl, node, and the credentials in the variables that are named below.',
    `BASE=\${WORK_AGENT_BASE_URL:-${quoted(safe(base))}}`,
    'TAG=replay-$(date +%s)',
    'ANSWERS=$(mktemp -d)',
    `trap 'rm -r "$ANSWERS"' EXIT`,
    shellFunctions(headers.map(([name, value]) => `-H ${quoted(safe(`${name}: ${value}`))} `).join('')),
    ...(steps.some(({ kind }) => kind === 'state') ? [arrangeFunction] : []),
    ...(steps.some(({ kind }) => kind === 'awaitRun') ? [finishFunction] : []),
    ...steps.flatMap((step) => linesOf(step, creations, assigned)),
    '',
  ].join('\n')
}

/** Shell functions that send a request and keep its answer, and that read an answer. */
const shellFunctions = (headers: string) => `ask() { # step, method, path, further arguments of curl
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
const arrangeFunction = `arrange() { # header with the key, state, its parameters
  ask org GET /api/cli/whoami -H "$1" > "$ANSWERS/log"
  BODY=$(from org "JSON.stringify({ state: '$2', action: 'setup', params: { ...$3, org_id: answer.org.id } })")
  STATUS=$(curl -sS "$WORK_AGENT_STATES_URL" -o "$ANSWERS/log" -w '%{http_code}' -H 'content-type: application/json' --data-raw "$BODY")
  echo "# state $2 $3: $STATUS"
}`

/** A shell function that reads a task until it is finished. */
const finishFunction = `finish() { # step, path, header with the key
  for i in $(seq 300); do
    ask "$1" GET "$2" -H "$3" > "$ANSWERS/log"
    [ "$(from "$1" 'answer.finished === false')" = true ] || break
    sleep 0.2
  done
  cat "$ANSWERS/log"
}`

/** Caveats for the reader of a script. */
function caveatsOf({ how, needsPriorState }: Pick<Finding, 'how' | 'needsPriorState'>): string[] {
  if (needsPriorState)
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

/** Shell lines of a step. References are resolved first, so that bursts start at once. */
function linesOf(step: Step, creations: Creations, assigned: Set<string>): string[] {
  const refs = [
    ...requestsOfStep(step).map(({ target }) => target),
    ...(step.kind === 'awaitRun' ? [step.target] : []),
  ]
  const secrets = requestsOfStep(step).flatMap(({ credential }) =>
    typeof credential === 'object' ? [credential.createdBy] : [],
  )
  const variables = [
    ...refs.flatMap((ref) =>
      typeof ref === 'object' ? [[nameOf(ref), commandFor(ref, creations)] as const] : [],
    ),
    ...secrets.map((createdBy) => [`SECRET_${createdBy}`, `from ${createdBy} answer.secret`] as const),
  ]
  const fresh = new Map(variables.filter(([name]) => !assigned.has(name)))
  for (const name of fresh.keys()) assigned.add(name)
  return [...[...fresh].map(([name, value]) => `${name}=$(${value})`), ...shellLines(step)]
}

function shellLines(step: Step): string[] {
  switch (step.kind) {
    case 'call':
      return [lineOf(step)]
    case 'burst':
      return ['# at once', ...step.calls.map((call) => `${lineOf(call)} &`), 'wait']
    case 'wait':
      return [`sleep ${step.ms / 1_000}`]
    case 'awaitRun':
      return [`finish ${step.stepId} "/api/cli/tasks/${idOf(step.target)}" ${headerOf('key', step.tenant)}`]
    case 'state':
      return [`arrange ${headerOf('key', step.tenant)} ${step.state} ${quoted(JSON.stringify(step.params))}`]
  }
}

function lineOf({ stepId, tenant, credential, operation, target, query, body }: CallStep): string {
  const { method, path } = routeOf(operation)
  const search = query ? `?${new URLSearchParams(query)}`.replaceAll('%7Btag%7D', '{tag}') : ''
  const url = `${path.replace(':id', () => (target === undefined ? '' : idOf(target)))}${withTag(named(search))}`
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const header = headerOf(credential, tenant)
  const parts = [`ask ${stepId} ${method} "${url}"`, ...(header === undefined ? [] : [`-H ${header}`])]
  if (body !== undefined)
    parts.push(`-H 'content-type: application/json' --data-raw ${withTag(quoted(text), `'"`)}`)
  return parts.join(' ')
}

/** The id that a reference stands for, for a place in double quotes. */
const idOf = (ref: ResourceRef | string) =>
  typeof ref === 'string' ? named(encodeURIComponent(ref)) : `$${nameOf(ref)}`

const nameOf = (ref: ResourceRef) =>
  'createdBy' in ref ? `ID_${ref.createdBy}` : `${ref.unread ? 'UNREAD' : 'READ'}_${ref.listed}_${ref.nth}`

/** The shell command that takes the id of a resource from an earlier answer. */
const commandFor = (ref: ResourceRef, creations: Creations) =>
  'createdBy' in ref
    ? `id ${ref.createdBy} '${idExpression(creations.get(ref.createdBy))}'`
    : `id ${ref.listed} 'answer.items.filter(({ read }) => read === ${!ref.unread})[${ref.nth}].id'`

/** The place of the id in the answer of a creating operation, as an expression of JavaScript. */
const idExpression = (operation: CallStep['operation'] | undefined) =>
  (operation ? (createdIdPathsByOperation[operation] ?? []) : [])
    .map((path) => ['answer', ...path].join('?.'))
    .join(' ?? ')

/** The header that authenticates, in double quotes; undefined if there is none. */
function headerOf(credential: StepCredential, tenant: StepTenant): string | undefined {
  const other = tenant === 'main' ? '' : 'OTHER_'
  if (typeof credential === 'object') return `"authorization: Bearer $SECRET_${credential.createdBy}"`
  if (credential === 'key') return `"authorization: Bearer $WORK_AGENT_${other}API_KEY"`
  if (credential === 'session') return `"cookie: $WORK_AGENT_${other}SESSION_COOKIE"`
  return credential === 'invalid' ? '"authorization: Bearer no-such-key-0123456789"' : undefined
}

const singleSpaced = (text: string) => text.replace(/\s+/g, ' ')

/** Text in single quotes, where the shell expands nothing. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Text escaped for double quotes. */
const named = (text: string) => text.replace(/["\\`$]/g, '\\$&')

/** Text with `{tag}` as a shell variable. `out` closes the surrounding quotes. */
const withTag = (text: string, out = '') =>
  text.replaceAll('{tag}', `${out}$TAG${[...out].toReversed().join('')}`)

/** Heading of generated tests. */
const headOf = (finding: Finding) =>
  [
    `${finding.violation.requirement}: the service must not show this history again.`,
    'Set WORK_AGENT_BASE_URL and the credentials.',
    ...caveatsOf(finding),
  ].join(' ')

/** The text of a vitest file that replays a saved history. `file`: the name of the history in the same folder. */
export function findingVitestFile(finding: Finding, file: string): string {
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
