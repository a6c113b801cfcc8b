import { foldText } from '../../lib/fold-text.ts'
import type { Database } from '../database.ts'
import type { FindValues } from '../question-context.ts'

/**
 * Whether a reader may read a value that somebody else wrote, in SQL or in words: the rights to rows decide, so it must
 * be in rows that the reader sees.
 */
export type SeesValue = (value: string) => boolean

/** How a person reads what was written under the rights in the reference of a database. Does not reject. */
export type FindReader = (given: {
  readonly person: string
  readonly team: string
  readonly writtenFor: string
}) => Promise<SeesValue>

/** Stands for what a reader may not read. */
export const hiddenValue = '...'

/** Of a reader who sees everything. */
export const seesEveryValue: SeesValue = () => true

/** Of a reader who sees no rows, or whose rights are not known. */
export const seesNoValue: SeesValue = () => false

/** Values that are as like as this many others are found all the same. */
const MOST_ALIKE = 20

/** Of the reader for whom a database was opened: without restrictions everything, else the values of their own rows. */
export const seesValuesOf = ({ rights, findValues }: Pick<Database, 'rights' | 'findValues'>): SeesValue => {
  if (rights === undefined) return seesEveryValue
  const known = knownValues.get(findValues) ?? new Map<string, boolean>()
  knownValues.set(findValues, known)
  return value => {
    const isKnown = known.get(value)
    if (isKnown !== undefined) return isKnown
    const isSeen = findValues(value, { limit: MOST_ALIKE }).some(
      // What a term of the glossary means need not be in any row.
      match => match.term === undefined && foldText(match.value) === foldText(value),
    )
    known.set(value, isSeen)
    return isSeen
  }
}

/** What was looked up, for as long as an index is in use: stored queries are read with every question. */
const knownValues = new WeakMap<FindValues, Map<string, boolean>>()
