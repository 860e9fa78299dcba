/**
 * `npm run generate [WORD…]`: writes the generated files whose paths contain one of the words, or all. `http-clients`
 * (6 minutes), `pictures` (needs Chromium) and `names` are written only where they are named.
 */
import { writeFileSync } from 'node:fs'
import { generated } from './generated.ts'

const slow = {
  'http-clients': './http-clients/main.ts',
  pictures: './docs/pictures.ts',
  names: './names.ts',
} as const

for (const word of process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['']) {
  const files = Object.keys(generated).filter((file) => file.includes(word))
  if (Object.hasOwn(slow, word)) await import(slow[word as keyof typeof slow])
  else if (files.length === 0) {
    console.error(
      `Nothing generated is called ${word}: ${[...Object.keys(generated), ...Object.keys(slow)].join(', ')}`,
    )
    process.exitCode = 2
  }
  for (const file of files) writeFileSync(file, (await generated[file]?.()) ?? '')
}
