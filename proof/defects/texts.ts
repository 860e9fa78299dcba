/** Ways in which the service damages a text that it should store unaltered. */

export interface Damage {
  /** The last word of the ids of the requirements that it breaks. */
  readonly name: string
  readonly description: string
  damage(text: string): string
}

export const damages: readonly Damage[] = [
  {
    name: 'UNICODE',
    description: 'is normalized to composed characters',
    damage: (text) => text.normalize('NFC'),
  },
  {
    name: 'SPACES',
    description: 'has its inner runs of spaces shortened to one',
    damage: (text) => text.replace(/(?<=\S) {2,}(?=\S)/g, ' '),
  },
  { name: 'ENDS', description: 'loses white space at its ends', damage: (text) => text.trim() },
  {
    name: 'LINES',
    description: 'has its line ends converted to one form',
    damage: (text) => text.replaceAll('\r\n', '\n'),
  },
  { name: 'MARKUP', description: 'is escaped as HTML', damage: (text) => text.replaceAll('<', '&lt;') },
]
