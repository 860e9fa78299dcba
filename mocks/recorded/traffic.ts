/** Recorded traffic as a mock reads it: whose each request was, and what its answer holds. */
import { field, idOf } from '#traffic/exchange.ts'
import { parsed } from '#traffic/json-bounds.ts'
import type { Recorded } from '#traffic/recording.ts'
import { amount, id } from '../core/resources.ts'
import { nameInKey } from '../tenants/tenant.ts'

/** A recorded request with the body of its answer. */
export type Seen = ReturnType<typeof seenIn>[number]

export type Fields = Readonly<Record<string, unknown>>

/** The objects of a list in an answer. */
export function listIn(value: unknown, name: string): Fields[] {
  const found = field(value, name)
  return Array.isArray(found) ? found.filter((one) => typeof one === 'object' && one !== null) : []
}

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A number that a row may have: JSON may hold one beyond all of them. */
export const numberOf = (value: unknown): number | undefined => amount.safeParse(value).data

export function idIn(value: unknown): string | undefined {
  return id.safeParse(idOf(value)).data
}

/** A moment, ms since the epoch; undefined: none is told. */
export function timeOf(value: unknown): number | undefined {
  const at = Date.parse(textOf(value) ?? '')
  return Number.isNaN(at) ? undefined : at
}

/** Whether a credential was recorded as it is. */
export const isSecret = (text: string | undefined): text is string =>
  text !== undefined && /^[\w.~+/=:-]{4,}$/.test(text)

function secretOf({ requestHeaders }: Recorded): string | undefined {
  const [, secret] = /^bearer +(\S+)$/i.exec(requestHeaders.authorization ?? '') ?? []
  return isSecret(secret) ? secret : undefined
}

/** Reads the answers, and tells the organizations apart: by the recorder, by `whoami`, or else there is one. */
export function seenIn(entries: readonly Recorded[]) {
  const owner = new Map<string, string>()
  const read = entries.map((one) => ({ ...one, json: parsed(one.text), secret: secretOf(one) }))
  for (const { json, secret, operation, organization } of read) {
    const id = organization ?? (operation === 'whoami' ? idOf(field(json, 'org', 'id')) : undefined)
    if (secret !== undefined && id !== undefined) owner.set(secret, id)
  }
  const isKeyShown = read.some(({ secret }) => secret !== undefined)
  const names = new Map<string, string>()
  const nameOf = (id: string, secret = '') => {
    const usual = names.size === 0 ? 'demo' : names.size === 1 ? 'other' : `other-${names.size}`
    const name = names.get(id) ?? nameInKey(secret) ?? usual
    names.set(id, name)
    return name
  }
  const [first = ''] = owner.values()
  return read.map((one) => {
    const { secret, json, status, text } = one
    const id = one.organization ?? owner.get(secret ?? '') ?? (owner.size > 0 ? first : '')
    const created = one.operation === 'createKey' ? textOf(field(json, 'secret')) : undefined
    if (created !== undefined) owner.set(created, id)
    return {
      ...one,
      /** The organization that sent it. */
      org: nameOf(id, secret),
      /** It came without a key, although the recording shows keys. */
      isAnonymous: isKeyShown && one.requestHeaders.authorization === undefined,
      isSuccess: status >= 200 && status < 300 && (json !== undefined || text === undefined),
      /** No answer came, or none that can be read: it may have had its effect. */
      isLost: status === 0 || (status < 300 && text !== undefined && json === undefined),
    }
  })
}
