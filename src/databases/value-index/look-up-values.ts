import { LRUCache } from 'lru-cache'
import { type Catalog, type Column, nameTables, type Table } from '../../domain/catalog.ts'
import type { RunQuery } from '../../domain/database.ts'
import { SqlError } from '../../domain/errors.ts'
import { type Log, silentLog } from '../../domain/operations/telemetry.ts'
import type { LookUpValues, ValueMatch } from '../../domain/question-context.ts'
import type { RunLimits } from '../../domain/result.ts'
import type { Guard } from '../../domain/sql.ts'
import { foldText } from '../../lib/fold-text.ts'
import { quoteIdentifier, quoteLiteral } from '../../sql/render/quote.ts'
import { tableReference } from '../catalog/internal-query.ts'
import { followsPattern } from '../catalog/text-format.ts'
import {
  estimateDistinctValues,
  holdsOpaqueTexts,
  holdsTexts,
  isOpaque,
  rowsReadWhole,
} from './indexed-columns.ts'
import { prepareText, scoreMatch } from './score-match.ts'
import { eachOwner } from './text-owners.ts'
import type { ValueIndex } from './value-index.ts'
import type { IndexedColumn } from './value-index-data.ts'

/** Somebody waits for the answer, and the database has other guests. */
const caps: Partial<RunLimits> = { timeoutMs: 3_000, maxRows: 100, maxBytes: 1024 * 1024 }

/** Columns that one question asks for at most, those of the smallest tables first. */
const mostColumns = 8

const columnsAtATime = 3

/** Spellings of one statement at most. */
const mostSpellings = 200

/** Below this many values, a sample has seen nearly all of them. */
const fewValues = 2_000

/** How long an answer is kept, and a column left alone that was too heavy or failed. */
const keptMs = 10 * 60 * 1000

const mostKept = 1_000

/** What looking values up needs. */
interface LookUpOptions {
  readonly catalog: Catalog
  readonly values: ValueIndex
  readonly guard: Guard
  /** Checks first what a statement would read: a column that is too heavy to search is left alone. */
  readonly run: RunQuery
  readonly log?: Log
}

/**
 * Asks the database for texts in the columns of which the value index does not hold every value: one statement a
 * column. A large table is asked for equal texts alone, so that the server can use an index or skip parts of it. Texts
 * that the index holds are not asked for, nor columns whose values look otherwise.
 */
export const makeLookUpValues = (options: LookUpOptions): LookUpValues => {
  const { values, log = silentLog } = options
  const found = new LRUCache<string, readonly ValueMatch[]>({ max: mostKept, ttl: keptMs })
  const leftAlone = new LRUCache<PartlyIndexedColumn, true>({ max: mostKept, ttl: keptMs })
  let known: readonly PartlyIndexedColumn[] | null = null

  const askColumn = async (
    column: PartlyIndexedColumn,
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly ValueMatch[]> => {
    try {
      return await findInColumn(column, texts, options, signal)
    } catch (error) {
      signal?.throwIfAborted()
      leftAlone.set(column, true)
      log.info(
        { column: `${column.place.table}.${column.place.column}`, error },
        'Values were not looked up.',
      )
      return []
    }
  }

  return async (texts, { signal } = {}) => {
    known ??= partlyIndexedColumns(options)
    if (known.length === 0) return []
    const unheld = [...new Set(texts)].filter(text => !isHeldByIndex(text, values))
    if (unheld.length === 0) return []
    const key = JSON.stringify(unheld)
    const before = found.get(key)
    if (before !== undefined) return before
    const columns = known
      .filter(one => !leftAlone.has(one))
      .map(one => ({ one, texts: unheld.filter(text => mayHold(one.column, text)) }))
      .filter(({ texts }) => texts.length > 0)
      .slice(0, mostColumns)
    const matches: ValueMatch[] = []
    for (let first = 0; first < columns.length; first += columnsAtATime) {
      const some = columns.slice(first, first + columnsAtATime)
      const ofSome = await Promise.all(some.map(({ one, texts }) => askColumn(one, texts, signal)))
      matches.push(...ofSome.flat())
    }
    found.set(key, matches)
    return matches
  }
}

/** A column that holds more values than the index knows of it. */
interface PartlyIndexedColumn {
  readonly table: Table
  readonly column: Column
  readonly place: IndexedColumn
}

/** Columns of keys that point elsewhere are left out: what they hold is found where they point. */
const partlyIndexedColumns = ({
  catalog,
  values: { data },
}: Pick<LookUpOptions, 'catalog' | 'values'>): readonly PartlyIndexedColumn[] => {
  const counts = new Float64Array(data.columns.length)
  for (let text = 0; text < data.textEnds.length; text++)
    eachOwner(data.owners, text, owner => {
      counts[owner]! += 1
    })
  const held = new Map(data.columns.map((column, number) => [placeKey(column), counts[number]!]))
  const pointing = new Set(
    catalog.foreignKeys.flatMap(({ from }) =>
      from.columns.map(column => placeKey({ table: from.table, column })),
    ),
  )
  return [...nameTables(catalog)]
    .flatMap(([table, name]) =>
      table.columns.map(column => ({ table, column, place: { table: name, column: column.name } })),
    )
    .filter(
      ({ table, column, place }) =>
        holdsTexts(column) &&
        !pointing.has(placeKey(place)) &&
        isPartlyHeld(estimateDistinctValues({ table, column }), held.get(placeKey(place)) ?? 0),
    )
    .sort((a, b) => (a.table.rowCount ?? Infinity) - (b.table.rowCount ?? Infinity))
}

const isPartlyHeld = (likely: number, held: number): boolean => likely > fewValues && likely > held

const placeKey = ({ table, column }: IndexedColumn): string => JSON.stringify([table, column])

const isHeldByIndex = (text: string, { find }: ValueIndex): boolean =>
  find(text, { limit: 1 }).some(({ value }) => foldText(value) === foldText(text))

const findInColumn = async (
  { table, column, place }: PartlyIndexedColumn,
  texts: readonly string[],
  { catalog: { dialect }, guard, run }: LookUpOptions,
  signal: AbortSignal | undefined,
): Promise<readonly ValueMatch[]> => {
  const name = quoteIdentifier(column.name, dialect)
  const spellings = [...new Set(texts.flatMap(spellingsOf))]
    .filter(spelling => followsFormat(column, spelling))
    .slice(0, mostSpellings)
  const listOf = (some: readonly string[]): string =>
    some.map(spelling => quoteLiteral(spelling, dialect)).join(', ')
  const inAnyCase =
    column.kind === 'text' && (table.rowCount ?? Number.POSITIVE_INFINITY) <= rowsReadWhole
      ? ` OR lower(${name}) IN (${listOf([...new Set(texts.map(text => text.toLowerCase()))])})`
      : ''
  const verdict = guard(
    `SELECT DISTINCT ${name} FROM ${tableReference(table, dialect)} WHERE ${name} IN (${listOf(spellings)})${inAnyCase}`,
    dialect,
  )
  if (verdict.verdict === 'refuse') throw new SqlError('refused', verdict.reason)
  const { rows } = await run(verdict.guarded, { atMost: caps, ...(signal && { signal }) })
  const found = rows.map(([value]) => String(value))
  return texts.flatMap(keyword =>
    found
      .filter(value => foldText(value) === foldText(keyword))
      .map(value => ({
        keyword,
        ...place,
        value,
        score: scoreMatch(prepareText(keyword), prepareText(value)),
      })),
  )
}

/** As databases may write it. A function around the column would keep the server from using an index. */
const spellingsOf = (text: string): readonly string[] => {
  const lower = text.toLowerCase()
  return [
    text,
    lower,
    text.toUpperCase(),
    lower.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, first => first.toUpperCase()),
  ]
}

const mayHold = (column: Column, text: string): boolean =>
  text.length <= 4 * Math.max(column.profile?.meanLength ?? 0, 4) &&
  (isOpaque(text) || !holdsOpaqueTexts(column)) &&
  spellingsOf(text).some(spelling => followsFormat(column, spelling))

const followsFormat = ({ profile }: Column, text: string): boolean => {
  if (profile?.format) return followsPattern(text, profile.format.pattern)
  const seen = [...(profile?.samples ?? []), ...(profile?.mostFrequent.map(({ value }) => value) ?? [])]
  return !/\d/.test(text) || seen.some(value => /\d/.test(String(value)))
}
