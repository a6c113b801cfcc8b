import { hiddenValue, type SeesValue, seesEveryValue } from '../../domain/access/sees-value.ts'
import type { ParseDialect } from '../../domain/sql.ts'
import type { VerifiedSlot } from '../../domain/verified-query.ts'
import { foldText } from '../../lib/fold-text.ts'
import { type WrittenValue, writtenValues } from '../analyze/written-values.ts'
import { sqlTokens } from '../parse/sql-tokens.ts'

/** A statement and the words that were answered by it. */
interface Written {
  readonly sql: string
  readonly dialect: ParseDialect
  readonly words: string
  /** Which parts of the words became literals of the statement; none if that is not known. */
  readonly slots?: readonly VerifiedSlot[]
}

/** What a reader may read of them. */
interface Readable {
  readonly sql: string
  /** `...` alone if a value may stand anywhere in them. */
  readonly words: string
  /** False if either says something of a row that the reader may not see. */
  readonly isOpen: boolean
}

/**
 * A statement and its words with every value as `...` that the reader does not see: literals, comments, and names and
 * words that repeat them. A literal is a value of somebody's rows, and who reads it is for the rights to decide.
 */
export const hideValues = ({ sql, dialect, words, slots = [] }: Written, sees: SeesValue): Readable => {
  if (sees === seesEveryValue) return { sql, words, isOpen: true }
  const written = writtenValues(sql, dialect)
  if (written === null) return { sql: hiddenValue, words: hiddenValue, isOpen: false }
  const hidden = written.filter(one => !sees(one.value) && !isShape(one))
  const closedSlots = slots.filter(slot => slot.kind === 'value' && !sees(slot.value))
  const said = hideWords(words, {
    ranges: slots.flatMap(slot =>
      slot.kind === 'number' || closedSlots.includes(slot) ? [[slot.at[0], slot.at[1]] as const] : [],
    ),
    values: hidden.filter(({ isOfRow }) => isOfRow).map(({ value }) => value),
  })
  const isInSlot = ({ value }: WrittenValue): boolean =>
    slots.some(slot =>
      slot.kind === 'value'
        ? foldText(slot.value) === foldText(value)
        : slot.kind === 'number' && Number(value) === slot.value,
    )
  const ofRows = hidden.filter(({ isOfRow }) => isOfRow)
  const isFound = ofRows.every(one => said.found.has(one.value) || isInSlot(one))
  return {
    sql: hideInSql(sql, dialect, hidden),
    words: isFound ? said.text : hiddenValue,
    isOpen: closedSlots.length === 0 && ofRows.every(one => one.kind === 'number' && isInSlot(one)),
  }
}

/** As `hideValues`, for a statement alone. */
export const hideLiterals = (sql: string, dialect: ParseDialect, sees: SeesValue): string =>
  hideValues({ sql, dialect, words: '' }, sees).sql

/** A text that no row holds, such as a part of a date, is left as it is. */
const isShape = ({ kind, isOfRow, value }: WrittenValue): boolean =>
  kind === 'text' && !isOfRow && !/\d/.test(value)

const hideInSql = (sql: string, dialect: ParseDialect, hidden: readonly WrittenValue[]): string => {
  const cut = sqlTokens(sql, dialect)
  if (!cut.ok) return hiddenValue
  const values = new Set(hidden.filter(({ isOfRow }) => isOfRow).flatMap(({ value }) => wordsOf(value)))
  const names = cut.tokens.filter(
    ({ kind, value, start }) =>
      (kind === 'word' || kind === 'quoted') &&
      !hidden.some(one => one.start === start) &&
      value.split('_').some(part => wordsOf(part).some(word => values.has(word) && word.length >= SHORTEST)),
  )
  const edits = [
    ...hidden.map(({ kind, start, end }) => ({
      ...{ start, end },
      text: kind === 'text' ? `'${hiddenValue}'` : hiddenValue,
    })),
    ...names.map(({ start, end }) => ({ start, end, text: hiddenValue })),
    ...cut.comments.map(({ start, end }) => ({ start, end, text: '' })),
  ]
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, one) => text.slice(0, one.start) + one.text + text.slice(one.end), sql)
    .trim()
}

/** Shorter parts of a value are in many other words. */
const SHORTEST = 3

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu

const wordsOf = (text: string): readonly string[] => text.match(wordPattern)?.map(foldText) ?? []

type Range = readonly [start: number, end: number]

/** Replaces ranges of a text, and words of it that are words of the values. `found`: the values that it names. */
const hideWords = (
  text: string,
  { ranges, values }: { readonly ranges: readonly Range[]; readonly values: readonly string[] },
): { readonly text: string; readonly found: ReadonlySet<string> } => {
  const found = new Set<string>()
  const named = [...text.matchAll(wordPattern)].flatMap(({ 0: word, index }) => {
    const folded = foldText(word)
    const of = values.filter(value => {
      const parts = wordsOf(value)
      return parts.includes(folded) && (folded.length >= SHORTEST || parts.length === 1)
    })
    for (const value of of) found.add(value)
    return of.length === 0 ? [] : [[index, index + word.length] as const]
  })
  const hidden = joinRanges([...ranges, ...named]).reduceRight(
    (said, [start, end]) => said.slice(0, start) + hiddenValue + said.slice(end),
    text,
  )
  return { text: hidden.replaceAll(/\.\.\.(?:[\s\p{P}]*\.\.\.)+/gu, hiddenValue), found }
}

/** The same places as ranges that do not overlap, in order. */
const joinRanges = (ranges: readonly Range[]): readonly Range[] => {
  const joined: Range[] = []
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last === undefined || start >= last[1]) joined.push([start, end])
    else joined[joined.length - 1] = [last[0], Math.max(last[1], end)]
  }
  return joined
}
