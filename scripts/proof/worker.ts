/** A thread of `npm run proof`: runs the trials whose numbers it receives, one at a time. */
import { parentPort } from 'node:worker_threads'
import { trials } from '#proof/matrix.ts'

parentPort?.on('message', async (number: number) => {
  const trial = trials[number]
  if (trial) parentPort?.postMessage(await trial.run())
})
