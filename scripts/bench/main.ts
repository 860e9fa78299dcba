/**
 * `npm run bench`: the mock beside its peers, a quarter of an hour; writes `docs/benchmarks.md`. With `-- --quick`
 * beside bare `node:http` alone, about a minute. A goal that is missed is told, and fails nothing.
 */
import { arch, availableParallelism, cpus, platform } from 'node:os'
import { parseArgs } from 'node:util'

const where = `Node ${process.version}, ${platform()} ${arch()}, ${availableParallelism()} cores, ${cpus()[0]?.model.trim() || arch()}; ${new Date().toISOString().slice(0, 10)}.`

try {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
  console.log(await (values.quick ? quick() : whole()))
} catch (error) {
  console.error(`The benchmark could not run: ${(error as Error).message.split('\n')[0]}`)
  process.exitCode = 2
}

async function quick(): Promise<string> {
  console.log(`${where}\nRounds alternate; measured is the median. Takes about a minute.\n`)
  const { compareWithBare } = await import('./quick.ts')
  return compareWithBare()
}

async function whole(): Promise<string> {
  console.error('Takes a quarter of an hour; with -- --quick a minute.')
  const { compareWithPeers } = await import('./peers/main.ts')
  return compareWithPeers(where)
}
