/** `npm run proof [WHAT]`, `npm run bench [WHAT]`, `npm run abuse` and `npm run world [WHAT]`: runs a program with the other arguments. */
import { adviceOnUnknownWord } from '#contract/input/suggestion.ts'

/** Programs by the folder that they are in; the first is the usual one. */
const programs: Readonly<Record<string, readonly string[]>> = {
  proof: 'matrix mutants combinations soundness search bugs differential openapi'.split(' '),
  bench: 'peers model verify fleet judge proxy'.split(' '),
  abuse: ['main'],
  world: ['main', 'recordings', 'codegen', 'dom'],
}

const [kind = '', word = ''] = process.argv.slice(2)
const choices = programs[kind] ?? []
// A program that is called `main` takes words of its own.
const isOfMain = choices[0] === 'main' && !choices.includes(word)
const isUsual = isOfMain || word === '' || word.startsWith('-')
const chosen = isUsual ? choices[0] : word
process.argv.splice(2, isUsual ? 1 : 2)

/** Prints in one line what was wrong with the arguments. */
function refuse(problem: string): void {
  console.error(problem)
  process.exitCode = 2
}

if (chosen === undefined || !choices.includes(chosen))
  refuse(`npm run ${kind} knows no "${word}"; ${adviceOnUnknownWord(word, choices)}`)
else
  await import(`./${kind}/${chosen}.ts`).catch((error) => {
    if (!String(error.code).startsWith('ERR_PARSE_ARGS_')) throw error
    refuse(`npm run ${kind}: ${error.message.split('. ')[0]}`)
  })
