import { distance } from 'fastest-levenshtein'
import type { Column, ForeignKey, Table } from '../../../../src/domain/catalog.ts'
import type { ValueKind } from '../../../../src/domain/result.ts'
import type { SchemaSnapshot, SnapshotColumn } from '../../../../src/domain/schema-drift.ts'
import { diceSimilarityTo } from '../../../../src/lib/dice-similarity.ts'
import { splitName } from '../../../../src/lib/fold-text.ts'
import { stemWord } from '../../../../src/lib/stem-word.ts'
import { knownColumn, type PastTable } from './past-schema.ts'

/** What each sign weighs; those of which nothing is known weigh nothing. */
const weights = { name: 0.45, type: 0.25, position: 0.1, profile: 0.2, key: 0.2 } as const

/** A column of the same type that stands where the old one stood, in a table with as many columns, was renamed in place. */
const IN_PLACE = 0.85

/** Of columns of another kind only one with a very similar name can be the same. */
const OTHER_KIND_NAME = 0.6

/** How likely a missing column is now this column, from 0 to 1. */
export const scoreColumn = (
  gone: SnapshotColumn,
  now: Column,
  given: {
    readonly past: PastTable
    readonly table: Table
    readonly pastKeys: SchemaSnapshot['foreignKeys']
    readonly keys: readonly ForeignKey[]
  },
): number => {
  const { past, table } = given
  const name = nameSimilarity(gone.name, now.name)
  const type = typeLikeness(gone, now)
  if (type === 0 && name < OTHER_KIND_NAME) return 0
  const at = past.columns.findIndex(column => column.name === gone.name)
  const place = table.columns.findIndex(column => column.name === now.name)
  const isInPlace = past.isWhole && past.columns.length === table.columns.length && at === place && type === 1
  const most = Math.max(past.columns.length, table.columns.length)
  const signs: readonly (readonly [weight: number, sign: number | null])[] = [
    [weights.name, name],
    [weights.type, gone.kind === 'unknown' ? null : type],
    [weights.position, past.isWhole ? 1 - Math.abs(at - place) / most : null],
    [weights.profile, profileLikeness(gone.profile, knownColumn(now).profile)],
    [weights.key, keyLikeness(gone, now, given)],
  ]
  const told = signs.flatMap(([weight, sign]) => (sign === null ? [] : [{ weight, sign }]))
  const rating =
    told.reduce((sum, { weight, sign }) => sum + weight * sign, 0) /
    told.reduce((sum, { weight }) => sum + weight, 0)
  return isInPlace ? Math.max(rating, IN_PLACE + (1 - IN_PLACE) * name) : rating
}

const typeLikeness = (gone: SnapshotColumn, now: Pick<Column, 'type' | 'kind'>): number => {
  if (gone.kind === 'unknown' || now.kind === 'unknown') return 0.5
  if (gone.type.toLowerCase() === now.type.toLowerCase()) return 1
  if (gone.kind === now.kind) return 0.8
  return familyOf(gone.kind) === familyOf(now.kind) ? 0.5 : 0
}

const familyOf = (kind: ValueKind): string => {
  if (kind === 'integer' || kind === 'number') return 'number'
  return kind === 'date' || kind === 'timestamp' ? 'day' : kind
}

const profileLikeness = (one: SnapshotColumn['profile'], other: SnapshotColumn['profile']): number | null => {
  if (!one || !other) return null
  const signs = [
    1 - Math.abs(one.nullShare - other.nullShare),
    ratio(one.distinctCount, other.distinctCount),
    ratio(one.meanLength, other.meanLength),
    ...(one.pattern === null && other.pattern === null ? [] : [one.pattern === other.pattern ? 1 : 0]),
  ]
  return signs.reduce((sum, sign) => sum + sign, 0) / signs.length
}

const ratio = (one: number, other: number): number => (Math.min(one, other) + 1) / (Math.max(one, other) + 1)

/** Whether both lead to the same table; null if neither leads anywhere. */
const keyLikeness = (
  gone: SnapshotColumn,
  now: Column,
  { past, table, pastKeys, keys }: Parameters<typeof scoreColumn>[2],
): number | null => {
  const before = pastKeys.find(({ from }) => isSide(from, past.name, gone.name))?.to.table
  const after = keys.find(({ from }) => isSide(from, table.name, now.name))?.to.table
  if (before === undefined && after === undefined) return null
  return before !== undefined && after !== undefined && nameSimilarity(before, after) > 0.5 ? 1 : 0
}

const isSide = (side: ForeignKey['from'], table: string, column: string): boolean =>
  side.table.toLowerCase() === table.toLowerCase() &&
  side.columns.length === 1 &&
  side.columns[0]?.toLowerCase() === column.toLowerCase()

/** A table that there was beside the old one is hardly what that became. */
const WAS_THERE = 0.5

/**
 * How likely a missing table is now this table, from 0 to 1: the columns that both have, its name,
 * and whether it is new. The same name in another schema is the same table.
 */
export const scoreTable = (
  gone: PastTable,
  now: Table,
  given: {
    /** Columns of the old table that the statement reads. */
    readonly used: readonly string[]
    /** Whether it was there when the old one was; null if that is not known. */
    readonly wasThere: boolean | null
  },
): number => {
  const name = gone.name.toLowerCase() === now.name.toLowerCase() ? 1 : nameSimilarity(gone.name, now.name)
  const has = new Set(now.columns.map(column => column.name.toLowerCase()))
  const used = given.used.length === 0 ? name : shareOf(given.used, has)
  const columns = shareOf(
    gone.columns.map(column => column.name),
    has,
  )
  const common = (columns * gone.columns.length) / Math.max(1, gone.columns.length, has.size)
  const rating = gone.isWhole ? 0.4 * common + 0.3 * used + 0.3 * name : 0.5 * used + 0.5 * name
  return given.wasThere ? rating * WAS_THERE : rating
}

const shareOf = (names: readonly string[], has: ReadonlySet<string>): number =>
  names.length === 0 ? 0 : names.filter(name => has.has(name.toLowerCase())).length / names.length

/** Names of which one is all words of the other, or the beginning of it: `section` and `section_id`, `qty` and `qty_sold`. */
const PART = 0.75

/** Names that differ in a number are two of a series, not one that was renamed. */
const OTHER_NUMBER = 0.2

/** How alike two names of tables or columns are, from 0 to 1: by their words, by their letters, or as part and whole. */
export const nameSimilarity = (one: string, other: string): number => {
  const [words, others] = [wordsOf(one), wordsOf(other)]
  const [letters, otherLetters] = [words.join(''), others.join('')]
  if (letters === '' || otherLetters === '') return 0
  if (letters === otherLetters) return 1
  const longest = Math.max(letters.length, otherLetters.length)
  const isPart =
    (words.every(word => others.includes(word)) || others.every(word => words.includes(word))) &&
    Math.min(letters.length, otherLetters.length) > 1
  const likeness = Math.max(
    diceSimilarityTo(words)(others),
    1 - distance(letters, otherLetters) / longest,
    isPart || isBeginning(letters, otherLetters) ? PART : 0,
  )
  return digitsOf(one) === digitsOf(other) ? likeness : Math.min(likeness, OTHER_NUMBER)
}

const wordsOf = (name: string): readonly string[] => splitName(name).map(stemWord)

/** Two letters begin too many names. */
const isBeginning = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) > 2 && (one.startsWith(other) || other.startsWith(one))

const digitsOf = (name: string): string => name.replace(/\D+/g, ' ').trim()
