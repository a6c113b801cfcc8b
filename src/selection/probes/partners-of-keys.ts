import type { Catalog } from '../../core/catalog.ts'
import { quoteIdentifier } from '../../sql/render/quote-identifier.ts'
import { type JoinedColumns, joinedColumns } from './joined-columns.ts'
import { formatTableName } from './name-table.ts'
import type { Probe, ProbedPair } from './probe.ts'
import { readCounts } from './read-count.ts'

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
