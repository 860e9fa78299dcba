/** Every field of every operation, and the operators that alter one: generated, not chosen. */
import { z } from 'zod'
import { operationIds, routeOf } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import { changeAtPath, type JsonObject } from '#traffic/exchange.ts'

type Change = Parameters<typeof changeAtPath>[2]
type Type = 'text' | 'number' | 'boolean' | 'list' | 'other'

/** An operator on fields: to which types it applies, and a new change for each use. */
interface FieldOperator {
  readonly types: readonly Type[]
  create(type: Type, path: string): Change
}

const all: readonly Type[] = ['text', 'number', 'boolean', 'list', 'other']
const empties: Readonly<Record<Type, unknown>> = { text: '', number: 0, boolean: null, list: [], other: {} }
const constants: Readonly<Record<Type, unknown>> = {
  ...{ text: 'constant', number: 7, boolean: true, list: [], other: 'constant' },
}

/** Fields that stand beside a resource and are about the organization. */
const ofOrganization = new Set(['credits', 'usedToday', 'limit', 'remaining', 'unread'])

const fieldOperators = {
  dropped: { types: all, create: () => () => undefined },
  emptied: { types: ['text', 'number', 'list', 'other'], create: (type) => () => empties[type] },
  constant: { types: ['text', 'number', 'boolean'], create: (type) => () => constants[type] },
  'constant false': { types: ['boolean'], create: () => () => false },
  swapped: {
    types: all,
    create() {
      let last: unknown
      return (value) => {
        const before = last ?? value
        last = value
        return before
      }
    },
  },
  /** The first value of a resource, or of the organization, is repeated for ever. */
  stale: {
    types: all,
    create(_, path) {
      const first = new Map<unknown, unknown>()
      return (value, parent: JsonObject) => {
        const thing = ofOrganization.has(path)
          ? undefined
          : (parent.id ?? Object(parent.task).id ?? Object(parent.item).id)
        if (!first.has(thing)) first.set(thing, value)
        return first.get(thing)
      }
    },
  },
  'off by one': {
    types: ['number', 'list'],
    create: (type) => (value) => (type === 'list' ? [value].flat().slice(0, -1) : Number(value) + 1),
  },
} as const satisfies Readonly<Record<string, FieldOperator>>

/** The name of a mutation operator on fields of answers. */
export type FieldOperatorName = keyof typeof fieldOperators

/** The schema inside its optional and nullable wrappers. */
function bare(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? bare(schema.unwrap()) : schema
}

function typeOf(schema: unknown): Type {
  if (schema instanceof z.ZodArray) return 'list'
  if (schema instanceof z.ZodBoolean) return 'boolean'
  if (schema instanceof z.ZodNumber) return 'number'
  return schema instanceof z.ZodObject ? 'other' : 'text'
}

function fieldsIn(schema: unknown, before: string): { path: string; type: Type }[] {
  if (schema instanceof z.ZodArray) return fieldsIn(bare(schema.element), `${before}*.`)
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).flatMap(([name, inner]) => {
    const [path, given] = [`${before}${name}`, bare(inner)]
    return [{ path, type: typeOf(given) }, ...fieldsIn(given, `${path}.`)]
  })
}

/** Every field of every operation once; `variant`: the first one whose answer has it. */
const answerFields = operationIds.flatMap((operation) => {
  const seen = new Set<string>()
  return variants.flatMap((variant) =>
    fieldsIn(routeOf(operation).answer[variant], '').flatMap(({ path, type }) => {
      if (seen.has(path)) return []
      seen.add(path)
      return [{ operation, path, type, variant }]
    }),
  )
})

/**
 * The mutants of answers: each mutation operator applied to each field that it suits, in the successful answers of
 * every operation.
 */
export const fieldMutants = answerFields.flatMap(({ operation, path, type, variant }) =>
  Object.entries(fieldOperators).flatMap(([name, { types, create }]) => {
    if (!(types as readonly string[]).includes(type)) return []
    const operator = name as FieldOperatorName
    /**
     * Starts a change of the bodies of these answers, which are given in their order; `caller`: who sent the request.
     */
    const start = () => {
      // Ids are unique within an organization, so that only its own earlier answers show an id not to be new.
      const changes = new Map<string | null, Change>()
      return (body: unknown, caller: string | null): unknown => {
        const by = /Id$/.test(path) ? caller : null
        const change = changes.get(by) ?? create(type, path)
        changes.set(by, change)
        return changeAtPath(body, path.split('.'), change)
      }
    }
    return [{ operation, path, variant, operator, create: start }]
  }),
)
