/** A test in TypeScript that sends the same request and expects an answer of the same kind. */
import { parseJson } from './json-bounds.ts'

/** A request without secrets, and its answer. */
interface ShownExchange {
  /** Name of the request in the name of the test. */
  readonly name: string
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** Names in lower case; a value may be a shell variable such as `Bearer $WORK_AGENT_API_KEY`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** 0: no answer came. */
  readonly status: number
  readonly answer: string
  /** The body of `POST /__admin/restore` that brings back the state before the request; undefined if there is none. */
  readonly restores?: string | undefined
}

/** Writes a vitest test that sends the same request; base URL and credentials come from the environment. */
export function vitestTestOf(exchange: ShownExchange): string {
  const { name, method, path, headers, body, status } = exchange
  const restore = [
    `  await fetch(\`\${process.env.WORK_AGENT_BASE_URL}/__admin/restore\`, {`,
    `    method: 'POST',`,
    `    headers: { 'content-type': 'application/json' },`,
    `    body: ${literal(exchange.restores ?? '')},`,
    `  })`,
  ]
  const init = [
    ...(method === 'GET' ? [] : [`    method: ${literal(method)},`]),
    `    headers: {`,
    ...Object.entries(headers).map(([header, value]) => `      ${literal(header)}: ${withVariables(value)},`),
    `    },`,
    ...(body === null ? [] : [`    body: ${literal(body)},`]),
  ]
  const call = [`fetch(\`\${process.env.WORK_AGENT_BASE_URL}${escaped(path)}\`, {`, ...init, `  })`].join(
    '\n',
  )
  const lines =
    status === 0
      ? [`  await expect(${call}).rejects.toThrow()`]
      : [
          `  const response = await ${call}`,
          `  expect(response.status).toBe(${status})`,
          ...expectationsOf(exchange.answer),
        ]
  return [
    `import { expect, test } from 'vitest'`,
    '',
    `test(${literal(`${name} answers ${status === 0 ? 'nothing' : status}`)}, async () => {`,
    ...(exchange.restores === undefined ? [] : restore),
    ...lines,
    `})`,
    '',
  ].join('\n')
}

/** Expectations that do not depend on ids and times: the names of the fields of a success, the code of an error. */
function expectationsOf(answer: string): string[] {
  const json = parseJson(answer)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return []
  const error = Reflect.get(json, 'error')
  if (typeof error === 'string')
    return [`  expect(await response.json()).toMatchObject({ error: ${literal(error)} })`]
  const names = Object.keys(json).map(literal).join(', ')
  return [`  expect(Object.keys(await response.json())).toEqual(expect.arrayContaining([${names}]))`]
}

/** A text as a string literal in single quotes. */
function literal(text: string): string {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')}'`
}

const escaped = (text: string) => text.replace(/[\\`]|\$\{/g, '\\$&')

/** A text as a string literal, with each shell variable in it read from the environment. */
function withVariables(text: string): string {
  if (!/\$WORK_AGENT_/.test(text)) return literal(text)
  return `\`${escaped(text).replace(/\$(WORK_AGENT_\w+)/g, (_, name) => `\${process.env.${name}}`)}\``
}
