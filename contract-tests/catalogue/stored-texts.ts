/** §2: the texts of tasks and documents are stored as they are. */
import { type Exchange, field } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised } from '../client/check-errors.ts'
import { created, readBack } from '../evidence/resources.ts'
import { assumePositiveControl } from '../evidence/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import { expectAccepted, expectSame, expectThat } from '../harness/expect.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'
import type { Kind } from './resource-kinds.ts'
import { everyText, isKept, longLengths, longText, paddings, texts } from './texts.ts'

const writes = { writes: true } as const

/** Creates a resource with a text; returns the response, and what is read by its id. */
async function storeText(t: TestContext, kind: Kind, text: string) {
  await assumePositiveControl(t, kind.create)
  const answer = expectAccepted(await t.call(kind.create, { body: kind.body(t, text) }))
  const { id, exchange } = created(t, answer)
  return { exchange, read: await readBack(t, kind.read, id) }
}

/** A resource with everything in its fields that services often damage, read twice; undefined where each has to be tried alone. */
const storedWhole = (t: TestContext, kind: Kind) =>
  t
    .evidence(`whole ${kind.name}`, async () => {
      await assumePositiveControl(t, kind.create)
      const sent = kind.wholeBody(t, everyText(t.name(kind.mark)))
      const { id, exchange } = created(t, await t.call(kind.create, { body: sent }))
      await readBack(t, kind.read, id)
      const { item } = await readBack(t, kind.read, id)
      return { sent, item, echo: field(exchange.json, kind.member) }
    })
    .catch(() => undefined)

/** Whether a field of it is kept, but for white space at either end; the text is answered by its creation too. */
export async function isKeptInWhole(t: TestContext, kind: Kind, name: string): Promise<boolean> {
  const whole = await storedWhole(t, kind)
  const isEchoed = kind.echoesText && name === kind.text
  const stored = whole ? [field(whole.item, name), ...(isEchoed ? [field(whole.echo, name)] : [])] : []
  return whole !== undefined && stored.every((one) => isKept(one, whole.sent[name] ?? ''))
}

/** Whether some fields of it are kept with the white space at either end. */
export async function isSameInWhole(t: TestContext, kind: Kind, ...names: string[]): Promise<boolean> {
  const whole = await storedWhole(t, kind)
  return whole !== undefined && names.every((name) => field(whole.item, name) === whole.sent[name])
}

/** Requires a text to be stored; white space may be trimmed at either end. */
function expectKept(stored: unknown, sent: string, what: string, exchange: Exchange): void {
  if (!isKept(stored, sent)) expectSame(stored, sent, what, exchange)
}

/** Texts of every kind in `texts` are stored as they are, but for white space at either end. */
export const keepsTexts = (kind: Kind): Requirement[] =>
  Object.entries(texts).map(([name, text]) =>
    must(`${kind.prefix}-TEXT-${name}`, '§2, §4', kind.create, writes)
      .states(
        `The ${kind.textName} of a ${kind.name} is stored character by character: ${name.toLowerCase()}.`,
      )
      .check(async (t) => {
        if (await isKeptInWhole(t, kind, kind.text)) return
        const wanted = text.replace('{mark}', t.name(kind.mark))
        const { exchange, read } = await storeText(t, kind, wanted)
        const what = `${kind.member}.${kind.text}`
        if (kind.echoesText) expectKept(field(exchange.json, kind.member, kind.text), wanted, what, exchange)
        expectKept(field(read.item, kind.text), wanted, what, read.exchange)
      }),
  )

export const keepsEnds = (kind: Kind): Requirement =>
  should(`${kind.prefix}-TEXT-ENDS`, '§2', kind.create, writes)
    .states(`The ${kind.textName} of a ${kind.name} keeps white space at either end.`)
    .check(async (t) => {
      if (await isSameInWhole(t, kind, kind.text)) return
      for (const padding of paddings) {
        const wanted = padding.replace('{mark}', t.name(kind.mark))
        const { item, exchange } = (await storeText(t, kind, wanted)).read
        const stored = field(item, kind.text)
        if (!isKept(stored, wanted))
          throw new NotExercised(`the ${kind.textName} is not kept, as ${kind.prefix}-TEXT-SPACES tests`)
        expectSame(stored, wanted, `${kind.member}.${kind.text}`, exchange)
      }
    })

export const keepsLongText = (kind: Kind, id: string, section: string): Requirement =>
  must(id, section, kind.create, writes)
    .states(`Long ${kind.name} ${kind.textName} that is accepted is stored in full.`)
    .check(async (t) => {
      if (await isKeptInWhole(t, kind, kind.text)) return
      await assumePositiveControl(t, kind.create)
      for (const wantedLength of longLengths) {
        const wanted = longText(t.name(kind.mark), wantedLength)
        const exchange = await t.call(kind.create, { body: kind.body(t, wanted) })
        if ([400, 413, 422].includes(exchange.status)) continue
        const read = await readBack(t, kind.read, created(t, exchange).id)
        const kept = field(read.item, kind.text)
        const length = typeof kept === 'string' ? `${kept.length} characters` : `no ${kind.textName}`
        return expectThat(isKept(kept, wanted), `all ${wanted.length} characters`, length, read.exchange)
      }
      const lengths = longLengths.map((one) => one.toLocaleString('en')).join(' and of ')
      throw new NotApplicable(`a ${kind.textName} of ${lengths} characters is refused, which is allowed`)
    })
