/**
 * `[[mock:…]]` in a text, for people who cannot set headers. In the text of a task it is about the task's runs,
 * or, with `create:`, about its creation; in a title, name or prompt it is about that very request.
 */
import { type Instruction, parseInstruction } from './instruction.ts'

/** Short, and without brackets inside: a text of nothing but beginnings is read once. */
const mark = /\[\[mock:([^\][]{1,300})\]\]/gi

/** Whether a text asks for anything. */
export function isMagic(text: string): boolean {
  return text.includes('[[mock:')
}

/** What a text asks for, in order; what it does not understand it leaves out. `about`: the creation, or a run. */
export function magicIn(text: string, about: 'request' | 'creation' | 'run'): Instruction[] {
  return [...text.matchAll(mark)].flatMap(([, said = '']) => {
    const [, prefix, rest = ''] = /^(create:\s*)?(.*)$/i.exec(said.trim()) ?? []
    if (about !== 'request' && (about === 'creation') !== (prefix !== undefined)) return []
    return parseInstruction(rest) ?? []
  })
}
