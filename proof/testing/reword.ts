/**
 * A hook for Node that rewords every sentence of the suite, the checker and the mock as their modules are loaded:
 * letters change their case, and a mark comes last. `node --import ./proof/testing/reword.ts FILE`.
 */
import { registerHooks } from 'node:module'
import { parseAst } from 'rolldown/parseAst'
import { rewordedMark } from './mark.ts'

/** The folders whose texts are for people. */
const worded = /^\/(?:cli|client-tests|contract|contract-tests|mocks|reporting|traffic)\/(?!.*\btesting\/)/
/** Modules with texts for programs: what real gateways answer, and lines of a shell. */
const literal = new Set(['/mocks/faults/gateway.ts', '/traffic/curl.ts'])

const root = new URL('../..', import.meta.url).href.replace(/\/$/, '')

const isSentence = (text: string) => /\p{L}+[,;:.]? \p{L}+[,;:.]? \p{L}+/u.test(text)

/** A source text with upper and lower case swapped, except in escapes. */
const swapCase = (raw: string) =>
  raw.replace(/\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|.)|[a-z]/gis, (one) => {
    if (one.length > 1) return one
    return one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase()
  })

/** A part of a module, and what comes in its place. */
interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

type Node = Readonly<Record<string, unknown>> & { readonly start: number; readonly end: number }

/** Returns the edits that reword the sentences below a node. */
function editsIn(node: unknown, source: string): Edit[] {
  if (Array.isArray(node)) return node.flatMap((one) => editsIn(one, source))
  if (typeof node !== 'object' || node === null) return []
  const { type, start, end, ...parts } = node as Node
  const kind = String(type)
  if (/^(?:TS(?!As|Satisfies|NonNull)|Import|ExportAll|TaggedTemplate)/.test(kind)) return []
  // A list of words, written as one text.
  if (kind === 'MemberExpression' && (parts.property as Node).name === 'split') return []
  const last = { from: end - 1, to: end - 1, text: rewordedMark }
  if (kind === 'Literal' && typeof parts.value === 'string') {
    const [from, to] = [start + 1, end - 1]
    return isSentence(parts.value) ? [{ from, to, text: swapCase(source.slice(from, to)) }, last] : []
  }
  const inside = Object.entries(parts).flatMap(([name, part]) =>
    name === 'source' ? [] : editsIn(part, source),
  )
  if (kind !== 'TemplateLiteral') return inside
  const quasis = parts.quasis as readonly (Node & { readonly value: { readonly raw: string } })[]
  if (!isSentence(quasis.map(({ value }) => value.raw).join(' x '))) return inside
  const texts = quasis.flatMap(({ start: at, value: { raw } }) => {
    const from = source.indexOf(raw, at)
    return raw === '' ? [] : [{ from, to: from + raw.length, text: swapCase(raw) }]
  })
  return [...inside, ...texts, last]
}

/** Returns the source of a module with its sentences reworded. */
function reworded(source: string): string {
  const edits = editsIn(parseAst(source, { lang: 'ts' }), source)
  return edits
    .toSorted((a, b) => b.from - a.from || b.to - a.to)
    .reduce((text, edit) => text.slice(0, edit.from) + edit.text + text.slice(edit.to), source)
}

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const path = url.startsWith(root) ? url.slice(root.length) : ''
    if (!path.endsWith('.ts') || !worded.test(path) || literal.has(path)) return loaded
    return { ...loaded, source: reworded(String(loaded.source)) }
  },
})
