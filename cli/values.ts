/** Reads single option values. */
import { durationAdvice, milliseconds } from '#mocks/core/clock.ts'
import { type Given, UsageError } from './flags.ts'

/** Typed access to the options of a call; each method throws a UsageError that names the source of a bad value. */
export class Values {
  readonly #given: Given

  constructor(given: Given) {
    this.#given = given
  }

  text(option: string): string | undefined {
    const value = this.#given.values[option]
    return value === undefined || value === '' ? undefined : String(value)
  }

  on(option: string): boolean {
    const value = this.#given.values[option] ?? false
    if (typeof value !== 'boolean') throw this.#wrong(option, 'takes true or false')
    return value
  }

  list(option: string): string[] {
    const value = this.#given.values[option]
    return value === undefined
      ? []
      : [value]
          .flat()
          .flatMap((part) => String(part).split(','))
          .filter((part) => part !== '')
  }

  choice<const T extends string>(option: string, choices: readonly T[], fallback: T): T {
    const value = this.text(option)
    const found = choices.find((choice) => choice.toLowerCase() === value?.toLowerCase())
    if (value !== undefined && found === undefined) throw this.#wrong(option, `takes ${choices.join(', ')}`)
    return found ?? fallback
  }

  /** A whole number of at least `least`. */
  count(option: string, fallback: number, least = 0): number {
    const value = this.text(option)
    if (value === undefined) return fallback
    if (!/^\d+$/.test(value) || Number(value) < least)
      throw this.#wrong(option, `takes a whole number, ${least} or more`)
    return Number(value)
  }

  /** A port to listen on or to reach. */
  port(option: string, fallback: number, least = 0): number {
    const value = this.#given.values[option] ?? fallback
    if (
      typeof value === 'object' ||
      !/^\d{1,5}$/.test(String(value)) ||
      Number(value) > 65_535 ||
      Number(value) < least
    )
      throw this.#wrong(option, `takes a port from ${least} to 65535`)
    return Number(value)
  }

  /** A duration such as `60s`, in ms. */
  duration(option: string, fallback: number): number {
    const value = this.text(option)
    if (value === undefined) return fallback
    const ms = milliseconds(value)
    if (ms === undefined) throw this.#wrong(option, durationAdvice)
    return ms
  }

  /** An http or https URL. */
  url(option: string): string | undefined {
    const value = this.text(option)
    if (value === undefined || isHttpUrl(value)) return value
    throw this.#wrong(option, 'takes a URL such as http://127.0.0.1:4402/__admin/states')
  }

  #wrong(option: string, advice: string): UsageError {
    return new UsageError(`${this.#given.sourceOf(option)} ${advice}`)
  }
}

export function isHttpUrl(text: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '')
}
