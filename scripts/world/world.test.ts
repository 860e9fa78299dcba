/** Two real gateways before the mock, where they are installed; and the tables of the others name what there is. */
import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCliInProcess } from '#cli/testing/in-process.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { gatewayConfigurations } from './configurations.ts'
import { isGatewayAvailable, RunningGateway } from './gateway-process.ts'
import { gateways } from './gateways.ts'
import { startService } from './services.ts'
import { expectedClientVerdicts, expectedGatewayVerdicts, serviceNames } from './verdicts.ts'

/** `verify` of the mock behind a gateway with these lines, on requirements that a gateway may spoil. */
async function verified(name: string, lines: string) {
  const gateway = gateways.find((one) => one.name === name)
  if (!gateway || !isGatewayAvailable(gateway)) return undefined
  const service = await startService('mock')
  onTestFinished(() => service.stop().then(() => {}))
  const running = await RunningGateway.start(gateway, Number(new URL(service.url).port), lines, '')
  onTestFinished(() => running.stop())
  const only = ['PATH-RUN-ONCE', 'ANSWER-JSON', 'SHAPE-*', 'AUTH-*'].flatMap((id) => ['--only', id])
  return runCliInProcess(['verify', running.url, ...service.flags, '--quiet', ...only])
}

describe('real gateways', () => {
  test.each(['nginx', 'HAProxy'])('%s at its defaults spoils nothing', async (name) => {
    const seen = await verified(name, '')
    if (seen) expect(seen.code, seen.out + seen.err).toBe(0)
  })

  test('HAProxy that is told to repeat all requests sends a run twice, which is found', async () => {
    const seen = await verified('HAProxy', 'retry-on all-retryable-errors')
    if (!seen) return
    expect(seen.code, seen.out + seen.err).toBe(1)
  })
})

test('the page of gateways has each configuration, and each gateway has its defaults in it', () => {
  const page = readFileSync('docs/gateways.md', 'utf8')
  for (const { gateway, lines } of gatewayConfigurations) {
    expect(gateways.map(({ name }) => name)).toContain(gateway)
    for (const line of lines.split('\n')) expect(page).toContain(line.trim())
  }
  for (const { name } of gateways) expect(page).toMatch(new RegExp(`\\| ${name} \\d[\\d.]+ \\| defaults \\|`))
})

test('each gateway has an expected verdict before each service, and each verdict names requirements that exist', () => {
  const ids: readonly string[] = catalogue.map(({ id }) => id)
  for (const { failed, mayFail = [] } of expectedGatewayVerdicts)
    for (const id of [...failed, ...mayFail]) expect(ids).toContain(id)
  for (const { name } of gateways)
    for (const service of serviceNames)
      expect(
        expectedGatewayVerdicts.some(
          ({ gateway, services, situation }) =>
            gateway === name && situation === 'defaults' && services.includes(service),
        ),
        `${name} before ${service}`,
      ).toBe(true)
})

test('ten clients in six languages have an expected verdict, and their programs are here', () => {
  expect(expectedClientVerdicts.length).toBeGreaterThanOrEqual(10)
  expect(new Set(expectedClientVerdicts.map(({ language }) => language)).size).toBeGreaterThanOrEqual(6)
  for (const { command } of expectedClientVerdicts)
    expect(readFileSync(command.at(-1) ?? '', 'utf8')).not.toBe('')
})
