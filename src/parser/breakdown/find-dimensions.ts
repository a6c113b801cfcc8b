import { joinTrees, type KeyPreference, repeatedTables } from '../build/join-tree.ts'
import type { Frame } from '../frame.ts'
import type { ColumnEntry, SchemaIndex, TableEntry } from '../schema/schema-index.ts'

/** Each dimension is a statement on the database. */
const MAX_DIMENSIONS = 6

/** A breakdown with more values than this is not readable. */
const MAX_VALUES = 30

/** Columns farther away than this say little about what is measured. */
const MAX_JOINS = 3

/**
 * Columns that rows of `measured` can be split by: columns with few values, at the one side of the keys that lead
 * there, so that each row has one value. The answer's own groupings come first, then the nearest columns. Tables take
 * turns, so that a table with six such columns does not keep the others out.
 */
export const findDimensions = (
  base: Frame,
  measured: TableEntry,
  schema: SchemaIndex,
  options: { readonly except: readonly ColumnEntry[]; readonly prefer: KeyPreference },
): readonly ColumnEntry[] => {
  const { except, prefer } = options
  const isOpen = (column: ColumnEntry): boolean =>
    !except.includes(column) && isSplit(column) && !isFixed(base, column)
  const grouped = base.groups.filter(({ unit, column }) => unit === null && isOpen(column))
  const tables = schema.tables
    .map(table => ({ table, joins: schema.distance[measured.id]?.[table.id] ?? Number.POSITIVE_INFINITY }))
    .filter(({ table, joins }) => joins <= MAX_JOINS && !repeats(measured, table, schema, prefer))
    .toSorted((a, b) => a.joins - b.joins)
    .map(({ table }) => table.columns.filter(isOpen))
  const longest = Math.max(0, ...tables.map(columns => columns.length))
  const turns = Array.from({ length: longest }, (_, at) =>
    tables.flatMap(columns => columns.slice(at, at + 1)),
  ).flat()
  return [...new Set([...grouped.map(({ column }) => column), ...turns])].slice(0, MAX_DIMENSIONS)
}

const isSplit = ({ column: { profile }, traits }: ColumnEntry): boolean =>
  (traits.text || traits.flag !== null) &&
  !traits.key &&
  !traits.moment &&
  profile !== null &&
  profile.distinctCount >= 2 &&
  profile.distinctCount <= MAX_VALUES

/** Whether the conditions leave only one value of the column. */
const isFixed = ({ conditions }: Frame, column: ColumnEntry): boolean =>
  conditions.some(
    condition =>
      condition.column === column &&
      !condition.negated &&
      !condition.or &&
      condition.test.kind === 'compare' &&
      condition.test.operator === '=',
  )

const repeats = (
  measured: TableEntry,
  table: TableEntry,
  schema: SchemaIndex,
  prefer: KeyPreference,
): boolean => {
  if (table === measured) return false
  const [tree] = joinTrees(schema, [measured, table], prefer)
  return tree === undefined || repeatedTables(tree).has(measured.id)
}
