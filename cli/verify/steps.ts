/** What one check does: its requests, with what is unusual in them, its states and its waits, from a run against the embedded mock in mock time. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { Target } from '#contract-tests/client/target.ts'
import { settingsWith } from '#contract-tests/harness/terms.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { embeddedMock } from '#contract-tests/targets/in-process.ts'
import { requestedId, sentId } from '#traffic/odd-input.ts'

/** The length of a run of the mock. */
export const runDuration = '2s'

/** What a check takes: Work Credits, ms. */
export interface Steps {
  /** In order, such as `runTask 200` or `set up next_run_fails`; several in a row are counted. */
  readonly lines: readonly string[]
  /** The ids, queries and bodies that no usual request has, each once. */
  readonly sends: readonly string[]
  readonly requests: number
  readonly credits: number
  readonly waits: number
}

/** Runs one check alone with everything supplied. */
export async function stepsOf(id: string): Promise<Steps> {
  const { target, access } = embeddedMock({ runDuration })
  const seen: string[] = []
  const sends = new Set<string>()
  let answered = ''
  let [requests, waits] = [0, 0]
  const watched: Target = {
    ...target,
    async transport(url, outgoing) {
      const response = await target.transport(url, outgoing)
      if (url === access.statesUrl) seen.push(stateOf(outgoing.body))
      else requests++
      const operation = operationOf(outgoing.method, url)
      if (!operation) return response
      seen.push(`${operation} ${response.status}`)
      for (const one of unusualIn(operation, url, outgoing.body, answered)) sends.add(one)
      const text = await response.clone().text()
      answered += text
      return response
    },
    async sleep(ms, signal) {
      const started = target.now()
      await target.sleep(ms, signal)
      waits += target.now() - started
    },
  }
  const all = { extended: 'on', maxCredits: 20, concurrency: 1, runId: describedRun } as const
  const settings = settingsWith({ ...access, ...all, only: [id] })
  const { credits } = await runSuite({ target: watched, settings })
  return { lines: counted(seen), sends: [...sends], requests, credits: credits.spent, waits }
}

function stateOf(body = '{}'): string {
  const { state, action, params } = JSON.parse(body) as { state: string; action: string; params?: object }
  if (action !== 'setup') return `tear down ${state}`
  const numbers = Object.entries(params ?? {}).filter(([name]) => name !== 'org_id')
  const shown = numbers.map(([name, value]) => `${name} ${value}`).join(', ')
  return `set up ${state}${shown === '' ? '' : `: ${shown}`}`
}

function operationOf(method: string, url: string): OperationId | undefined {
  const { pathname } = new URL(url)
  return operationIds.find((id) => {
    const route = routeOf(id)
    const path = new RegExp(`${route.path.replace(':id', '[^/]+')}$`)
    return route.method === method && path.test(pathname)
  })
}

/** Lines in which the same step several times in a row is one. */
function counted(seen: readonly string[]): string[] {
  const groups: { readonly step: string; times: number }[] = []
  for (const step of seen) {
    const last = groups.at(-1)
    if (last?.step === step) last.times++
    else groups.push({ step, times: 1 })
  }
  return groups.map(({ step, times }) => (times === 1 ? step : `${step}, ${times} times`))
}

/** The run id of the run whose requests are described. */
const describedRun = 'run'

/** What makes the texts of that run unique. */
const mark = new RegExp(String.raw` \(${describedRun}-\d+\)`, 'g')

/** Most characters shown of one id or body. */
const longest = 100

/** Descriptions, such as `id %ff`; `answered`: everything that the service has answered before. */
function unusualIn(
  operation: OperationId,
  url: string,
  body: string | undefined,
  answered: string,
): string[] {
  const id = sentId(operation, url)
  const { search } = new URL(url)
  return [
    ...(id === undefined || isIn(answered, requestedId({ operation, url })) ? [] : [`id ${shown(id)}`]),
    ...(search === '' ? [] : [`query ${shown(search.slice(1).replaceAll(/%20\(.*?\)/g, ''))}`]),
    ...(body === undefined || isUsual(body) ? [] : [`body ${shown(body.replaceAll(mark, ''))}`]),
  ]
}

function isIn(answered: string, id: string | undefined): boolean {
  return id !== undefined && (answered.includes(`"${id}"`) || answered.includes(`:${id},`))
}

/** Whether a body has short and simple texts only. */
function isUsual(body: string): boolean {
  try {
    const value = JSON.parse(body)
    const texts = Object.values(typeof value === 'string' ? {} : value)
    return !Array.isArray(value) && texts.length > 0 && texts.every((one) => isPlain(one))
  } catch {
    return false
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' && /^[\w ]{1,60}$/.test(value.replaceAll(mark, ''))
}

/** A text in which what no terminal shows is written out, and of a long one its beginning and its length. */
function shown(text: string): string {
  const readable = text
    .slice(0, longest)
    .replaceAll(/[\udc80-\udcff]/gu, (one) => `\\x${(one.charCodeAt(0) - 0xdc00).toString(16)}`)
    .replaceAll(/\p{Cc}|\p{Cf}/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (text.length <= longest) return readable === '' ? '(empty)' : readable
  return `${readable.toWellFormed()}… (${text.length.toLocaleString('en')} characters)`
}
