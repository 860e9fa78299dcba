/** §2, §3: what the whole traffic says of a thing, wherever it is said. Tested by the model, without a request. */
import { NotExercised, Violation } from '../client/check-errors.ts'
import { must, type Observation, type Requirement } from '../harness/requirement.ts'
import { judge, rules } from '../model/index.ts'

/** Judges the traffic by the rules of one requirement; `what`: what they need to have seen. */
const byModel =
  (requirement: string, what: string): Observation['observe'] =>
  ({ exchanges, history }) => {
    let seen = false
    const own = rules
      .filter((rule) => rule.requirement === requirement)
      .map((rule): typeof rule => ({
        ...rule,
        judge(...given) {
          const finding = rule.judge(...given)
          seen ||= finding !== undefined
          return finding
        },
      }))
    const [violation] = judge(history, { rules: own }).violations.filter(({ others }) => !others)
    if (violation) {
      const { expected, actual, because } = violation
      const shown = exchanges.filter(({ number }) => because.includes(number))
      throw new Violation(expected, actual, ...shown)
    }
    if (!seen) throw new NotExercised(`no ${what} was seen`)
  }

export const knownThings: Requirement[] = [
  must('TASK-ANSWER-TEXT', '§4', 'createTask')
    .states('Every createTask response contains the text that was sent.')
    .observe(byModel('TASK-ANSWER-TEXT', 'created task')),

  must('TASK-NEW-IDLE', '§3', 'createTask')
    .states('A task that never ran is not in_progress.')
    .observe(byModel('TASK-NEW-IDLE', 'created task')),

  must('DOC-ANSWER-FIELDS', '§2', 'createDocument')
    .states(
      'Responses of createDocument and getDocument show the content, summary and folder of the creation, or none.',
    )
    .observe(byModel('DOC-ANSWER-FIELDS', 'created document')),
]
