import type { Catalog, Column, Table } from '../../core/catalog.ts'
import type { QueryTree } from '../../sql/query-tree/query-tree.ts'
import { quoteIdentifier } from '../../sql/render/quote-identifier.ts'
import { quoteLiteral } from '../../sql/render/quote-literal.ts'
import { describeParts } from '../back-reading/describe-parts.ts'
import type { ColumnName, PartValue } from '../back-reading/described-sql.ts'
import { findTable, fold, outermostScope } from '../back-reading/names.ts'
import { formatTableName } from './name-table.ts'
import type { Probe, ProbedPair } from './probe.ts'
import { readCounts } from './read-count.ts'

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
