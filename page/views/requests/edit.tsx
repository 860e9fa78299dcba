/** A form that changes a request and sends it. */
import type { ExchangeDetail } from '../../model/answers.ts'
import { Choice, Field, Form, TextField, type Values } from '../../parts/form.tsx'
import { notify } from '../../state/notices.ts'
import { sendAgain } from './send.ts'

/** Headers that are not edited: the mock sends its own. */
const own = new Set(['authorization', 'cookie', 'host', 'content-length', 'connection', 'transfer-encoding'])

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, method] as const)

/** Reads `name: value` lines; undefined: one is none. */
function readHeaders(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^([^:\s]+):\s*(.*)$/.exec(line))
  if (pairs.some((pair) => pair === null)) return undefined
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
}

/** The form. */
export function Edit({ detail }: { readonly detail: ExchangeDetail }) {
  const { number, request } = detail.request
  const shown = Object.entries(request.headers).filter(([name]) => !own.has(name))
  const send = async ({ method = request.method, path = '/', headers = '', body }: Values) => {
    const read = readHeaders(headers)
    if (read) return sendAgain(number, { method, path, headers: read, ...(body !== undefined && { body }) })
    notify('failed', 'Send: write one header a line, as "name: value"')
    return false
  }
  return (
    <Form label="Edit and send" button="Send" submit={send} keep>
      <Choice name="method" label="Method" value={request.method} options={methods} />
      <Field
        name="path"
        label="Path"
        value={request.url.replace(/^[a-z]+:\/\/[^/]*/i, '')}
        required
        size={60}
      />
      <TextField
        name="headers"
        label="Headers"
        rows={3}
        value={shown.map((pair) => pair.join(': ')).join('\n')}
      />
      <TextField name="body" label="Body" rows={5} value={request.body ?? ''} />
    </Form>
  )
}
