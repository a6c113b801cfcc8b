import { splitName } from '../../lib/split-name.ts'
import { toSingular } from '../../lib/to-singular.ts'
import type { ColumnEntry, TableEntry } from '../schema/schema-index.ts'

/** A column in words: `billing country of the order`; a moment by its comment where that says when. */
export const columnLabel = (column: ColumnEntry): string => {
  const { comment, name } = column.column
  if (column.traits.moment && comment && /^when\b/i.test(comment)) return firstClause(comment)
  const words = splitName(name).join(' ')
  return `${words} of the ${tableLabel(column.table)}`
}

/** A table in words, in the singular: `order line`. */
export const tableLabel = (table: TableEntry): string => {
  const words = [...splitName(table.table.name)]
  const last = words.pop() ?? table.table.name
  return [...words, toSingular(last)].join(' ')
}

const firstClause = (comment: string): string => {
  const clause = (comment.split(/[.;]/)[0] ?? comment).trim()
  return clause.charAt(0).toLowerCase() + clause.slice(1)
}
