/** `npm run proof [WHAT]` and `npm run bench [WHAT]`: runs one of several programs, with the other arguments. */
import { didYouMean } from '#contract/input/suggestion.ts'

const programs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  proof: {
    matrix: './proof/main.ts',
    mutants: './proof/mutants.ts',
    combinations: './proof/combinations.ts',
    soundness: './proof/soundness.ts',
    search: './proof/search.ts',
    bugs: './proof/bugs.ts',
    differential: './proof/differential.ts',
    openapi: './openapi/proxy-proof.ts',
  },
  bench: {
    peers: './bench/main.ts',
    model: './proof/model-speed.ts',
    verify: './bench/verify.ts',
    fleet: './bench/fleet.ts',
    judge: './bench/judge.ts',
    proxy: './bench/proxy.ts',
  },
}

const [kind = '', word = ''] = process.argv.slice(2)
const choices = programs[kind] ?? {}
const [usual = ''] = Object.keys(choices)
const isUsual = word === '' || word.startsWith('-')
const program = choices[isUsual ? usual : word]
process.argv.splice(2, isUsual ? 1 : 2)

/** Says in one line what was wrong with the arguments. */
function refuse(problem: string): void {
  console.error(problem)
  process.exitCode = 2
}

if (!program) refuse(`npm run ${kind} knows no "${word}"; ${didYouMean(word, Object.keys(choices))}`)
else
  await import(program).catch((error) => {
    if (!String(error.code).startsWith('ERR_PARSE_ARGS_')) throw error
    refuse(`npm run ${kind} ${isUsual ? usual : word}: ${error.message.split('. ')[0]}`)
  })
