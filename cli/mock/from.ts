/** `--from FILE`: a mock in the state that explains a recording. */
import { createMock } from '#mocks/app.ts'
import { decompress } from '#mocks/edges/recording/decompress.ts'
import { maxRecordedRequests, type RebuiltMock, rebuildMock } from '#mocks/rebuilt.ts'
import { createHarEntriesReader, type RecordedExchange } from '#traffic/recording.ts'
import { readOrThrowUsageError, UsageError } from '../files.ts'
import { openRecording, readRecordedExchanges } from '../judge/recording-file.ts'

/**
 * Creates a mock in the state that explains a recording, as it was before the first request or before entry `until`.
 * Its clock runs. @throws UsageError for a file that is no recording.
 */
export async function createMockFromRecording(file: string, until?: number): Promise<RebuiltMock> {
  const { chunks, attached } = await openRecording(file)
  return readOrThrowUsageError(`cannot rebuild ${file}`, async () => {
    const entries: RecordedExchange[] = []
    const reader = createHarEntriesReader({ attached, decompress })
    for await (const entry of readRecordedExchanges(chunks, reader))
      if (entries.push(entry) > maxRecordedRequests) break
    if (entries.length === 0) throw new Error('nothing in it is a request of this API')
    if (until !== undefined && until > reader.met() && entries.length <= maxRecordedRequests)
      throw new UsageError(`--until takes an entry from 1 to ${reader.met()}: the recording has no others`)
    const inOrder = entries.toSorted((a, b) => a.at - b.at)
    const rebuilt = await rebuildMock(createMock, inOrder, until)
    rebuilt.mock.clock.run()
    return rebuilt
  })
}
