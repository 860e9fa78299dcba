/** `fleet`: prints the configuration of a balancer for several mocks. */
import { z } from 'zod'
import { createStrictObjectSchema, tryParse } from '#contract/input/checked.ts'
import { parseServedSlots, type ServedSlots } from '#mocks/config/slots.ts'
import { sessionPathPrefixes } from '#mocks/pipeline/elsewhere.ts'
import { readJsonFile } from '../files.ts'
import { type GivenOptions, UsageError } from '../flags.ts'

/** Writes the text of a `haproxy.cfg` for a fleet of mocks; `bind`: the address that HAProxy listens on. */
export function haproxyConfigOf(nodes: readonly FleetNode[], bind: string): string {
  const lines = [
    '# Printed by `work-agent-contract fleet`; print it again when a mock moves.',
    ...section('global', ['maxconn 4000', '# Ids of 10 kB and headers of 64 kB fit.', 'tune.bufsize 131072']),
    ...section('defaults', [
      'mode http',
      'timeout connect 5s',
      'timeout check 10s',
      'timeout client 11m',
      'timeout server 11m',
      '# A request is never sent twice, and never to another mock.',
      'retries 0',
      `http-error status 503 content-type application/json string '${unavailable}' hdr retry-after 1`,
      'option httpchk',
      'http-check send meth GET uri /api/cli/whoami ver HTTP/1.1 hdr host fleet',
      'http-check expect status 401',
      '# A busy mock is not lost; one that refuses connections is 503 at once, whatever its checks say.',
      'default-server check inter 2s fall 3 rise 1 fastinter 500ms on-marked-down shutdown-sessions',
    ]),
    ...section('frontend fleet', frontend(nodes, bind)),
    ...nodes.flatMap(({ address }, i) => section(`backend mock-${i}`, [`server mock ${address}`])),
    '',
    '# Requests without a credential: every mock gives them the same answer.',
    ...section(
      'backend any',
      nodes.map(({ address }, i) => `server mock-${i} ${address}`),
    ),
  ]
  return `${lines.join('\n')}\n`
}

const unavailable = JSON.stringify({
  error: 'unavailable',
  message: 'The mock of this organization does not answer; try again shortly.',
})

function frontend(nodes: readonly FleetNode[], bind: string): string[] {
  const addresses = nodes.map(({ address }) => address).join(', ')
  const title = `Without a key this call is about one mock; send it to its address: ${addresses}.`
  const problem = JSON.stringify({ title, status: 421 })
  const hash = `crc32(1),mod(${nodes[0]?.slots.total})`
  const set = (name: string, expression: string, condition: string) =>
    `http-request set-var(txn.${name}) "${expression}" if ${condition}`
  return [
    `bind ${bind}`,
    `acl session path_beg ${sessionPathPrefixes.join(' ')}`,
    'acl artifact path_beg /artifacts/',
    'acl control path / /__admin',
    'acl control path_beg /__admin/ /__page/',
    "acl bearer req.fhdr(authorization) -m reg -i '^bearer[ \t]'",
    set('key', "req.fhdr(authorization),regsub('^bearer[ \t]+','',i)", 'bearer !session !artifact'),
    set('slot', `var(txn.key),regsub('^wak_test_',''),${hash}`, '{ var(txn.key) -m found }'),
    set(
      'slot',
      "var(txn.key),regsub('^.*_',''),add(0)",
      "{ var(txn.key) -m reg '^wak_live_[0-9A-Za-z_]+_[0-9]+$' }",
    ),
    set(
      'slot',
      `req.cook(work_agent_session),url_dec,regsub('^was_test_',''),${hash}`,
      'session { req.cook(work_agent_session) -m found }',
    ),
    set('slot', 'url_param(slot),add(0)', 'artifact { url_param(slot) -m found }'),
    'acl owned var(txn.slot) -m found',
    `http-request return status 421 content-type application/problem+json string '${problem}' if control !owned`,
    ...nodes.flatMap(({ slots }, i) =>
      slots.ranges.map(
        ([first, last]) => `use_backend mock-${i} if { var(txn.slot) -m int ${first}:${last} }`,
      ),
    ),
    'default_backend any',
  ]
}

const section = (name: string, lines: readonly string[]) => ['', name, ...lines.map((line) => `  ${line}`)]

/** One mock of a fleet: its address, and the slots (shares of the organizations) that it serves. */
export interface FleetNode {
  readonly address: string
  readonly slots: ServedSlots
}

/** A host and a port; an IPv6 address in brackets. */
const addressText = z.string().refine(
  (text) => {
    const [, port = 0] = /^(?:[\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(text) ?? []
    return Number(port) > 0 && Number(port) <= 65_535
  },
  { error: 'takes a host and a port, such as 10.0.0.1:4402' },
)

const slots = z.string().transform((text, context): ServedSlots => {
  const read = parseServedSlots(text)
  if (read) return read
  context.addIssue({ code: 'custom', message: 'takes slots and their number in all, such as 0-511/1024' })
  return z.NEVER
})

const nodes = z
  .array(createStrictObjectSchema({ address: addressText, slots }))
  .min(1, 'takes at least one mock')

/**
 * Reads the mocks of a fleet from a JSON file. @throws UsageError unless each slot belongs to exactly one mock, and
 * each mock has its own address.
 */
export function readFleetNodes(file: string): readonly FleetNode[] {
  const { data, problem } = tryParse(nodes, readJsonFile(file), 'the file')
  if (problem !== undefined) throw new UsageError(`${file}: ${problem}`)
  const fault = problemOfNodes(data)
  if (fault !== undefined) throw new UsageError(`${file}: ${fault}`)
  return data
}

function problemOfNodes(all: readonly FleetNode[]): string | undefined {
  const addresses = all.map(({ address }) => address)
  const repeated = addresses.find((address, i) => addresses.indexOf(address) < i)
  if (repeated !== undefined) return `two mocks have the address ${repeated}`
  const total = all[0]?.slots.total ?? 0
  const other = all.find(({ slots }) => slots.total !== total)
  if (other) return `${other.address} counts ${other.slots.total} slots, and ${all[0]?.address} ${total}`
  const owners = new Map<number, string>()
  for (const { address, slots } of all)
    for (const [first, last] of slots.ranges)
      for (let slot = first; slot <= last; slot++) {
        const owner = owners.get(slot)
        if (owner !== undefined) return `slot ${slot} belongs to ${owner} and to ${address}`
        owners.set(slot, address)
      }
  for (let slot = 0; slot < total; slot++) if (!owners.has(slot)) return `slot ${slot} belongs to no mock`
  return undefined
}

/** Runs `fleet`: prints or writes the HAProxy configuration for the mocks in the file of `--nodes`. */
export async function writeFleetConfiguration(given: GivenOptions): Promise<undefined> {
  const file = given.text('nodes')
  if (given.operands.length > 0 || file === undefined)
    throw new UsageError('needs --nodes FILE, a JSON list of mocks, and takes no operand')
  const bind = given.text('bind') ?? '127.0.0.1:4402'
  if (!addressText.safeParse(bind).success)
    throw given.wrong('bind', 'takes a host and a port, such as 0.0.0.0:4402')
  const mocks = readFleetNodes(file)
  if (mocks.some(({ address }) => address === bind))
    throw new UsageError(`--bind ${bind} is the address of a mock, and HAProxy needs one of its own`)
  process.stdout.write(haproxyConfigOf(mocks, bind))
}
