/**
 * Strict-client mode, as letsencrypt/pebble has it for ACME: an organization that does everything that the
 * specification leaves open in another way than a client may think, and nothing that it forbids. What is drawn
 * hangs on the seed, the name of the organization, and which answer of which operation it is: what others ask
 * for in between changes nothing.
 */
import type { OperationId } from '#contract/operation.ts'
import { type Chance, createChance } from '../world.ts'
import { drawCharacter } from './character.ts'
import { pick } from './draws.ts'
import { type IdForm, idForms, plainForms } from './ids.ts'
import { handleInCharacter } from './runs.ts'
import { createSurprise } from './surprise.ts'
import type { Surprises } from './surprises.ts'

/** The surprises of the organization of a name; undefined: none. */
export function createSurprises(seed: string | undefined, name: string): Surprises | undefined {
  if (seed === undefined) return undefined
  const chance = (...what: string[]) => createChance(seed, 'strict-client', name, ...what)
  const counts = new Map<string, number>()
  const next = inTurn(chance, counts)
  const character = drawCharacter(chance('character'))
  const forms = new Map<string, IdForm>()
  const formOf = (kind: string): IdForm => {
    const form = forms.get(kind) ?? pick(chance('id', kind), kind === 'org' ? plainForms : idForms)
    forms.set(kind, form)
    return form
  }
  return {
    variants: character.variants,
    looseCredits: character.looseCredits,
    newId: (ids, kind) => formOf(kind)(ids, kind),
    bodyOf: (schema) => (character.refusesUnknown ? schema.strict() : schema),
    handle: (operation, call, usual) =>
      handleInCharacter(() => next('run', call.id), character, operation, call, usual),
    next: (operation: OperationId | null) => createSurprise(next(operation ?? ''), character, operation),
    dump: () => Object.fromEntries(counts),
    restore(drawn) {
      counts.clear()
      for (const [what, count] of Object.entries(drawn)) counts.set(what, count)
    },
  }
}

/** A stream of its own for each time that the same is drawn. */
function inTurn(chance: (...what: string[]) => Chance, counts: Map<string, number>) {
  return (...what: string[]): Chance => {
    const key = what.join('\u0000')
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return chance(...what, String(count))
  }
}
