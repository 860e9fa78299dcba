/** What a client printed, as it is shown: without the key, and not more than fits a screen. */
import { counted } from '#reporting/counted.ts'
import { Redaction } from '#traffic/redaction.ts'

/** So much of the output of a run is shown. */
const most = { lines: 200, characters: 20_000 }

/** The output without the key of the mock, whatever its length. */
export const withoutKey = (output: string): string => new Redaction([]).text(output)

/** The end of the output; empty: there is none. */
export function endOfOutput(output: string): string {
  const lines = withoutKey(output).trimEnd().split('\n')
  const last = lines.slice(-most.lines).join('\n').slice(-most.characters)
  const before = lines.length - last.split('\n').length
  return before > 0 ? `… after ${counted(before, 'line')}:\n${last}` : last
}
