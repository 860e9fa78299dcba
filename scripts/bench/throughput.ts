/** Requests a second of one server against another, and what each spends on a request. */
import { send } from './load.ts'
import { alternate, type Spread, spreadOf } from './rounds.ts'
import type { Server } from './server.ts'

/** A server and what it is asked. */
export interface Side {
  readonly server: Server
  readonly requests: readonly Buffer[]
}

/** What one side did in one round. */
interface Rate {
  /** Requests a second. */
  readonly rate: number
  /** CPU time of the server for each request, µs. */
  readonly cpu_us: number
  /** Share of one core that the generator used. */
  readonly generator: number
}

export interface Comparison {
  /** Our requests a second, as a share of theirs. */
  readonly ratio: Spread
  /** Their CPU time for each request, as a share of ours: does not depend on the generator. */
  readonly cpuRatio: Spread
  readonly ours: Rate
  readonly theirs: Rate
}

const rounds = 7
const roundMs = 1_000
const warmUpMs = 1_500

/** Compares two servers under full load, after both are warm. */
export async function compare(ours: Side, theirs: Side): Promise<Comparison> {
  for (const { server, requests } of [ours, theirs]) {
    await send({ port: server.port, requests, forMs: warmUpMs })
  }
  const results = await alternate(
    rounds,
    () => measure(ours),
    () => measure(theirs),
  )
  return {
    ratio: spreadOf(results.map((round) => round.ours.rate / round.theirs.rate)),
    cpuRatio: spreadOf(results.map((round) => round.theirs.cpu_us / round.ours.cpu_us)),
    ours: middle(results.map((round) => round.ours)),
    theirs: middle(results.map((round) => round.theirs)),
  }
}

async function measure({ server, requests }: Side): Promise<Rate> {
  const before = await server.usage()
  const own = process.cpuUsage()
  const started = performance.now()
  const answered = await send({ port: server.port, requests, forMs: roundMs })
  const ms = performance.now() - started
  const { user, system } = process.cpuUsage(own)
  const after = await server.usage()
  return {
    rate: (answered / ms) * 1_000,
    cpu_us: (after.cpu_us - before.cpu_us) / answered,
    generator: (user + system) / 1_000 / ms,
  }
}

function middle(rates: readonly Rate[]): Rate {
  const of = (field: keyof Rate) => spreadOf(rates.map((rate) => rate[field])).median
  return { rate: of('rate'), cpu_us: of('cpu_us'), generator: of('generator') }
}
