/** Ways in which a text is damaged between a request and the answers that should give it back. */

export interface Damage {
  /** The last word of the requirements that ask for it. */
  readonly name: string
  readonly says: string
  damage(text: string): string
}

export const damages: readonly Damage[] = [
  { name: 'UNICODE', says: 'is normalised to composed characters', damage: (text) => text.normalize('NFC') },
  { name: 'SPACES', says: 'loses spaces at its ends', damage: (text) => text.replace(/^ +| +$/g, '') },
  { name: 'LINES', says: 'has its line ends unified', damage: (text) => text.replaceAll('\r\n', '\n') },
  { name: 'MARKUP', says: 'is escaped as HTML', damage: (text) => text.replaceAll('<', '&lt;') },
]
