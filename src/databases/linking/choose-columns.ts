import type { CatalogDescription, LinkerColumn, LinkerTable } from './describe-catalog.ts'
import { joinTables } from './join-tables.ts'
import type { ColumnRanking } from './rank-columns.ts'

/** MAC-SQL keeps three tables at least, where there are three. */
const minTables = 3

/** Tables as likely as this are joined to one another. */
const joinThreshold = 0.15

/** A join key between likely tables comes before every column that is less likely than this. */
const keyPriority = 0.15

/** A table without any column would be lost: its likeliest column stands for it, at this part of the table's own. */
const forTable = 0.5

/**
 * The columns of a catalog that are worth keeping, the most wanted first: any first part of them is what to keep of
 * that many columns. All of them where `minColumnProbability` is 0.
 */
export const orderColumns = (
  description: CatalogDescription,
  { tables, columns }: ColumnRanking,
  leastLikely = 0,
): readonly LinkerColumn[] => {
  const likely = (table: LinkerTable): number => tables[table.at]!
  const ranked = [...description.tables].sort((a, b) => likely(b) - likely(a) || a.at - b.at)
  const chosen = ranked.filter((table, at) => at === 0 || likely(table) >= joinThreshold)
  const wanted = Float64Array.from(columns)
  const raise = ({ at }: LinkerColumn, to: number): void => {
    wanted[at] = Math.max(wanted[at]!, to)
  }
  for (const table of description.tables) {
    const best = likeliest(table, columns)
    if (best) raise(best, likely(table) * forTable)
  }
  for (const key of joinTables(chosen, likely).keys) raise(key, keyPriority)
  for (const table of ranked.slice(0, minTables)) {
    const best = likeliest(table, wanted)
    if (best) raise(best, 1)
  }
  return description.columns
    .filter(({ at }) => wanted[at]! >= leastLikely)
    .sort((a, b) => wanted[b.at]! - wanted[a.at]! || a.at - b.at)
}

const likeliest = ({ columns }: LinkerTable, scores: Float64Array): LinkerColumn | null => {
  let best: LinkerColumn | null = null
  for (const column of columns) if (best === null || scores[column.at]! > scores[best.at]!) best = column
  return best
}
