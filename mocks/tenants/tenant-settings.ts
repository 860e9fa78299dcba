/** The settings of a mock and of its organizations: the initial ones, those of a scenario, those of one organization. */
import type { Variant } from '#contract/route.ts'
import type { OptionProblem, Options, Settings } from '../config/options.ts'
import { settingsOf } from '../config/options.ts'
import { createQuirks } from '../quirks/create.ts'
import type { Quirks } from '../quirks/quirk.ts'

/** Reads options, those of a scenario included, or returns what is wrong with them. */
export type ReadOptions = (options: Options) => Settings | OptionProblem[]

/** Switches that apply to every organization. */
export interface Switches {
  readonly variant?: Variant | undefined
  readonly extended?: boolean | undefined
}

/** Which settings apply to which organization. */
export class TenantSettings {
  readonly initial: Settings
  #current: Settings
  /** Settings of organizations that were started individually, by name. */
  readonly #own = new Map<string, Settings>()
  /** Options that organizations were created with, as their keys could contain them, by name. */
  readonly #created = new Map<string, string>()
  readonly #read: ReadOptions
  #quirks: Quirks | undefined

  constructor(initial: Settings, read: ReadOptions) {
    this.initial = initial
    this.#read = read
    this.#current = initial
    this.#quirks = createQuirks(initial, '')
  }

  /** The current settings: those of the last scenario started, or the initial ones. */
  get current(): Settings {
    return this.#current
  }

  /** Quirks of responses to unauthenticated callers. */
  get quirks(): Quirks | undefined {
    return this.#quirks
  }

  /** Applies other settings to every organization. */
  start(settings: Settings): void {
    this.#current = settings
    this.#quirks = createQuirks(settings, '')
    this.#own.clear()
  }

  /** Applies other settings to one organization; undefined: those of the mock apply again. */
  setOwn(name: string, settings: Settings | undefined): void {
    if (settings) this.#own.set(name, settings)
    else this.#own.delete(name)
  }

  /** Sets the options that an organization has whenever it is created, as its key could contain them. */
  setCreated(name: string, keyOptions: string | undefined): void {
    if (keyOptions) this.#created.set(name, keyOptions)
    else this.#created.delete(name)
  }

  /** Forgets the options that organizations were created with. */
  clearCreated(): void {
    this.#created.clear()
  }

  /** Returns the options that an organization was created with, as its key could contain them; otherwise an empty text. */
  createdWith(name: string): string {
    return this.#created.get(name) ?? ''
  }

  /** Switches variant or extended set; returns what applies now. */
  switch(switches: Switches): { readonly variant: Variant; readonly extended: boolean } {
    const { variant = this.#current.variant, extended = this.#current.extended } = switches
    const options = { ...this.#current.options, variant, extended }
    this.#current = { ...this.#current, variant, extended, options }
    return { variant, extended }
  }

  /** Returns the options of one organization; undefined: those of the mock apply. */
  ownOptions(name: string): Options | undefined {
    return this.#own.get(name)?.options
  }

  /** Returns the settings of an organization before the options in its name are applied. */
  baseOf(name: string): Settings {
    return this.#own.get(name) ?? this.#current
  }

  /** Returns the settings of an organization. */
  of(name: string): Settings {
    const base = this.baseOf(name)
    const own = settingsOf(name + this.createdWith(name), base, this.#read)
    return Array.isArray(own) ? base : own
  }

  /** Returns the invalid options in a name. */
  problemsOf(name: string): readonly OptionProblem[] {
    const settings = settingsOf(name, this.#current, this.#read)
    return Array.isArray(settings) ? settings : []
  }
}
