import type { Catalog } from '../../domain/catalog.ts'
import { foldText } from '../../lib/fold-text.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { type StemmedCatalog, type StemmedColumn, stemCatalog } from './catalog-words.ts'

/** Where and how well the question names something. */
export interface Mention {
  /** Place of the first word that names it. */
  readonly at: number
  /** Share of the name's words that stand there together, over 0 to 1. */
  readonly share: number
  /** Words of the question that name it. */
  readonly length: number
}

/** A question cut into words, and what of the catalog it names. */
export interface QuestionMentions {
  readonly words: readonly QuestionWord[]
  readonly catalog: StemmedCatalog
  /** In the order of the catalog's columns; null for one that is not named at all. */
  readonly columns: readonly (Mention | null)[]
  /** In the order of the catalog's tables. */
  readonly tables: readonly (Mention | null)[]
}

interface QuestionWord {
  /** Folded; a comma is a word too, and so is the end of a sentence before the last, as `.`. */
  readonly text: string
  readonly stem: string
  /** A quoted text, a number, or a capital inside the sentence: a value more often than a word. */
  readonly isValue: boolean
}

const wordPattern =
  /"[^"]*"|“[^”]*”|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}])|\p{N}+(?:[.,:]\p{N}+)*(?!\p{L})|[\p{L}\p{N}_]+|,|[.?;](?=\s+\S)/gu

/** Cuts a question into words and finds the names of the catalog in it. */
export const findMentions = (question: string, catalog: Catalog): QuestionMentions => {
  const words: QuestionWord[] = []
  let isStart = true
  for (const [token] of question.matchAll(wordPattern)) {
    const text = /^[?;]$/.test(token) ? '.' : foldText(token.replace(/^["'“]|["'”]$/g, ''))
    const isQuoted = /^["'“]/.test(token)
    const isCapital = !isStart && /^\p{Lu}/u.test(token) && !/^(?:ID|I|IDs)$/.test(token)
    words.push({ text, stem: stemWord(text), isValue: isQuoted || isCapital || /^\p{N}/u.test(token) })
    isStart = text === '.'
  }
  const known = stemCatalog(catalog)
  const text: Text = { words, places: positionsOf(words), asking: askingAt(words) }
  return {
    words,
    catalog: known,
    columns: known.columns.map(column => findColumn(column, text)),
    tables: known.tables.map(({ stems }) => findName(stems, text)),
  }
}

type WordPositions = ReadonlyMap<string, readonly number[]>

interface Text {
  readonly words: readonly QuestionWord[]
  /** Where each stem stands. */
  readonly places: WordPositions
  /** By place: above zero in a sentence that lists what is wanted, below it behind a word that begins a condition. */
  readonly asking: readonly number[]
}

const listing = new Set([
  'list',
  'show',
  'give',
  'find',
  'return',
  'tell',
  'report',
  'displai',
  'output',
  'state',
])

const conditional = new Set([
  'whose',
  'with',
  'by',
  'each',
  'everi',
  'per',
  'than',
  'where',
  'have',
  'ha',
  'had',
])

const askingAt = (words: readonly QuestionWord[]): readonly number[] => {
  let isListing = false
  return words.map((_, at) => {
    const before = words[at - 1]
    if (before?.text === '.') isListing = false
    if (before !== undefined && listing.has(before.stem) && words[at - 2]?.text !== ',') isListing = at > 1
    const isBehind = [before, words[at - 2]].some(word => word !== undefined && conditional.has(word.stem))
    return (isListing ? LISTED : 0) - Number(isBehind)
  })
}

const LISTED = 2

/** `age is 3`, `name "Ann"`: what is named is compared. */
const isCondition = (next: QuestionWord | undefined): boolean =>
  next !== undefined && (next.isValue || next.text === 'is' || next.text === 'are')

const positionsOf = (words: readonly QuestionWord[]): WordPositions => {
  const places = new Map<string, number[]>()
  for (const [at, { stem, text }] of words.entries()) {
    // What is quoted is never the name of a column.
    if (text.includes(' ')) continue
    const known = places.get(stem)
    if (known === undefined) places.set(stem, [at])
    else known.push(at)
  }
  return places
}

/** The whole name, or the name without its table's words, whichever more of is there. */
const findColumn = ({ stems, ownStems }: StemmedColumn, text: Text): Mention | null => {
  const whole = findName(stems, text)
  if (ownStems.length === stems.length || whole?.share === 1) return whole
  const own = findName(ownStems, text)
  return own !== null && own.share >= (whole?.share ?? 0) ? own : whole
}

/** The stretch of words that holds the most words of a name; among equals the likeliest to ask for it, then the first. */
const findName = (stems: readonly string[], { words, places, asking }: Text): Mention | null => {
  let best: (Mention & { readonly rank: number }) | null = null
  for (const stem of stems) {
    for (const at of places.get(stem) ?? []) {
      let found = 0
      let end = at
      for (const other of stems) {
        const place = places.get(other)?.find(place => place >= at && place <= at + stems.length + 1)
        if (place === undefined) continue
        found += 1
        end = Math.max(end, place)
      }
      const share = found / stems.length
      const rank = (asking[at] ?? 0) - Number(isCondition(words[end + 1]))
      if (
        best === null ||
        share > best.share ||
        (share === best.share && (rank > best.rank || (rank === best.rank && at < best.at)))
      )
        best = { at, share, length: found, rank }
    }
  }
  return best
}

/** Words of the question by what they name: `C` a column, `T` a table, `V` a value; all others by their stem. */
export const maskWords = ({ words, columns, tables }: QuestionMentions): readonly string[] => {
  const marks = words.map(({ isValue }): string => (isValue ? 'V' : ''))
  // A table's own word wins over a column's: `singer` is the table although there is a `singer_id`.
  for (const [mentions, mark] of [
    [columns, 'C'],
    [tables, 'T'],
  ] as const)
    for (const mention of mentions)
      if (mention !== null && mention.share === 1)
        for (let at = mention.at; at < mention.at + mention.length; at++)
          if (marks[at] !== 'V') marks[at] = mark
  const masked: string[] = []
  for (const [at, { stem }] of words.entries()) {
    const mark = marks[at] || stem
    if (mark.length > 1 || mark === ',' || mark !== masked.at(-1)) masked.push(mark)
  }
  return masked
}

/**
 * What is telling in a question, as names of features: runs of one to three words, names and values masked, and how
 * many of these there are. Each once.
 */
export const questionCues = (reading: QuestionMentions): readonly string[] => {
  const masked = ['^', ...maskWords(reading), '$']
  const cues = new Set<string>()
  for (let at = 0; at < masked.length; at++)
    for (let length = 1; length <= MOST_WORDS && at + length <= masked.length; length++)
      cues.add(masked.slice(at, at + length).join(' '))
  for (const { stem, isValue } of reading.words) if (!isValue) cues.add(stem)
  cues.delete('^')
  cues.delete('$')
  const count = (mark: string): number => Math.min(4, masked.filter(word => word === mark).length)
  for (const mark of ['C', 'T', 'V']) cues.add(`#${mark}=${count(mark)}`)
  cues.add(`#tables=${Math.min(4, reading.tables.filter(mention => mention?.share === 1).length)}`)
  return [...cues]
}

const MOST_WORDS = 3
