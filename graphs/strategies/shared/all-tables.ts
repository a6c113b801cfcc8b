import { type Catalog, nameTables } from '../../../src/domain/catalog.ts'
import type { LinkedSchema } from '../../../src/domain/question-context.ts'

/** More columns than these are not shown to an agent: it sees what schema linking keeps of them. */
const MOST_COLUMNS = 600

/** Every table whole, or what schema linking keeps of a schema that no prompt holds. */
export const allTables = (catalog: Pick<Catalog, 'tables'>, linked: LinkedSchema): LinkedSchema => {
  const columns = catalog.tables.reduce((sum, table) => sum + table.columns.length, 0)
  if (columns > MOST_COLUMNS) return linked
  return { tables: [...nameTables(catalog).values()].map(table => ({ table, keep: 'all' })) }
}
