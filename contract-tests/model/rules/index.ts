/** All rules of the model. */
import type { Rule } from '../violation.ts'
import { tasks } from './tasks.ts'

export const rules: readonly Rule[] = [...tasks]
