/** Sentences on what operators did by control calls, which the page shows between the requests. */

type Body = Readonly<Record<string, unknown>>

const states: Readonly<Record<string, readonly [on: string, off: string]>> = {
  agent_busy: ['agent busy', 'agent free'],
  next_run_fails: ['the next run fails', 'the next run goes as usual'],
  next_creative_fails: ['the next creative fails', 'the next creative goes as usual'],
  unavailable: ['unavailable', 'available again'],
  rate_limit: ['rate limit set', 'rate limit as at the start'],
  credits: ['credits set', 'credits as at the start'],
}

const units = [
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
  [1, 'ms'],
] as const

function durationOf(ms: unknown): string {
  if (typeof ms !== 'number') return String(ms)
  const [length, unit] = units.find(([one]) => ms >= one && ms % one === 0) ?? [1, 'ms']
  return `${ms / length} ${unit}`
}

function stateText({ state, action, params }: Body): string {
  const [on, off] = states[String(state)] ?? [`${state} set up`, `${state} torn down`]
  if (action === 'teardown') return off
  const { duration_ms, credits, limit, window_s } = Object(params) as Body
  if (duration_ms !== undefined) return `${on} for ${durationOf(duration_ms)}`
  if (credits !== undefined) return `${on} to ${credits}`
  return limit === undefined ? on : `${on} to ${limit} requests in ${window_s} s`
}

function clockText({ action, by, to, at, until_finished }: Body): string {
  const moment = to ?? at
  const where = moment === undefined ? '' : ` to ${moment === 'next_event' ? 'the next event' : moment}`
  if (action === 'run') return 'clock running'
  if (action === 'freeze') return `clock frozen${at === undefined ? '' : ` at ${at}`}`
  if (action === 'set') return `clock set${where}`
  const until = until_finished === undefined ? where : ` until ${until_finished} is finished`
  return `clock advanced${by === undefined ? until : ` by ${durationOf(by)}`}`
}

const list = (values: unknown) => (Array.isArray(values) ? values.join(', ') : String(values))

const settingsText = (body: Body) =>
  Object.entries(body)
    .filter(([name]) => name !== 'org_id')
    .map(([name, value]) => `${name} ${value === true ? 'on' : value === false ? 'off' : value}`)
    .join(', ')

/** Sentences by route. `id`: the id in the path. */
const sentences: Readonly<Record<string, (body: Body, id: string) => string>> = {
  'POST /credits': ({ set, add }) => {
    if (set !== undefined) return `credits set to ${set}`
    return Number(add) < 0 ? `${-Number(add)} credits removed` : `${add} credits added`
  },
  'POST /states': stateText,
  'PUT /clock': clockText,
  'POST /faults': ({ rule, faults }) => `fault armed: ${rule ?? list(faults)}`,
  'DELETE /faults/:id': (_, id) => `fault ${id} removed`,
  'POST /reset': ({ parts }) => (parts === undefined ? 'everything reset' : `reset: ${list(parts)}`),
  'POST /scenarios/:id/start': (_, id) => `scenario ${id} started`,
  'PUT /settings': settingsText,
  'PUT /behaviour': settingsText,
  'POST /notifications': ({ title }) => `notification added: ${title ?? 'Notice'}`,
  'POST /organizations': () => 'organization created',
  'POST /fork': () => 'forked',
  'POST /restore': () => 'a state was restored',
  'PUT /state': () => 'a state was restored',
  'POST /tasks/:id/finish': ({ outcome }, id) =>
    `run of ${id} ${outcome === 'failed' ? 'failed' : 'finished'} by hand`,
}

/** A sentence that tells people what a control call did; the page shows it between the requests. */
export function controlCallSentence(what: string, path: string, id: string, body: object): string {
  const part = /^POST \/reset\/(\w+)$/.exec(what)?.[1]
  if (part !== undefined) return `reset: ${part}`
  return sentences[what]?.(body as Body, id) ?? `${what.split(' ')[0]} ${path}`
}
