/**
 * Text directives: `[[mock:…]]` in a text, for people who cannot set headers. In the text of a task they apply to
 * its runs or, with `create:`, to its creation; in a title, name or prompt they apply to that request.
 */
import { type Instruction, parseInstruction } from './instruction.ts'

/** Bounded and without inner brackets, so that matching takes linear time. */
const directive = /\[\[mock:([^\][]{1,300})\]\]/gi

/** Returns whether a text may contain a directive. */
export function hasDirective(text: string): boolean {
  return text.includes('[[mock:')
}

/** Returns the instructions in a text, in order, without invalid ones. `about`: what they should apply to. */
export function directivesIn(text: string, about: 'request' | 'creation' | 'run'): Instruction[] {
  return [...text.matchAll(directive)].flatMap(([, content = '']) => {
    const [, prefix, rest = ''] = /^(create:\s*)?(.*)$/i.exec(content.trim()) ?? []
    if (about !== 'request' && (about === 'creation') !== (prefix !== undefined)) return []
    return parseInstruction(rest) ?? []
  })
}
