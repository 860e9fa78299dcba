/** `openapi`: prints the OpenAPI document of the contract, or writes it to a file. */
import { examples } from '#contract/examples/index.ts'
import { openapi } from '#contract/openapi/document.ts'
import suite from '../../package.json' with { type: 'json' }
import { openapiCommand } from '../command-lines.ts'
import { write } from '../files.ts'
import { readCommandLine, Values } from '../flags.ts'

const variants = ['both', 'first', 'second'] as const

/** The document of a variant, as text. */
export function openapiText(variant: (typeof variants)[number]): string {
  return `${JSON.stringify(openapi({ variant, version: suite.version, examples }), null, 2)}\n`
}

export async function runOpenapi(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<undefined> {
  const values = new Values(readCommandLine(openapiCommand, argv, env))
  const text = openapiText(values.choice('variant', variants, 'both'))
  const file = values.text('output')
  if (file === undefined) process.stdout.write(text)
  else write(file, text)
}
