/** `--state FILE`: a mock that begins with the snapshot in a file, and keeps its state there. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { createMock, type Mock } from '#mocks/app.ts'
import { snapshot } from '#mocks/control/snapshot/snapshot.ts'
import type { Bindings } from '#mocks/pipeline/service.ts'
import type { MockOptions } from '#mocks/scenarios/settings.ts'
import { oneLine } from '#reporting/one-line.ts'
import { checkWritable, readJson, write } from '../files.ts'
import { UsageError } from '../usage-error.ts'

/** Creates the mock that a file holds; undefined: there is no such file. @throws UsageError for any other content. */
export function readState(file: string): Mock | undefined {
  checkWritable(file)
  if (!existsSync(file)) return undefined
  if (!statSync(file).isFile()) throw new UsageError(`cannot use ${file}: it is no regular file`)
  const json = readJson(file)
  try {
    const read = snapshot.safeParse(json)
    if (read.data?.of === 'organization') throw new Error('It holds one organization, not a whole mock.')
    const mock = createMock(read.data?.options as MockOptions | undefined)
    mock.restore(json as Parameters<Mock['restore']>[0])
    return mock
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`cannot use ${file}: ${oneLine(why)}`)
  }
}

/** A mock as a listener sees it. */
export interface Served extends Pick<Mock, 'handle'> {
  /** Writes the state now; absent: it is not kept. */
  save?(): void
}

/** Shortest time between two writes, ms. */
const interval = 1_000

/** Tells one writing of a file from the next; undefined: there is no such file. */
function versionOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.ino} ${found.mtimeMs}`
}

/**
 * Keeps the state of a mock in a file: written at most once a second after something changed. Returns the mock for a
 * listener: requests through it are noticed, for the price of one comparison each. If another process writes the file,
 * its content stays.
 */
export function keepState(mock: Mock, name: string): Served {
  const file = existsSync(name) ? realpathSync(name) : name
  let own = versionOf(file)
  let isPending = false
  let hasFailed = false
  const save = () => {
    isPending = false
    try {
      if (![undefined, own].includes(versionOf(file))) throw new Error(`another process has written ${file}`)
      write(file, `${JSON.stringify(mock.snapshot())}\n`)
      own = versionOf(file)
      hasFailed = false
    } catch (error) {
      if (!hasFailed) process.stderr.write(`mock: ${(error as Error).message}; the state is not kept\n`)
      hasFailed = true
    }
  }
  const notice = (request: Request) => {
    if (isPending || changesNothing(request)) return
    isPending = true
    setTimeout(save, interval).unref()
  }
  return {
    save,
    handle(request: Request, bindings?: Bindings) {
      const response = mock.handle(request, bindings)
      const changed = () => notice(request)
      if (response instanceof Promise) response.then(changed, changed)
      else changed()
      return response
    },
  }
}

/** Whether a request leaves the state as it is: control routes that only show it, and other pages. */
function changesNothing({ method, url }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && !new URL(url).pathname.startsWith('/api/')
}
