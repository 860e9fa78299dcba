/** `openapi`: prints the OpenAPI document of the contract, or writes it to a file. */
import { examples } from '#contract/examples/index.ts'
import { openapi } from '#contract/openapi/document.ts'
import suite from '../../package.json' with { type: 'json' }
import { writeAtomically } from '../files.ts'
import type { GivenOptions } from '../flags.ts'

const variants = ['both', 'first', 'second'] as const

/** The OpenAPI document as text. `url`: the server that it names. */
export function openapiText(variant: (typeof variants)[number], url?: string): string {
  const server = url === undefined ? {} : { server: url.replace(/\/+$/, '') }
  return `${JSON.stringify(openapi({ variant, version: suite.version, examples, ...server }), null, 2)}\n`
}

/** Runs `openapi`: prints the OpenAPI document, or writes it to the file of `--output`. */
export async function runOpenapi(given: GivenOptions): Promise<undefined> {
  const text = openapiText(given.choice('variant', variants, 'both'), given.url('server'))
  const file = given.output('output')
  if (file === undefined) process.stdout.write(text)
  else writeAtomically(file, text)
}
