/** `proxy`: forwards, records and judges until it is stopped. Exit codes: 0, 1 violation, 2 usage, 3 nothing of this API, or cannot listen. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { isSea } from 'node:sea'
import type { Given } from '../flags.ts'
import { readProxyOptions } from '../judge/options.ts'
import { tell } from '../screen.ts'
import { Forwarding, type Passed } from './forward.ts'
import type { FromJudge, ToJudge } from './judge.ts'

/** ms between two messages to the judge. */
const pause = 100
/** A request that takes longer keeps no other from being judged, ms; its answer is judged after theirs, out of order. */
const longestWait = 30_000
/** So much may be on its way to the judge: exchanges, and bytes of bodies. More is forwarded only. */
const most = { exchanges: 20_000, bytes: 64_000_000 }

export async function runProxy(given: Given): Promise<number> {
  const { upstream } = readProxyOptions(given)
  const [host, port] = [given.text('host') ?? '127.0.0.1', given.port('port', 4403)]
  const judge = new JudgeProcess(given.argv)
  await judge.isReady
  let wasReached = true
  const forwarding = new Forwarding(upstream, {
    passed: (exchange) => judge.take(exchange),
    unreachable(error) {
      if (wasReached) tell('proxy', `cannot reach ${upstream.origin}: ${error.code ?? error.message}`)
      wasReached = false
    },
    report: () => judge.report(() => forwarding.settledUntil(longestWait)),
  })
  try {
    forwarding.server.listen(port, host)
    await once(forwarding.server, 'listening')
  } catch (error) {
    tell('proxy', `cannot listen on ${host}:${port}: ${(error as NodeJS.ErrnoException).code}`)
    judge.kill()
    return 3
  }
  const address = forwarding.server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  process.stdout.write(
    `http://${shown}:${address.port} forwards to ${upstream.origin}; Ctrl-C ends with the verdict\n`,
  )
  const timer = setInterval(() => judge.tell(forwarding.settledUntil(longestWait)), pause)
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })
  await Promise.race([stopped, judge.ended])
  clearInterval(timer)
  await forwarding.close()
  return judge.end()
}

class JudgeProcess {
  readonly isReady: Promise<unknown>
  /** With its exit code. */
  readonly ended: Promise<number>
  readonly #process: ChildProcess
  readonly #reports: ((text: string) => void)[] = []
  #passed: Passed[] = []
  /** Sent, and not yet taken in. */
  #sent = 0
  #bytes = 0
  #missed = 0
  /** When the last request was sent that passed, and until when the judge knows of all. */
  #last = 0
  #told = 0

  /** `argv`: the flags of the proxy. */
  constructor(argv: readonly string[]) {
    const script = isSea() ? [] : [...process.execArgv, process.argv[1] ?? '']
    this.#process = spawn(process.execPath, [...script, 'proxy-judge', ...argv], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    this.ended = once(this.#process, 'exit').then(([code]) => code ?? 3)
    this.isReady = Promise.race([once(this.#process, 'message'), this.ended])
    this.#process.on('message', (message: FromJudge) => {
      if ('report' in message) this.#reports.shift()?.(message.report)
      else this.#sent -= message.taken
      if (this.#sent === 0) this.#bytes = 0
    })
  }

  take(exchange: Passed): void {
    const bytes = (exchange.body?.length ?? 0) + (exchange.answer?.length ?? 0)
    const isFull = this.#sent + this.#passed.length >= most.exchanges || this.#bytes + bytes > most.bytes
    if (isFull) this.#missed++
    else {
      this.#passed.push(exchange)
      this.#bytes += bytes
      this.#last = exchange.at
    }
  }

  /** Tells what has passed. `until`: when the oldest request was sent that has not. */
  tell(until: number): void {
    if (this.#passed.length === 0 && this.#told > this.#last) return
    const exchanges = this.#passed
    this.#passed = []
    this.#sent += exchanges.length
    this.#told = until
    this.#send({ exchanges, until, missed: this.#missed })
  }

  async report(until: () => number): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>()
    this.#reports.push(resolve)
    this.tell(until())
    this.#send({ ask: 'report' })
    return promise
  }

  /** Has it give its verdict; returns the exit code. */
  end(): Promise<number> {
    this.tell(Number.POSITIVE_INFINITY)
    this.#send({ ask: 'end' })
    return this.ended
  }

  kill(): void {
    this.#process.kill('SIGKILL')
  }

  #send(message: ToJudge): void {
    if (this.#process.connected) this.#process.send(message)
  }
}
