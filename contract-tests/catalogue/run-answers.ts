/** Reads the response to a run. */
import { type Exchange, field, isAccepted } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised } from '../client/check-errors.ts'
import { assumeJson } from '../harness/expect.ts'

/** A field of the run response. Continues only with a success that has it. */
export function runField(answer: Exchange, name: string): unknown {
  if (!isAccepted(answer))
    throw new NotExercised('the run had to wait (409 busy), so its response has no more fields')
  const value = field(assumeJson(answer).json, name)
  if (value === undefined) throw new NotApplicable(`the response is of the other variant: it has no ${name}`)
  return value
}
