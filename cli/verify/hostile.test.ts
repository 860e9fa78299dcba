/** `verify` against services that attack it: there is always a report, without secrets, the right exit code, and bounded memory and time. */
import { expect, test } from 'vitest'
import { leakedSecretsIn } from '#contract-tests/report/testing/leaks.ts'
import {
  answerCutShort,
  answerEndlessly,
  answerWithFlood,
  answerWithoutHttp,
  answerWithText,
  type HostileAnswer,
  startHostileService,
} from '#contract-tests/testing/hostile-service.ts'
import { reportFormats } from '#reporting/formats.ts'
import { createSharedFolder } from '../testing/folder.ts'
import { runVerifyInProcess, runVerifyProcess } from './testing/service.ts'

const { file, read } = createSharedFolder()

/** Heap of the suite, MB: it needs half of it for a service that is well-behaved. */
const heap = 160
const few = '--only ACCEPTS-*,SHAPE-*,AUTH-FIRST-*,TASK-LISTED,TASK-READABLE'
const secret = 'zq7kx9vw3rb5tn2md8yg'
const access = {
  WORK_AGENT_API_KEY: `wak_test_${secret}`,
  WORK_AGENT_SESSION_COOKIE: `work_agent_session=was_test_${secret}`,
}
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const escapes = '\u001b[2J\u001b]0;x\u0007\u009b<script>alert(1)</script>'
const echo: HostileAnswer = (request, response) => {
  const { headers } = request
  const told = `${headers.authorization} ${headers.cookie}`
  const body = JSON.stringify({ error: told, message: Buffer.from(told).toString('base64') })
  return answerWithText(body, 418, { 'x-echo': encodeURIComponent(told) })(request, response)
}
const limited = '{"error":"rate_limited","message":"Wait."}'
const waits = answerWithText(limited, 429, { 'retry-after': '999999999' })

interface Case {
  /** Path below `GET /api/cli/` that is answered so, as a pattern; everything else is answered well. */
  readonly answers: readonly (readonly [path: string, hostility: HostileAnswer])[]
  /** True if its answers could fill the memory, so that the suite runs in a process with little of it. */
  readonly isLarge?: true
  /** For one answer. */
  readonly timeout?: string
  readonly code: number
  readonly says: readonly RegExp[]
}

const cases: Record<string, Case> = {
  'each read in another way': {
    answers: [
      ['tasks', answerWithText(nested(2_000))],
      ['documents', answerWithFlood(1.1e9)],
      ['notifications', answerWithFlood(1.1e9, { zipped: true })],
      ['leads', answerWithText(`[${'1,'.repeat(2e6)}1]`)],
      ['landing-pages', answerCutShort],
      ['meta/campaigns', answerWithoutHttp],
      ['meta/insights', answerWithText('{}', 200, { bomb: 'x'.repeat(1e6) })],
      ['wallet', answerWithText(escapes, 502)],
      [
        'billing',
        answerWithText(
          JSON.stringify({ plan: escapes, [escapes]: escapes, error: escapes, message: escapes }),
        ),
      ],
    ],
    isLarge: true,
    code: 1,
    says: [
      /the answer to GET \/api\/cli\/tasks is nested deeper than 500 levels/,
      /the answer to GET \/api\/cli\/documents is larger than 16 MB; the rest was not read/,
      /the answer to GET \/api\/cli\/notifications is larger than 16 MB; the rest was not read/,
      /the answer to GET \/api\/cli\/leads holds more than 1,000,000 values/,
      /none to GET \/api\/cli\/landing-pages/,
      /none to GET \/api\/cli\/meta\/campaigns/,
      /UND_ERR_HEADERS_OVERFLOW/,
      /502/,
      /SHAPE-getBilling/,
    ],
  },
  'as deep and as long as is read, and names of prototypes': {
    answers: [
      ['tasks', answerWithText(`{"items":[],"credits":1,"secret":${nested(490)}}`)],
      ['documents|notifications|leads', answerWithText(`{"items":[],"x":"${'x'.repeat(2e6)}"}`)],
      [
        'landing-pages',
        answerWithText('{"__proto__":{"items":1},"constructor":1,"items":[{"id":1e999}],"credits":-0}'),
      ],
    ],
    isLarge: true,
    code: 1,
    says: [/TASK-LISTED/, /SHAPE-listNotifications/, /SHAPE-listLandingPages/],
  },
  'what it was sent, in other forms': { answers: [['.*', echo]], code: 1, says: [/\$WORK_AGENT_API_KEY/] },
  'a body without end, slowly': {
    answers: [['tasks', answerEndlessly]],
    timeout: '2s',
    code: 1,
    says: [/began and did not end in time/],
  },
  'a wait of 31 years': {
    answers: [['tasks', waits]],
    code: 3,
    says: [
      /Not waited for as long as Retry-After asked, since that is longer than --retry-limit 120s: listTasks\./,
    ],
  },
}

test.concurrent.each(Object.entries(cases))('%s', async (name, {
  answers,
  isLarge,
  timeout = '30s',
  code,
  says,
}) => {
  const getting = (paths: string) => new RegExp(`^GET /api/cli/(?:${paths})(?:\\?|$)`)
  const any = getting(answers.map(([paths]) => paths).join('|'))
  const service = await startHostileService((request, response) => {
    const found = answers.find(([paths]) => getting(paths).test(`${request.method} ${request.url}`))
    return found?.[1](request, response)
  }, any)
  const nameOf = (format: string) => `${name.replaceAll(/\W+/g, '-')}.${format}`
  const reports = reportFormats.map((format) => `${format}=${file(nameOf(format))}`).join(',')
  const limits = `--outage=500ms --run-timeout=3s --concurrency=4 --consistency=100ms --timeout ${timeout}`
  const files = `--report ${reports} --history ${file(nameOf('ndjson'))}`
  try {
    const call = `${service.url} ${few} ${limits} ${files}`
    const env = { ...access, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file(nameOf('summary')) }
    const inLittle = { ...env, NODE_OPTIONS: `--max-old-space-size=${heap}` }
    const run = await (isLarge ? runVerifyProcess(call, inLittle) : runVerifyInProcess(call, env))
    expect(run.err).not.toMatch(/\n\s+at |itself/)
    expect([run.code, service.hits() > 0]).toEqual([code, true])
    const written = Object.fromEntries(reportFormats.map((format) => [format, read(nameOf(format))]))
    for (const one of says) expect(written.text).toMatch(one)
    expect(JSON.parse(written.json ?? '')).toMatchObject({ totals: { harness_error: 0 } })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
    const summary = read(nameOf('summary'))
    const shown = Object.entries({ ...written, summary, out: run.out, err: run.err })
    expect(shown.flatMap(([format, one]) => (controls.test(one) ? format : []))).toEqual([])
    expect(shown.flatMap(([, one]) => leakedSecretsIn(one, [secret]))).toEqual([])
    expect(written.html?.includes('<script>alert')).toBe(false)
  } finally {
    service.close()
  }
})

test.concurrent('a service whose every answer is endless is exit 4 before the run, in one line', async () => {
  const service = await startHostileService(answerEndlessly, /./)
  const { code, err } = await runVerifyInProcess(`${service.url} ${few} --timeout 5s`, access)
  service.close()
  expect([code, err]).toEqual([
    4,
    expect.stringMatching(/^verify: --base-url [^\n]+ that began and did not end in time [^\n]+\n$/),
  ])
})

test.concurrent('the search ends early instead of waiting for years', async () => {
  const service = await startHostileService(waits, /^(?:GET|POST) \/api\/cli\/(?:tasks|documents)/)
  const explore = '--explore 40 --explore-only --consistency 50ms --run-timeout 1s'
  const { code, out, err } = await runVerifyInProcess(`${service.url} ${explore}`, access)
  service.close()
  expect(code).not.toBe(0)
  expect(err).not.toMatch(/\n\s+at |itself/)
  expect(out + err).toContain('longer than --retry-limit 120s')
})
