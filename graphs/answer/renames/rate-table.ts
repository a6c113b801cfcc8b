import type { Table } from '../../../src/core/catalog.ts'
import { nameSimilarity } from './name-likeness.ts'
import type { PastTable } from './past-tables.ts'

/** A table that there was beside the old one is hardly what that became. */
const WAS_THERE = 0.5

/**
 * How much speaks for it that a table which is gone is now this table, from 0 to 1: the columns that both have, its name,
 * and whether it is new. The same name in another schema is the same table.
 */
export const scoreTable = (
  gone: PastTable,
  now: Table,
  given: {
    /** Columns of the old table that the statement reads. */
    readonly used: readonly string[]
    /** Whether it was there when the old one was; null where that is not known. */
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
