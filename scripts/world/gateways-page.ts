/** `docs/gateways.md`: what each gateway does to a paid request, by configuration. */
import { renderMarkdownTable } from '#reporting/markup.ts'
import type { GatewayConfiguration } from './configurations.ts'
import type { GatewayProbeResult } from './probe.ts'

/** One row of the page: a configuration of a gateway, and what was measured of it. */
export interface GatewayRow {
  readonly configuration: GatewayConfiguration
  readonly version: string
  readonly probed: GatewayProbeResult
}

const intro = (system: string) => `# Gateways

A gateway between a client and the service may send a request again when its answer is lost. A run then costs a credit each time, and neither the client nor the service can prevent it. The tables were measured on ${system} by \`npm run generate gateways\`: each row is a gateway with the few lines of configuration that pass requests on and those that the row shows, in front of a server that closes the connection instead of answering. \`verify\` finds a gateway that repeats runs in front of any service that offers the state \`answer_lost\` ([provider states](provider-states.md)): requirement \`PATH-RUN-ONCE\`.

## Lost answers

How often a request whose answer was lost reached the service, after another had been answered: a POST without a body, as a run is, one with a body, and a GET. 1 is right for both POSTs. The last two columns: what the client got instead of the answer to the run, and to a POST that has no \`Content-Length\`, as \`curl -X POST\` sends it. \`verify\` sends one such request, free of charge, and warns of a refusal by \`PATH-NO-LENGTH\`.`

const afterwards = `- An error of a gateway says nothing of the run: 500, 502, 503, 504 and no answer at all came here after the run had taken effect. Get the task before you request the run again. \`no answer\` means that the gateway closed the connection of the client, after which HTTP clients that repeat requests on reused connections do so ([HTTP clients](http-clients.md)).
- Varnish repeats a POST without a body but not one with a body; \`return (pipe)\` ends that. HAProxy and nginx repeat POSTs only when told to, and \`disable-l7-retry\` or \`proxy_next_upstream off\` ends it.
- Squid in front of a service removes \`Authorization\` from requests; \`login=PASSTHRU\` keeps it.
- A service that builds the URLs of images from the \`Host\` header needs the one that the client sent: with \`proxy_pass\` to an \`upstream\` block, nginx sends the name of the block unless told \`proxy_set_header Host $http_host\`. \`verify\` warns by \`CREATIVE-REACHABLE\`, and shows the URL.

## Limits

What a gateway answers above its own rate limit. A client of this API waits as \`Retry-After\` says and reads \`error\` from JSON: it understands only an answer with both.`

const code = (text: string) =>
  text
    .split('\n')
    .map((line) => `\`${line.trim()}\``)
    .join('<br>')
const named = ({ configuration, version }: GatewayRow) => `${configuration.gateway} ${version}`
const linesOf = ({ configuration }: GatewayRow) =>
  configuration.lines === '' ? 'defaults' : code(configuration.lines)
const times = (number: number) => (number > 1 ? `**${number}**` : String(number))
const answer = (text: string) => (text === 'none' ? 'no answer' : text)

/** Renders `docs/gateways.md` from the measurements. */
export function renderGatewaysPage(rows: readonly GatewayRow[], system: string): string {
  const [limits, others] = [true, false].map((isLimit) =>
    rows.filter(({ configuration }) => (configuration.purpose === 'limit') === isLimit),
  )
  const lost = (others ?? []).map((row) => {
    const { bare, withBody, get, answer: lostAnswer, withoutLength } = row.probed
    const counts = [times(bare), times(withBody), times(get)]
    return [named(row), linesOf(row), ...counts, answer(lostAnswer), answer(withoutLength)]
  })
  const limited = (limits ?? []).map((row) => [
    named(row),
    linesOf(row),
    row.probed.limited ?? 'nothing refused',
  ])
  return `${[
    intro(system),
    renderMarkdownTable(
      ['Gateway', 'Configuration', 'POST', 'With a body', 'GET', 'Answer', 'No length'],
      lost,
    ),
    afterwards,
    renderMarkdownTable(['Gateway', 'Configuration', 'Answer'], limited),
  ].join('\n\n')}\n`
}
