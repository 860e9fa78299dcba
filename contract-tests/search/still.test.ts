/** Whether somebody else is at work is seen while the search sends nothing. */
import { expect, test } from 'vitest'
import type { TestContext } from '../harness/context.ts'
import { contextOnMock } from '../testing/run.ts'
import { envOf } from './env.ts'
import { changeOf } from './still.ts'

/** What is seen of an organization in which something is done while it is watched, and whenever it is read. */
async function seenWhile(
  beside: (mark: () => Promise<unknown>) => Promise<unknown> | undefined,
  onRead?: (mark: () => Promise<unknown>) => Promise<unknown>,
) {
  const t = contextOnMock({ runId: 'verify-still' })
  const org_id = await t.orgId()
  const mark = () => t.states.setup('unread_notification', { org_id })
  const { target } = t
  const env = envOf({
    ...t,
    recorder: t.recorder,
    target: {
      ...target,
      transport: async (...sent) => {
        if (sent[0].endsWith('/notifications')) await onRead?.(mark)
        return target.transport(...sent)
      },
      sleep: async (ms) => void (await Promise.all([target.sleep(ms), beside(mark)])),
    },
  } as TestContext)
  return changeOf(env, 'main')
}

test('what changes in an organization while nothing is sent is the work of somebody else', async () => {
  const nothing = () => undefined
  expect(await seenWhile((mark) => mark())).toBe('listNotifications changed in 5 s in which nothing was sent')
  expect(await seenWhile(nothing)).toBeUndefined()
  // What changes whenever it is read is not.
  expect(await seenWhile(nothing, (mark) => mark())).toBeUndefined()
})
