/** A suggestion after a typo, by commander's own measure of similarity. */
import { Command, CommanderError } from 'commander'

/** `; did you mean …?` if a known word is similar, else nothing. */
export function suggestion(word: string, known: readonly string[]): string {
  // Commander measures similarity only when it reports an unknown command.
  const list = new Command()
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  for (const name of known) list.command(name)
  try {
    list.parse(['--', word], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const [, similar] = /Did you mean (?:one of )?([^,?]+)/.exec(error.message) ?? []
    if (similar !== undefined) return `; did you mean ${similar}?`
  }
  return ''
}
