/** `proxy`: forwards, records and judges until it is stopped. Exit codes: 0, 1 violation, 2 usage, 3 inconclusive, nothing of this API, the recording is cut, or cannot listen. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { isSea } from 'node:sea'
import type { GivenOptions } from '../flags.ts'
import { readProxyOptions } from '../judge/options.ts'
import { logError, logListenError } from '../screen.ts'
import { createForwarder, type ForwardedExchange } from './forward.ts'
import type { MessageFromJudge, MessageToJudge } from './judge.ts'

/** Time between two messages to the judge, ms. */
const pause = 100
/**
 * Longest time for which an open request holds up the judging of later ones, ms; its answer is then judged out of
 * order.
 */
const longestWait = 30_000
/** Most exchanges, and bytes of bodies, on their way to the judge; further ones are only forwarded. */
const most = { exchanges: 20_000, bytes: 64_000_000 }

/** Runs `proxy` until it is stopped; returns the exit code. */
export async function runProxy(given: GivenOptions): Promise<number> {
  const { upstream, host, port } = readProxyOptions(given)
  let wasReached = true
  const forwarding = createForwarder(upstream, {
    passed: (exchange) => judge.take(exchange),
    unreachable(error) {
      if (wasReached) logError('proxy', `cannot reach ${upstream.origin}: ${error.code ?? error.message}`)
      wasReached = false
    },
    report: () => judge.report(() => forwarding.settledUntil(longestWait)),
  })
  try {
    forwarding.server.listen(port, host)
    await once(forwarding.server, 'listening')
  } catch (error) {
    return logListenError('proxy', `${host}:${port}`, error)
  }
  // Started only once listening succeeds, since it may replace a recording.
  const judge = startJudge(given.argv)
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })
  const address = forwarding.server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  if (await judge.isReady)
    process.stdout.write(
      `http://${shown}:${address.port} forwards to ${upstream.origin}; Ctrl-C ends with the verdict\n`,
    )
  const timer = setInterval(() => judge.tell(forwarding.settledUntil(longestWait)), pause)
  await Promise.race([stopped, judge.ended])
  clearInterval(timer)
  await forwarding.close()
  return judge.end()
}

/** Starts the judge, with the flags of the proxy. */
function startJudge(argv: readonly string[]) {
  const script = isSea() ? [] : [...process.execArgv, process.argv[1] ?? '']
  const child = spawn(process.execPath, [...script, 'proxy-judge', ...argv], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  /** The exit code of the judge, once it has ended. */
  const ended: Promise<number> = once(child, 'exit').then(([code]) => code ?? 3)
  const reports: ((text: string) => void)[] = []
  let passed: ForwardedExchange[] = []
  /** Number of exchanges that the judge has not yet taken in, bytes of them, and number of exchanges left out. */
  let [sent, bytes, missed] = [0, 0, 0]
  /** When the last forwarded request was sent, and the time until which the judge knows of all requests. */
  let [last, told] = [0, 0]
  child.on('message', (message: MessageFromJudge) => {
    if ('report' in message) reports.shift()?.(message.report)
    else sent -= message.taken
    if (sent === 0) bytes = 0
  })
  const send = (message: MessageToJudge) => child.connected && child.send(message)

  /** Sends the judge what was forwarded. `until`: when the oldest open request was sent. */
  function tell(until: number): void {
    if (passed.length === 0 && told > last) return
    const exchanges = passed
    passed = []
    sent += exchanges.length
    told = until
    send({ exchanges, until, missed })
  }

  return {
    /** True once the judge is ready; false if it has ended instead. */
    isReady: Promise.race([once(child, 'message').then(() => true), ended.then(() => false)]),
    ended,
    tell,
    take(exchange: ForwardedExchange): void {
      const size = (exchange.body?.length ?? 0) + (exchange.answer?.length ?? 0)
      if (sent + passed.length >= most.exchanges || bytes + size > most.bytes) missed++
      else {
        passed.push(exchange)
        bytes += size
        last = exchange.at
      }
    },
    async report(until: () => number): Promise<string> {
      const { promise, resolve } = Promise.withResolvers<string>()
      reports.push(resolve)
      tell(until())
      send({ ask: 'report' })
      return promise
    },
    /** Asks the judge to give its verdict and to end; returns its exit code. */
    end(): Promise<number> {
      tell(Number.POSITIVE_INFINITY)
      send({ ask: 'end' })
      return ended
    },
  }
}
