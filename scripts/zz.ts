import { tryMutations } from '#proof/trial.ts'
import { defects } from '#proof/defects/index.ts'
import { resultsWithOutcome } from '#contract-tests/harness/outcome.ts'
const d = defects.find(x=>x.id===process.argv[2])!
const { run } = await tryMutations([d.mutate()], 'first', { extended: 'on' })
for (const r of resultsWithOutcome(run,'not_exercised','suspected','failed','warned') as any[]) { console.log(r.requirement.id+' '+r.outcome+' '+r.reason+' '+r.expected+' | '+r.actual); for (const e of r.evidence) console.log('  ', e.number, e.method, e.url, e.status, e.text.slice(0,90)) }
for (const id of (process.argv[3]??'').split(',')) console.log(run.results.filter(r=>r.requirement.id===id).map((r:any)=>r.outcome+' '+r.reason+' '+r.note))
