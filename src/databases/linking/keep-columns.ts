import type { LinkedSchema } from '../../core/linked-schema.ts'
import type { Description, KnownColumn } from './describe-catalog.ts'

/** The chosen columns in MAC-SQL's form, in the catalog's order: `all` where none of a table is missing. */
export const keepColumns = ({ tables }: Description, chosen: Iterable<KnownColumn>): LinkedSchema => {
  const kept = new Set(chosen)
  const touched = new Set([...kept].map(({ table }) => table))
  return {
    tables: tables
      .filter(table => touched.has(table))
      .map(({ name, columns }) => {
        const names = columns.filter(column => kept.has(column)).map(({ column }) => column.name)
        return { table: name, keep: names.length === columns.length ? 'all' : names }
      }),
  }
}
