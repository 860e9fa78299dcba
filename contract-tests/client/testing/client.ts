/** Clients for tests of the suite's client. */
import type { Target } from '../../client/target.ts'
import { createFakeTarget, type FakeTargetRequest } from '../../testing/fake-target.ts'
import { LostChargeTracker } from '../charges.ts'
import { type ClientSettings, createClient } from '../client.ts'
import { Recorder } from '../recorder.ts'

/** A client of a target, for tests. */
export function clientForTarget(target: Target, change: Partial<ClientSettings> = {}) {
  const recorder = new Recorder()
  const charges = new LostChargeTracker()
  const said: string[] = []
  const settings: ClientSettings = {
    runId: 'run-1',
    timeout: 1_000,
    runTimeout: 1_000,
    outage: 10_000,
    retryLimit: 120_000,
    userAgent: 'suite/1',
    charges,
    onNoWait: (why) => said.push(why),
    ...change,
  }
  const client = createClient('main', { authorization: 'Bearer key' }, target, settings, recorder)
  return { client, recorder, charges, said }
}

/** A client of a fake service with answers from `answer`, for tests. */
export function clientForFakeService(
  answer: (sent: FakeTargetRequest) => Response | Promise<Response>,
  change: Partial<ClientSettings> = {},
) {
  const target = createFakeTarget(answer)
  return { target, ...clientForTarget(target, change) }
}
