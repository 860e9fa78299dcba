/** A card in each of its forms. */
import type { Card } from '../card.ts'
import type { FormName } from '../forms.ts'
import { renderHtml } from './html.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import { renderText } from './text.ts'

export const renderers: Readonly<Record<FormName, (card: Card) => string>> = {
  json: (card) => `${JSON.stringify(card, null, 2)}\n`,
  text: renderText,
  html: renderHtml,
  md: renderMarkdown,
  junit: renderJunit,
}
