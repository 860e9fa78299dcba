/**
 * `npm run proof combinations [number] [seed]`: tries legal variations in combinations that are drawn anew each time, 400
 * unless told otherwise, in both variants. Exits with code 1 if the suite accuses any of them.
 */
import { isMainThread } from 'node:worker_threads'
import { type Variant, variants } from '#contract/route.ts'
import { drawVariationsAndDisturbance, type TrialResult, tryVariationsTogether } from '#proof/matrix.ts'
import { handleTasks, runInThreads } from './pool.ts'

type Draw = readonly [seed: string, variant: Variant]

if (isMainThread) {
  const [wanted = '400', seed = String(Math.floor(Math.random() * 2 ** 31))] = process.argv.slice(2)
  const draws = Array.from({ length: Number(wanted) }, (_, i) => `${seed} ${i}`).flatMap((one) =>
    variants.map((variant): Draw => [one, variant]),
  )
  let accused = 0
  await runInThreads<Draw, TrialResult>(import.meta.url, draws, (_, { name, objections }) => {
    if (objections.length > 0) accused++
    for (const objection of objections) console.error(`${name}: ${objection}`)
  })
  console.log(`combinations: ${draws.length} trials, ${accused} accused, seed ${seed}`)
  process.exitCode = accused > 0 ? 1 : 0
} else
  handleTasks(([seed, variant]: Draw) =>
    tryVariationsTogether(drawVariationsAndDisturbance(seed, variant), variant),
  )
