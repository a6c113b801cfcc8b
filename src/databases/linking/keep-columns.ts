import type { LinkedSchema } from '../../core/linked-schema.ts'
import type { LinkerColumn } from './describe-catalog.ts'

/** The chosen columns in MAC-SQL's form, in the catalog's order: `all` where none of a table is missing. */
export const toLinkedSchema = (chosen: Iterable<LinkerColumn>): LinkedSchema => {
  const byTable = Map.groupBy(new Set(chosen), ({ table }) => table)
  return {
    tables: [...byTable]
      .sort(([a], [b]) => a.at - b.at)
      .map(([{ name, columns }, kept]) => ({
        table: name,
        keep:
          kept.length === columns.length
            ? 'all'
            : kept.sort((a, b) => a.at - b.at).map(({ column }) => column.name),
      })),
  }
}
