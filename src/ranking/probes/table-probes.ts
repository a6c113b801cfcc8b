import type { Catalog, Column, Table } from '../../domain/catalog.ts'
import type { ResultTable } from '../../domain/result.ts'
import { type ColumnName, describeParts, type PartValue } from '../../sql/describe/describe-sql.ts'
import { keyPairs } from '../../sql/describe/joins.ts'
import { findTable, fold, innerScope, outermostScope, resolveName } from '../../sql/describe/name-scope.ts'
import { quoteIdentifier, quoteLiteral } from '../../sql/render/quote.ts'
import type { QueryTree, SelectTree } from '../../sql/tree/query-tree.ts'
import type { Probe, ProbedPair } from './probe-pair.ts'

/**
 * Two statements that look for texts in different places, or for different texts in one: which of them the database
 * holds. Only where each has exactly one text that the other has not.
 */
export const planLiteralProbe = ({ first, second, catalog }: ProbedPair): Probe | null => {
  const [a, b] = [literalsOf(first.tree, catalog), literalsOf(second.tree, catalog)]
  const [onlyA, onlyB] = [without(a, b), without(b, a)]
  const [one, other] = [onlyA[0], onlyB[0]]
  if (one === undefined || other === undefined || onlyA.length > 1 || onlyB.length > 1) return null
  const count = ({ table, column, value }: Place): string =>
    `(SELECT COUNT(*) FROM ${formatTableName(table, catalog)} WHERE ${quoteIdentifier(column.name, catalog.dialect)} = ${quoteLiteral(value, catalog.dialect)})`
  return {
    kind: 'literal-held',
    sql: `SELECT ${count(one)} AS first_rows, ${count(other)} AS second_rows`,
    reason: `whether “${one.value}” is a ${one.column.name} of ${one.table.name}, or “${other.value}” a ${other.column.name} of ${other.table.name}`,
    judge: result => {
      const counts = readCounts(result, 2)
      if (counts === null) return 0
      const [ofFirst = 0, ofSecond = 0] = counts
      return Math.sign(ofFirst) - Math.sign(ofSecond)
    },
  }
}

interface Place {
  readonly table: Table
  readonly column: Column
  readonly value: string
}

const literalsOf = (tree: QueryTree, catalog: Catalog): readonly Place[] =>
  describeParts(tree, outermostScope(catalog))
    .filter(({ signs }) => !signs.includes('pattern'))
    .flatMap(({ values }) => values)
    .flatMap(value => placeOf(value, catalog))

const placeOf = ({ value, kind, column }: PartValue, catalog: Catalog): readonly Place[] => {
  if (kind !== 'text' || column === null) return []
  const found = findColumn(column, catalog)
  // What is masked must not be asked for, not even whether it is there.
  return found === null || found.column.masked === true || found.column.kind !== 'text'
    ? []
    : [{ ...found, value }]
}

const findColumn = (
  { table: tableName, column: name }: ColumnName,
  catalog: Catalog,
): { readonly table: Table; readonly column: Column } | null => {
  const table = tableName === null ? null : findTable(catalog, tableName)
  const column = table?.columns.find(one => fold(one.name) === fold(name))
  return table && column ? { table, column } : null
}

const without = (places: readonly Place[], others: readonly Place[]): readonly Place[] =>
  places.filter(
    ({ column, value }) => !others.some(other => other.column === column && other.value === value),
  )

/**
 * The same two tables joined over different columns: over which of them rows find a partner. Columns that belong
 * together hold one another's values; columns that were mixed up seldom do.
 */
export const planJoinPartnersProbe = ({ first, second, catalog }: ProbedPair): Probe | null => {
  const [a, b] = [joinedColumns(first.tree, catalog), joinedColumns(second.tree, catalog)]
  for (const one of a)
    for (const other of b) {
      if (tablesOf(one) !== tablesOf(other) || columnsOf(one) === columnsOf(other)) continue
      if ([one, other].some(({ left, right }) => left.column.masked || right.column.masked)) return null
      // Comparing a number with a text fails in strict databases, and says enough by itself.
      if ([one, other].some(({ left, right }) => left.column.kind !== right.column.kind)) return null
      return {
        kind: 'partners-of-keys',
        sql: `SELECT ${[...shareOf(one, catalog), ...shareOf(other, catalog)].join(', ')}`,
        reason: `whether ${columnsOf(one)} or ${columnsOf(other)} hold one another's values`,
        judge: result => {
          const counts = readCounts(result, 4)
          if (counts === null) return 0
          const [heldA = 0, allA = 0, heldB = 0, allB = 0] = counts
          const difference = heldA / Math.max(1, allA) - heldB / Math.max(1, allB)
          return Math.abs(difference) < CLEAR_DIFFERENCE ? 0 : difference
        },
      }
    }
  return null
}

const CLEAR_DIFFERENCE = 0.2

const columnsOf = ({ left, right }: JoinedColumns): string =>
  [`${left.table.name}.${left.column.name}`, `${right.table.name}.${right.column.name}`].sort().join(' and ')

const tablesOf = ({ left, right }: JoinedColumns): string => [left.table.name, right.table.name].sort().join()

/** How many values of the left column the right one holds, and how many there are. */
const shareOf = ({ left, right }: JoinedColumns, catalog: Catalog): readonly string[] => {
  const name = (text: string): string => quoteIdentifier(text, catalog.dialect)
  const [table, column] = [formatTableName(left.table, catalog), name(left.column.name)]
  return [
    `(SELECT COUNT(DISTINCT l.${column}) FROM ${table} AS l WHERE EXISTS (SELECT 1 FROM ${formatTableName(right.table, catalog)} AS r WHERE r.${name(right.column.name)} = l.${column}))`,
    `(SELECT COUNT(DISTINCT ${column}) FROM ${table})`,
  ]
}

/**
 * INNER against LEFT JOIN over the same columns: whether there are rows without a partner at all. Where there are, and
 * the question wants all of them, dropping them is wrong; where it does not say so, keeping them is the less usual reading.
 */
export const planRowsWithoutPartnerProbe = ({
  first,
  second,
  catalog,
  question,
}: ProbedPair): Probe | null => {
  const [a, b] = [joinedColumns(first.tree, catalog), joinedColumns(second.tree, catalog)]
  for (const one of a)
    for (const other of b) {
      if (one.join === other.join) continue
      if (one.left.column !== other.left.column || one.right.column !== other.right.column) continue
      const { left, right } = one
      if (left.column.masked || right.column.masked) return null
      const name = (text: string): string => quoteIdentifier(text, catalog.dialect)
      const wantsAll =
        question.cues.has('all-kept') && !/\bonly\b|\bwith at least\b|\bhave\b|\bhas\b/.test(question.folded)
      const toLeft = wantsAll ? 0.5 : -0.3
      return {
        kind: 'rows-without-partner',
        sql: `SELECT COUNT(*) AS alone FROM ${formatTableName(left.table, catalog)} AS l WHERE NOT EXISTS (SELECT 1 FROM ${formatTableName(right.table, catalog)} AS r WHERE r.${name(right.column.name)} = l.${name(left.column.name)})`,
        reason: `whether there are rows of ${left.table.name} without one of ${right.table.name}`,
        judge: result => {
          const counts = readCounts(result, 1)
          if (counts === null || counts[0] === 0) return 0
          return one.join === 'left' ? toLeft : -toLeft
        },
      }
    }
  return null
}

/** Two columns of two tables that an outermost SELECT joins over. */
interface JoinedColumns {
  readonly join: 'inner' | 'left'
  readonly left: { readonly table: Table; readonly column: Column }
  readonly right: { readonly table: Table; readonly column: Column }
}

/** The joins of a query's own sources, each over one pair of columns of the catalog; the earlier source is the left. */
const joinedColumns = (tree: QueryTree, catalog: Catalog): readonly JoinedColumns[] => {
  if (tree.kind === 'set') return []
  const select: SelectTree = tree
  const names = innerScope(select, outermostScope(catalog))
  return select.from.flatMap(({ join, on }, at) => {
    if (join !== 'inner' && join !== 'left') return []
    const pairs = keyPairs(on)
    const [pair] = pairs
    const right = names.sources[at]?.table
    if (pair === undefined || pairs.length > 1 || !right) return []
    const sides = pair.map(column => resolveName(column, names))
    const [one, other] = sides
    if (one?.kind !== 'column' || other?.kind !== 'column' || one.table === other.table) return []
    if (one.table !== right && other.table !== right) return []
    return [other.table === right ? { join, left: one, right: other } : { join, left: other, right: one }]
  })
}

/** A table as a statement names it. */
const formatTableName = ({ schema, name }: Table, { dialect }: Catalog): string =>
  schema === null
    ? quoteIdentifier(name, dialect)
    : `${quoteIdentifier(schema, dialect)}.${quoteIdentifier(name, dialect)}`

/** The counts of a result of one row; null for a result of another shape. */
const readCounts = ({ rows }: ResultTable, how: number): readonly number[] | null => {
  const [row] = rows
  if (rows.length !== 1 || row === undefined || row.length !== how) return null
  const counts = row.map(Number)
  return counts.every(Number.isFinite) ? counts : null
}
