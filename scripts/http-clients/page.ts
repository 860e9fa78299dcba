/** `docs/http-clients.md`: a table of set-ups of HTTP clients, each with what was measured of it. */
import { renderMarkdownTable } from '#reporting/markup.ts'
import type { HttpClientMeasurements, RequestCount } from './measure.ts'
import { retryAfterSeconds } from './raw-server.ts'
import type { HttpClientSetUp } from './set-ups.ts'

/** One row of the table of HTTP clients. */
export interface HttpClientRow {
  readonly setUp: HttpClientSetUp
  readonly version: string
  readonly measured: HttpClientMeasurements
  /** The time after which it gives up, s; undefined: it did not within `longestWaitSeconds`. */
  readonly timeLimit: number | undefined
  /** The measurements of the set-up with its fix; unset: it has none. */
  readonly withFix?: HttpClientMeasurements
}

/** The longest time for which a set-up was observed to find its time limit, s. */
export const longestWaitSeconds = 65

const intro = (rows: readonly HttpClientRow[], system: string) => `# HTTP clients

A run is a POST that costs a credit. An HTTP client that sends it a second time by itself, because no answer came, pays twice, and the program sees one success. The table shows ${rows.length} set-ups, measured on ${system} by \`npm run generate http-clients\` with the programs of [examples/http-clients/set-ups](../examples/http-clients/set-ups) and a server of bare sockets. It is no ranking: most repeat only what they were told to, and every one that pays twice has a fix beside it. [\`check\`](client-report.md#from-a-shell) shows the same of a whole program.

- **Fresh**, **reused**: POSTs without a body that arrived when the server read each and closed the connection without an answer, on a new connection and on one that had answered before. 1 is right; 2 on a reused connection means that the program saw one success. *No reuse*: the client opened a new connection.
- **408**, **429**, **503**: POSTs that arrived when the server answered so twice, and then with a success; 429 and 503 with \`Retry-After: ${retryAfterSeconds}\`. A repeat after these costs nothing.
- **Waits**: whether a repeat, also that of a GET, came when \`Retry-After\` says.
- **Cut answer**: what the program takes an answer for that ends too early, first one with \`Content-Length\`, then one in chunks.
- **Limit**: after how many seconds the client gives up a POST that is never answered, up to ${longestWaitSeconds}.
- **Fix**: the switch that ends the repeats of a lost POST, with what was measured of it: fresh, then reused.

A time limit, a new process or a crash in the middle lose answers too, whatever the library does: after a lost answer, get the task before you request the run again ([the rules for clients](client-report.md#rules)). An answer that breaks off inside its header is lost as well, which the table does not show: Guzzle 7.4.5 then sends the POST again, with its fix too.`

const sent = ({ requests, isEndless }: RequestCount) => `${requests}${isEndless ? '+' : ''}`
const reused = (value: HttpClientMeasurements['reused']) => (value === 'no reuse' ? value : sent(value))

/** True if the measurements show that a client sends a POST again after its answer was lost. */
export const paysTwice = ({ fresh, reused: again }: HttpClientMeasurements) =>
  fresh.requests > 1 || (again !== 'no reuse' && again.requests > 1)

function cells({ setUp, version, measured, timeLimit, withFix }: HttpClientRow): string[] {
  const { fresh, after408, after429, after503, waits, cut } = measured
  const [length, chunk] = cut
  const number = (value: string) => (/^[2-9]|^1\d/.test(value) ? `**${value}**` : value)
  return [
    setUp.language,
    `${setUp.library} (${version})`,
    number(sent(fresh)),
    number(reused(measured.reused)),
    sent(after408),
    sent(after429),
    sent(after503),
    waits === undefined ? '' : waits ? 'yes' : 'no',
    length === chunk ? length : `${length}, ${chunk}`,
    timeLimit === undefined ? 'none' : `${timeLimit} s`,
    setUp.fix && withFix
      ? `${setUp.fix}: ${sent(withFix.fresh)}, ${reused(withFix.reused)}`
      : paysTwice(measured)
        ? 'no switch is known'
        : '',
  ]
}

const head = 'Language|Set-up|Fresh|Reused|408|429|503|Waits|Cut answer|Limit|Fix'.split('|')

/** Renders `docs/http-clients.md` from the measurements. */
export const renderHttpClientsPage = (rows: readonly HttpClientRow[], system: string): string =>
  `${intro(rows, system)}\n\n${renderMarkdownTable(head, rows.map(cells))}\n`
