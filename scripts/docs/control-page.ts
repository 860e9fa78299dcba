/** Renders the reference page of the control routes from their table. Pure: the same table gives the same page. */
import { refusalsOf } from '#mocks/edges/admin/index.ts'
import { acknowledged, type ControlRoute } from '#mocks/edges/admin/route.ts'
import { table } from '#reporting/markup.ts'
import { fieldTable } from './tables.ts'

const beginning = `# Control routes

Everything below \`/__admin\`: for operators and tests. They are never limited, faulted, journaled or counted, and survive every reset. \`npm run generate\` generates this page from their table; \`GET /__admin/openapi.json\` has the same as OpenAPI 3.1.

- **Scope.** A call with an API key (\`Authorization: Bearer …\`) acts on the organization of that key only, and refuses the \`org_id\` of another. Without a key, it takes \`org_id\` (in the query or in the body, as \`whoami\` reports it), or acts on the whole mock.
- **Access.** On a loopback address, every process on the machine may call. A call with a foreign \`Host\`, \`Origin\` or \`Sec-Fetch-Site\` returns 403, so that no other web page can control the mock. On any other address every call must send the admin token as \`X-Admin-Token\` or \`?token=\`, or it returns 401. \`--admin-token\` sets the token; otherwise the mock generates it, prints it and writes it to its ready file (\`admin_token\`). There is no CORS, and no page may frame a control route.
- **In a browser**, the address of the mock opens a page that uses these routes, under the same conditions; \`/__admin\` lists them as links.
- **Errors** are \`application/problem+json\`: \`{ "title": …, "status": … }\`, where \`title\` says what to do instead. Unknown fields of a body return 400.
- **In process**, use \`mock.clock\`, \`mock.faults\`, \`mock.journal\`, \`mock.ledgers()\`, \`mock.snapshot()\`, \`mock.restore()\`, \`mock.configure()\`, \`mock.reset()\`; for one organization, \`mock.organization(name)\`.

In the examples:

\`\`\`sh
MOCK=http://127.0.0.1:4402
KEY='Authorization: Bearer wak_test_demo'
curl $MOCK/api/cli/whoami -H "$KEY"      # the first request creates the organization
\`\`\`
`

/** Values of \`:id\` in the examples. */
const ids: Readonly<Record<string, string>> = {
  scenarios: 'slow-run',
  faults: 'f1',
  requests: '1',
  tasks: 'task_ezgxmqkj0tg0543w',
}

export function controlReference(routes: readonly ControlRoute[]): string {
  const rows = routes.map((route) => [
    `[\`${nameOf(route)}\`](#${anchorOf(route)})`,
    firstSentence(route.summary),
  ])
  return [beginning, table(['Route', ''], rows), '', ...routes.map(sectionOf)].join('\n')
}

const nameOf = ({ method, path }: ControlRoute) => `${method} /__admin${path}`

/** The anchor that GitHub derives from the heading. */
const anchorOf = (route: ControlRoute) =>
  nameOf(route)
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

const firstSentence = (text: string) => /^.*?[.](?= |$)/.exec(text)?.[0] ?? text

const abouts = {
  mock: 'Acts on the whole mock.',
  organization: 'Acts on one organization.',
  either: 'Acts on one organization, or on the whole mock.',
}

function sectionOf(route: ControlRoute): string {
  const { about = 'either', type = 'application/json', query, body, answer = acknowledged } = route
  const refusals = refusalsOf(route).filter(([status]) => status in (route.refusals ?? {}))
  const parts = [
    `## ${nameOf(route)}`,
    `${route.summary} ${abouts[about]}`,
    fieldTable(['Query', '', ''], query),
    fieldTable(['Body', '', ''], body, { required: ' (required)' }),
    type === 'application/json' ? fieldTable(['Answer', '', ''], answer) : `Answers \`${type}\`.`,
    refusals.map(([status, text]) => `- **${status}** ${text}`).join('\n'),
    `\`\`\`sh\n${exampleOf(route)}\n\`\`\``,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function exampleOf({ method, path, about = 'either', example }: ControlRoute): string {
  const query = typeof example === 'string' && example.startsWith('?') ? example : ''
  const known = path.replace(/^\/(\w+)\/:id/, (_, list: string) => `/${list}/${ids[list]}`)
  const address = `$MOCK/__admin${known}${query}`
  const words = ['curl']
  if (method === 'PUT' || method === 'DELETE' || (method === 'POST' && example === undefined))
    words.push(`-X ${method}`)
  words.push(query ? `"${address}"` : address)
  if (about === 'organization') words.push('-H "$KEY"')
  if (typeof example === 'object') words.push(`--json '${JSON.stringify(example)}'`)
  else if (example?.startsWith('@')) words.push(`--json ${example}`)
  else if (example?.startsWith('-o ')) words.push(example)
  return words.join(' ')
}
