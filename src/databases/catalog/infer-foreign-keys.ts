import { type Catalog, type Column, type ForeignKey, nameTables, type Table } from '../../domain/catalog.ts'
import { SqlError } from '../../domain/errors.ts'
import type { Dialect } from '../../domain/sql.ts'
import { splitName } from '../../lib/fold-text.ts'
import { toSingular } from '../../lib/stem-word.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { quoteIdentifier } from '../../sql/render/quote.ts'
import { chunkStatements, type RunInternalQuery, tableReference } from './internal-query.ts'

/** The share of the distinct values of one side that the other must contain. */
const minInclusion = 0.95

/** The most pairs that are measured. Only very large schemas without declared keys have more. */
const maxCandidates = 1000

/** Distinct values compared for one pair. */
const maxComparedTargets = 10_000

/**
 * Infers keys that are not declared, from names and types that match (see `listKeyCandidates`) and at least 95% of
 * the referring values found on the other side. A column refers to one table: the one with the strongest name,
 * then the highest share. Of two tables that would refer to each other, the one whose values are less included is
 * the target.
 */
export const inferForeignKeys = async (
  catalog: Catalog,
  ask: RunInternalQuery,
): Promise<readonly ForeignKey[]> => {
  const candidates = listKeyCandidates(catalog).slice(0, maxCandidates)
  if (candidates.length === 0) return []
  const shares = await measureInclusion(candidates, catalog.dialect, ask)
  const names = nameTables(catalog)
  const found = candidates
    .map((candidate, index) => ({ candidate, inclusion: shares.get(index) ?? 0 }))
    .filter(({ inclusion }) => inclusion >= minInclusion)
    .sort(
      (a, b) =>
        a.candidate.rank - b.candidate.rank || b.inclusion - a.inclusion || sizeOfTarget(b) - sizeOfTarget(a),
    )
  const keys: ForeignKey[] = []
  const referring = new Set<unknown>()
  const pairs = new Set<string>()
  for (const { candidate, inclusion } of found) {
    const from = { table: names.get(candidate.from.table) ?? '', columns: [candidate.from.column.name] }
    const to = { table: names.get(candidate.to.table) ?? '', columns: [candidate.to.column.name] }
    const pair = JSON.stringify([JSON.stringify(from), JSON.stringify(to)].sort())
    if (referring.has(candidate.from.column) || pairs.has(pair)) continue
    referring.add(candidate.from.column)
    pairs.add(pair)
    keys.push({ from, to, source: 'derived', inclusion })
  }
  return keys.sort((a, b) => compare(JSON.stringify([a.from, a.to]), JSON.stringify([b.from, b.to])))
}

const sizeOfTarget = ({ candidate }: { readonly candidate: KeyCandidate }): number =>
  candidate.to.column.profile?.distinctCount ?? 0

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Shares by the candidate's position. A candidate without values has none. */
const measureInclusion = async (
  candidates: readonly KeyCandidate[],
  dialect: Dialect,
  ask: RunInternalQuery,
): Promise<ReadonlyMap<number, number>> => {
  const numbered = candidates.map((candidate, index) => ({ sql: inclusionSql(candidate, index, dialect) }))
  const shares = new Map<number, number>()
  const measure = async (statements: readonly string[]): Promise<void> => {
    try {
      for (const [index, values, held] of await ask(statements.join(' UNION ALL ')))
        if (Number(values) > 0) shares.set(Number(index), Number(held) / Number(values))
    } catch (error) {
      // Texts of two collations cannot be compared in MySQL. Such a pair is not a key, and must not fail the
      // others.
      if (!(error instanceof SqlError) || error.errorClass !== 'type-mismatch') throw error
      if (statements.length > 1) for (const statement of statements) await measure([statement])
    }
  }
  for (const chunk of chunkStatements(numbered, ({ sql }) => sql)) await measure(chunk.map(({ sql }) => sql))
  return shares
}

const inclusionSql = ({ from, to }: KeyCandidate, index: number, dialect: Dialect): string => {
  const source = quoteIdentifier(from.column.name, dialect)
  const target = quoteIdentifier(to.column.name, dialect)
  const values = `SELECT DISTINCT ${source} AS v FROM ${tableReference(from.table, dialect)} WHERE ${source} IS NOT NULL LIMIT ${maxComparedTargets}`
  const table = tableReference(to.table, dialect)
  const { findsValuesBy } = databaseDialect(dialect).measuring
  if (findsValuesBy === 'in')
    return `SELECT ${index} AS i, count(*) AS n, sum(CASE WHEN a.v IN (SELECT ${target} FROM ${table}) THEN 1 ELSE 0 END) AS m FROM (${values}) AS a`
  // MariaDB has no hash join, but gives a derived table an index of its own.
  const isSlow = findsValuesBy === 'join-with-index' && to.table.primaryKey[0] !== to.column.name
  const held = isSlow ? `(SELECT DISTINCT ${target} FROM ${table})` : table
  return `SELECT ${index} AS i, count(*) AS n, count(b.${target}) AS m FROM (${values}) AS a LEFT JOIN ${held} AS b ON b.${target} = a.v`
}

/**
 * A pair of columns whose names and types suggest that one refers to the other. A lower rank means a stronger
 * name.
 */
interface KeyCandidate {
  readonly from: { readonly table: Table; readonly column: Column }
  readonly to: { readonly table: Table; readonly column: Column }
  readonly rank: number
}

/** Words for a key that do not say of what. */
const keyWords = new Set([
  'id',
  'ids',
  'key',
  'code',
  'no',
  'nr',
  'num',
  'number',
  'ref',
  'uuid',
  'guid',
  'pk',
  'sk',
])

/** Words that mean something else in every table, so that sharing them means nothing. */
const uninformativeWords = new Set([
  'name',
  'title',
  'type',
  'date',
  'status',
  'description',
  'year',
  'value',
  'rank',
  'position',
])

/** A column that others can refer to, with the words of its name and of its table's name. */
interface Target {
  readonly table: Table
  readonly column: Column
  readonly words: readonly string[]
  readonly tableWords: readonly string[]
}

/**
 * Pairs worth measuring, strongest names first, between tables that have no declared key between them. The target
 * is the whole primary key, or a column of unique values that is named like a key. Views neither refer nor are
 * referred to.
 */
const listKeyCandidates = (catalog: Catalog): readonly KeyCandidate[] => {
  const names = nameTables(catalog)
  const nameOf = (table: Table): string => names.get(table) ?? table.name
  const tables = catalog.tables.filter(table => table.type === 'table')
  const linked = new Set(catalog.foreignKeys.map(key => candidatePair(key.from.table, key.to.table)))
  const taken = columnsInKeys(catalog.foreignKeys)
  const findTargets = makeFindTargets(tables)
  const candidates: KeyCandidate[] = []
  for (const table of tables) {
    for (const column of table.columns) {
      if (!column.profile?.distinctCount || taken.has(JSON.stringify([nameOf(table), column.name]))) continue
      if (isOwnKey(table, column)) continue
      const words = withoutNumber(wordsOf(column.name))
      const named: KeyCandidate[] = []
      for (const to of findTargets(words)) {
        if (to.table === table || linked.has(candidatePair(nameOf(table), nameOf(to.table)))) continue
        if (!sameType(column, to.column)) continue
        const rank = rankOfNames(words, column, to)
        if (rank !== null) named.push({ from: { table, column }, to, rank })
      }
      candidates.push(...nearest(named))
    }
  }
  return candidates.sort((a, b) => a.rank - b.rank)
}

/** The most targets of one column that are measured. */
const maxTargets = 8

/**
 * If table names begin with a department (`fleet_trips`, `fleet_vehicles`), a column means a table of its own
 * department. If several tables have the name, only those whose names share the most words with the column's table
 * are kept.
 */
const nearest = (candidates: readonly KeyCandidate[]): readonly KeyCandidate[] => {
  const shared = ({ from, to }: KeyCandidate): number => {
    const own = wordsOf(from.table.name)
    const other = wordsOf(to.table.name)
    const differ = own.findIndex((word, at) => word !== other[at])
    return differ === -1 ? own.length : differ
  }
  const most = Math.max(0, ...candidates.map(shared))
  return candidates
    .filter(candidate => shared(candidate) === most)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxTargets)
}

/** Key names with more words are not looked up by their beginnings. */
const maxNameWords = 5

/**
 * Finds the targets that a name can mean by its ending. Comparing every column with every key would take minutes
 * in a schema of thousands of tables, where every second name ends in `id`.
 */
const makeFindTargets = (tables: readonly Table[]): ((words: readonly string[]) => ReadonlySet<Target>) => {
  const byEnd = new Map<string, Target[]>()
  for (const table of tables) {
    const tableWords = wordsOf(table.name)
    for (const column of keyColumns(table)) {
      const target = { table, column, tableWords, words: wordsOf(column.name) }
      for (const end of endsOf(target)) {
        const targets = byEnd.get(end)
        if (targets === undefined) byEnd.set(end, [target])
        else targets.push(target)
      }
    }
  }
  return words => {
    const found = new Set(byEnd.get(words.join('')))
    for (let count = 1; count <= Math.min(maxNameWords, words.length); count++)
      for (const target of byEnd.get(words.slice(-count).join(' ')) ?? []) found.add(target)
    return found
  }
}

/** The endings of names that mean this target (see `rankOfNames`). */
const endsOf = ({ words, tableWords }: Target): ReadonlySet<string> =>
  new Set([
    [...namingWords(tableWords), ...words].join(' '),
    [...tableWords, ...words].join(''),
    ...(isInformative(words) ? [words.join(' ')] : []),
    namingWords(tableWords).join(' '),
  ])

/** `club_id_1` and `club_id_2` both refer to a club. */
const withoutNumber = (words: readonly string[]): readonly string[] =>
  words.length > 1 && /^\d{1,2}$/.test(words.at(-1) ?? '') ? words.slice(0, -1) : words

/** The last word names a table (`order_items`), unless it only numbers it (`archive_2`, `plan_b`). */
const namingWords = (tableWords: readonly string[]): readonly string[] =>
  /\p{L}{3}/u.test(tableWords.at(-1) ?? '') ? tableWords.slice(-1) : tableWords

/** Whether the name of a key says what it identifies. */
const isInformative = (words: readonly string[]): boolean =>
  words.some(word => !keyWords.has(word) && !uninformativeWords.has(word))

const candidatePair = (a: string, b: string): string => JSON.stringify([a, b].sort())

const columnsInKeys = (keys: readonly ForeignKey[]): ReadonlySet<string> =>
  new Set(keys.flatMap(key => key.from.columns.map(column => JSON.stringify([key.from.table, column]))))

const keyColumns = (table: Table): readonly Column[] =>
  table.columns.filter(column =>
    table.primaryKey.length > 0
      ? canBeKey(column) && table.primaryKey.length === 1 && table.primaryKey[0] === column.name
      : looksLikeKey(column),
  )

const canBeKey = ({ kind, profile }: Column): boolean =>
  ['integer', 'text', 'number'].includes(kind) && profile !== null

/** Whether a column has a value for every row, each its own, and is named like a key. */
export const looksLikeKey = (column: Column): boolean => {
  if (!canBeKey(column) || column.profile === null) return false
  const { distinctCount, nullShare, rowsRead = 0 } = column.profile
  return nullShare === 0 && distinctCount === rowsRead && rowsRead > 1 && isKeyName(wordsOf(column.name))
}

const isKeyName = (words: readonly string[]): boolean =>
  keyWords.has(words.at(-1) ?? '') || /\wid$/.test(words.at(-1) ?? '')

/** Numbers match numbers. Texts match texts of the same declared family, since a server will not compare others. */
const sameType = (a: Column, b: Column): boolean => {
  const isNumber = (column: Column): boolean => column.kind === 'integer' || column.kind === 'number'
  if (isNumber(a) || isNumber(b)) return isNumber(a) && isNumber(b)
  const family = (column: Column): string =>
    /char|text|clob|string/i.test(column.type) ? 'text' : column.type.toLowerCase()
  return a.kind === b.kind && family(a) === family(b)
}

const wordsOf = (name: string): readonly string[] => splitName(name).map(toSingular)

/**
 * 0: `customer_id` and `customers.id`, or with a role before it (`billing_customer_id`). 1: a specific name that
 * both sides share, and the table has it too. 2: such a name in another table. 3: `department` and
 * `departments.id`. 4: `physician` and the primary key of `physicians`, whatever its name.
 */
const rankOfNames = (source: readonly string[], from: Column, to: Target): number | null => {
  const { words, tableWords } = to
  const named = namingWords(tableWords)
  if (endsWith(source, [...named, ...words]) || source.join('') === [...tableWords, ...words].join(''))
    return 0
  if (isInformative(words) && endsWith(source, words)) return words.includes(tableWords.at(-1) ?? '') ? 1 : 2
  if (!endsWith(source, named)) return null
  if (keyWords.has(words.join('')) && from.kind === 'integer') return 3
  if (to.table.primaryKey.length === 1 && to.table.primaryKey[0] === to.column.name) return 4
  return null
}

/** Whether a column is the key of its own table: `students.student_id`. */
const isOwnKey = (table: Table, column: Column): boolean => {
  if (table.primaryKey.length !== 1 || table.primaryKey[0] !== column.name) return false
  const words = wordsOf(column.name)
  const own = wordsOf(table.name).at(-1) ?? ''
  if (words.length === 1 || words[0] === own || words.join('').startsWith(own)) return true
  // `fleet_trip_events.trip_event_id`: its name has only words of the table.
  const tableWords = wordsOf(table.name)
  return words.includes(own) && words.every(word => keyWords.has(word) || tableWords.includes(word))
}

const endsWith = (words: readonly string[], end: readonly string[]): boolean =>
  end.length > 0 &&
  end.length <= words.length &&
  end.every((word, at) => word === words[words.length - end.length + at])
