import { stemmer } from 'stemmer'
import trained from '../../weights/shape-prior.json' with { type: 'json' }
import type { FindEvidence } from '../domain/candidate.ts'
import type { Catalog, Column } from '../domain/catalog.ts'
import type { FindMeantPhrases } from '../domain/metrics/meant-phrase.ts'
import type { FindValues } from '../domain/question-context.ts'
import type { ResultColumn } from '../domain/result.ts'
import type { Dialect } from '../domain/sql.ts'
import type { MakeVerifiedSimilarity } from '../domain/verified-query.ts'
import { foldText, splitName } from '../lib/fold-text.ts'
import { toSingular } from '../lib/stem-word.ts'
import { type SqlLiteral, sqlLiterals, sqlReferences } from '../sql/analyze/sql-scopes.ts'
import { skeletonSimilarityTo, sqlSkeleton } from '../sql/analyze/sql-skeleton.ts'
import { makeObserveCandidate } from './features/observe-candidate.ts'
import { type ShapePriorModel, shapePriorModelSchema } from './shape-prior/shape-prior-model.ts'

/** The model that comes with Querent (`npm run train:shape-prior`). */
export const shippedShapePrior: ShapePriorModel = shapePriorModelSchema.parse(trained)

/** Makes what gathers the evidence on candidates that ran. */
export const makeFindEvidence = (findMeantPhrases: FindMeantPhrases): FindEvidence => {
  const observe = makeObserveCandidate({ shapePrior: shippedShapePrior, findMeantPhrases })
  return (candidate, known) => ({
    isEmpty: candidate.table.rows.length === 0,
    absentLiterals: countAbsentLiterals(candidate.sql, known),
    columnInversions: countColumnInversions(candidate.question, candidate.table.columns),
    observation: observe(candidate, known),
  })
}

/** What the values of a column are looked up in. */
interface KnownValues {
  readonly catalog: Catalog
  readonly findValues: FindValues
}

/**
 * How many text literals of a statement stand beside a column that does not hold them. Patterns and dates are left
 * out, since they are not meant to be equal to anything; so are columns whose values are not indexed. 0 for a text
 * that cannot be parsed.
 */
export const countAbsentLiterals = (sql: string, { catalog, findValues }: KnownValues): number =>
  (sqlLiterals(sql, catalog.dialect) ?? []).filter(literal => isAbsent(literal, catalog, findValues)).length

const isAbsent = (
  { value, kind, column, mayBeColumn }: SqlLiteral,
  catalog: Catalog,
  findValues: FindValues,
): boolean => {
  if (kind !== 'text' || column === null || value === '' || /[%_]/.test(value) || isMoment(value))
    return false
  if (mayBeColumn && namesColumn(catalog, value)) return false
  const places = placesOf(catalog, column.table, column.column)
  if (places.length === 0 || !places.every(place => isIndexed(place.column))) return false
  const matches = findValues(value, { limit: LOOKED_AT })
  return !matches.some(match => match.value === value && places.some(place => isPlace(match, place)))
}

/** Equal texts score highest, and one text stands in few columns. */
const LOOKED_AT = 50

const isMoment = (value: string): boolean => /^\d{4}-\d{1,2}(?:-\d{1,2})?|^\d{1,2}:\d{2}/.test(value)

interface Place {
  readonly table: string
  readonly column: Column
}

/** Where a column of that name is; a table that is not told leaves every column of the name. */
const placesOf = (catalog: Catalog, table: string | null, column: string): readonly Place[] =>
  catalog.tables
    .filter(({ name }) => table === null || same(name, table))
    .flatMap(({ name, columns }) =>
      columns.filter(one => same(one.name, column)).map(one => ({ table: name, column: one })),
    )

const isPlace = (match: { readonly table: string; readonly column: string }, place: Place): boolean =>
  same(match.column, place.column.name) &&
  (same(match.table, place.table) || match.table.toLowerCase().endsWith(`.${place.table.toLowerCase()}`))

/** What the index may have left out says nothing: it holds texts of columns with not too many of them. */
const isIndexed = ({ kind, profile }: Column): boolean =>
  (kind === 'text' || kind === 'unknown') && profile !== null && profile.distinctCount <= MOST_INDEXED

const MOST_INDEXED = 20_000

const namesColumn = (catalog: Catalog, name: string): boolean =>
  catalog.tables.some(table => table.columns.some(column => same(column.name, name)))

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Pairs of result columns that stand the other way round than the question names them. Columns that the question
 * does not name are left out. People read a table from left to right as they asked for it, and so do annotators.
 */
export const countColumnInversions = (question: string, columns: readonly ResultColumn[]): number => {
  const words = foldText(question).match(/[\p{L}\p{N}]+/gu) ?? []
  const stems = words.map(stem)
  const places = columns.map(({ name }) => placeOf(name, words, stems)).filter(place => place !== null)
  let inversions = 0
  for (let right = 1; right < places.length; right++)
    for (let left = 0; left < right; left++) if (places[left]! > places[right]!) inversions += 1
  return inversions
}

/** The words that ask for an aggregate; its column may be named anywhere. */
const cues: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [/^count\b|^count$|^(?:num|number|total)_/i, new Set(['many', 'number', 'count', 'total'])],
  [/^avg\b|^average_|^mean_/i, new Set(['average', 'mean', 'avg'])],
  [/^max\b|^max_/i, new Set(['maximum', 'max', 'highest', 'largest', 'most', 'latest', 'oldest'])],
  [/^min\b|^min_/i, new Set(['minimum', 'min', 'lowest', 'smallest', 'least', 'earliest', 'youngest'])],
  [/^sum\b|^total_/i, new Set(['total', 'sum'])],
]

/** Where the question names a column: its cue for an aggregate, else the word that most of its name is found at. */
const placeOf = (name: string, words: readonly string[], stems: readonly string[]): number | null => {
  const cue = cues.find(([pattern]) => pattern.test(name))
  if (cue !== undefined) {
    const at = words.findIndex(word => cue[1].has(word))
    return at < 0 ? null : at
  }
  const parts = splitName(name.replace(/^.*\./, '')).map(stem)
  if (parts.length === 0) return null
  let best: number | null = null
  let most = 0
  for (let at = 0; at < stems.length; at++) {
    const found = parts.filter(part => stems.slice(at, at + parts.length).includes(part)).length
    if (found > most && parts.includes(stems[at]!)) {
      most = found
      best = at
    }
  }
  return best
}

const stem = (folded: string): string => stemmer(toSingular(folded))

/** Verified queries that are looked at; those that are less alike could not say more. */
const MOST = 10

/** Questions less alike than this are about something else: their SQL says nothing of the candidate. */
const LEAST = 0.35

/**
 * Makes the measure of how much a candidate's SQL looks like what people verified for questions like this one, from 0 to
 * 1: for each verified query, half the likeness of the skeletons, half the share of tables that both read, times the
 * likeness of the questions; the largest counts. 0 where nothing near is verified, or the SQL cannot be parsed. Pure; the
 * verified queries are taken apart once for all candidates of a question. `near` is `FindSimilarVerified`'s, or any part.
 */
export const makeVerifiedSimilarity: MakeVerifiedSimilarity = (near, dialect) => {
  const known = [...near]
    .filter(({ likeness }) => likeness >= LEAST)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MOST)
    .map(({ query, likeness }) => ({
      likeness,
      asShaped: query.skeleton === null ? null : skeletonSimilarityTo(query.skeleton),
      tables: query.touches?.map(({ name }) => name.toLowerCase()) ?? tablesOf(query.sql, dialect),
    }))
  if (known.length === 0) return () => 0
  return sql => {
    const skeleton = sqlSkeleton(sql, dialect)
    if (skeleton === null) return 0
    const tables = tablesOf(sql, dialect)
    return Math.max(
      ...known.map(
        one => (one.likeness * ((one.asShaped?.(skeleton) ?? 0) + shared(tables, one.tables))) / 2,
      ),
    )
  }
}

const tablesOf = (sql: string, dialect: Dialect): readonly string[] =>
  (sqlReferences(sql, dialect)?.tables ?? []).map(({ name }) => name.toLowerCase())

/** Jaccard, of sets; two statements without tables are alike. */
const shared = (some: readonly string[], others: readonly string[]): number => {
  const other = new Set(others)
  const both = [...new Set(some)].filter(name => other.has(name)).length
  const all = new Set([...some, ...others]).size
  return all === 0 ? 1 : both / all
}
