/** Which runs of a client `check` makes: scenario by scenario, several at a time. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { scenarios } from '#mocks/scenarios/index.ts'
import { check, client, folder, one, polite } from './testing/check.ts'

/** Creates one task, runs it and polls it to its end; it waits as the service says. */
const oneShot = client(
  'one-shot',
  `const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const send = async (path, method = 'GET', body) => {
    for (;;) {
      const headers = { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY, 'content-type': 'application/json' }
      const url = process.env.WORK_AGENT_BASE_URL + '/api/cli/tasks' + path
      const answer = await fetch(url, { method, headers, body }).catch(() => undefined)
      if (!answer) return {}
      const { error, ...fields } = await answer.json()
      const after = answer.headers.get('retry-after')
      if (error === 'rate_limited') await pause(after > 0 ? after * 1000 : Date.parse(after) - Date.now())
      else if (error === 'unavailable') await pause(500)
      else if (!error || error === 'busy') return fields
      else throw new Error(error)
    }
  }
  const { task } = await send('', 'POST', JSON.stringify({ text: 'Say hello' }))
  const path = '/' + encodeURIComponent(task.id)
  await send(path + '/run', 'POST')
  for (let look; !look?.finished; await pause(700)) {
    look = await send(path)
    if (look.finished) console.log('ended:', look.task.status)
  }`,
)

test.concurrent('the verdicts are the same at any number of jobs, and output is grouped by scenario', async ({
  expect,
}) => {
  const scenarios = 'rejected-task,deleted-key,out-of-credits,odd-ids'
  const run = (jobs: string) => check('--scenario', scenarios, '--jobs', jobs, '--runs', '1', ...oneShot)
  const [alone, together] = await Promise.all([run('1'), run('4')])
  // How often the client looks depends on how fast the machine is.
  const outcomes = ({ stdout }: typeof alone) => stdout.replaceAll(/^ .*$|\d+ requests?/gm, '')
  expect([together.status, outcomes(together)]).toEqual([alone.status, outcomes(alone)])
  const order = together.stderr.match(/^check: [\w-]+(?=:)/gm)
  expect(order).toEqual(scenarios.split(',').map((id) => `check: ${id}`))
  expect(together.stderr).toContain('check: running the client in 4 scenarios, 4 at a time\n')
})

test.concurrent('--traces keeps traffic, output and the command that repeats each run', async ({
  expect,
}) => {
  const traces = join(folder, 'traces')
  await check(...one, '--runs', '2', '--timeout', '30s', '--traces', traces, ...polite())
  const read = (name: string) => readFileSync(join(traces, 'slow-run', name), 'utf8')
  expect(JSON.parse(read('1.har')).log.entries).toHaveLength(1)
  expect(read('1.har')).not.toContain('wak_test')
  expect(read('2.txt')).toBe('status 200\n')
  expect(read('2.sh')).toMatch(
    /^npx --no-install work-agent-contract check --scenario slow-run --runs 2 --timeout 30000ms -- .*polite\.mjs\n$/,
  )
})

test.concurrent('--list shows every scenario and the rules that it covers', async ({ expect }) => {
  const { status, stdout } = await check('--list')
  expect([status, stdout.trimEnd().split('\n').length]).toEqual([0, scenarios.length])
  expect(stdout).toMatch(/^out-of-credits +Credits run out \(stops-at-402\)$/m)
})
