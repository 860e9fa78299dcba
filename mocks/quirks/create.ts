/**
 * Strict-client mode, as letsencrypt/pebble has it for ACME: an organization that does everything that the
 * specification leaves open in another way than a client may think, and nothing that it forbids. What is drawn
 * hangs on the seed, the name of the organization, and which answer of which operation it is: what others ask
 * for in between changes nothing.
 */
import type { OperationId } from '#contract/operation.ts'
import { createRandom, type SeededRandom } from '../core/random.ts'
import { pick } from './draws.ts'
import { type IdForm, idForms, plainForms } from './ids.ts'
import { createQuirk } from './quirk.ts'
import { drawProfile } from './quirk-profile.ts'
import type { Quirks } from './quirks.ts'
import { handleWithQuirks } from './runs.ts'

/** The quirks of the organization of a name; undefined: none. */
export function createQuirks(seed: string | undefined, name: string): Quirks | undefined {
  if (seed === undefined) return undefined
  const random = (...what: string[]) => createRandom(seed, 'strict-client', name, ...what)
  const counts = new Map<string, number>()
  const next = inTurn(random, counts)
  const profile = drawProfile(random('character'))
  const forms = new Map<string, IdForm>()
  const formOf = (kind: string): IdForm => {
    const form = forms.get(kind) ?? pick(random('id', kind), kind === 'org' ? plainForms : idForms)
    forms.set(kind, form)
    return form
  }
  return {
    variants: profile.variants,
    looseCredits: profile.looseCredits,
    newId: (ids, kind) => formOf(kind)(ids, kind),
    bodyOf: (schema) => (profile.refusesUnknown ? schema.strict() : schema),
    handle: (operation, call, usual) =>
      handleWithQuirks(() => next('run', call.id), profile, operation, call, usual),
    next: (operation: OperationId | null) => createQuirk(next(operation ?? ''), profile, operation),
    dump: () => Object.fromEntries(counts),
    restore(drawn) {
      counts.clear()
      for (const [what, count] of Object.entries(drawn)) counts.set(what, count)
    },
  }
}

/** A stream of its own for each time that the same is drawn. */
function inTurn(random: (...what: string[]) => SeededRandom, counts: Map<string, number>) {
  return (...what: string[]): SeededRandom => {
    const key = what.join('\u0000')
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return random(...what, String(count))
  }
}
