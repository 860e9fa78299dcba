/** `--from FILE`: a mock in the state that explains a recording. */
import { createMock } from '#mocks/app.ts'
import { mostEntries, type Rebuilt, rebuild } from '#mocks/rebuilt.ts'
import { oneLine } from '#reporting/markup.ts'
import { EntryReader, type Recorded } from '#traffic/recording.ts'
import { UsageError } from '../files.ts'
import { openRecording, recordedIn } from '../judge/recording-file.ts'

/** Rebuilds a recording; the clock of its mock runs. @throws UsageError for a file that is none. */
export async function mockFrom(file: string, until?: number): Promise<Rebuilt> {
  const { chunks, attached } = await openRecording(file)
  try {
    const entries: Recorded[] = []
    for await (const entry of recordedIn(chunks, new EntryReader(undefined, attached)))
      if (entries.push(entry) > mostEntries) break
    if (entries.length === 0) throw new Error('nothing in it is a request of this API')
    const rebuilt = await rebuild(
      createMock,
      entries.toSorted((a, b) => a.at - b.at),
      until,
    )
    rebuilt.mock.clock.run()
    return rebuilt
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`cannot rebuild ${file}: ${oneLine((error as Error).message)}`)
  }
}
