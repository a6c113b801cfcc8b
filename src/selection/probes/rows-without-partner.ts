import { quoteIdentifier } from '../../sql/render/quote-identifier.ts'
import { joinedColumns } from './joined-columns.ts'
import { formatTableName } from './name-table.ts'
import type { Probe, ProbedPair } from './probe.ts'
import { readCounts } from './read-count.ts'

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
