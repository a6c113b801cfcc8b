import type { Catalog, Column, Table } from '../../core/catalog.ts'
import { splitName } from '../../lib/split-name.ts'

const MAX_EXAMPLES = 4
/** A column with more values than this makes no table that anybody wants to read. */
const MAX_GROUPS = 30

/**
 * Example questions for a database nobody knows yet, from its catalog alone: how many there are of the largest
 * things, and the same by a column of few values. `near` are tables that come first. Deterministic.
 */
export const exampleQuestions = (catalog: Catalog, near: readonly string[] = []): readonly string[] => {
  const nearness = ({ name }: Table): number => (near.includes(name) ? near.length - near.indexOf(name) : 0)
  const tables = [...catalog.tables]
    .filter(table => table.type === 'table' && (table.rowCount ?? 0) > 0)
    .sort(
      (a, b) =>
        nearness(b) - nearness(a) ||
        keysTo(catalog, b) - keysTo(catalog, a) ||
        (b.rowCount ?? 0) - (a.rowCount ?? 0),
    )
  const byGroup = tables.flatMap(table => {
    const column = groupingColumn(table)
    return column ? [`How many ${nameInWords(table.name)} are there by ${nameInWords(column.name)}?`] : []
  })
  const plain = tables.map(table => `How many ${nameInWords(table.name)} are there?`)
  return [...plain.slice(0, 1), ...byGroup, ...plain.slice(1)].slice(0, MAX_EXAMPLES)
}

/** How often other tables point at a table: what many things belong to is what people ask about. */
const keysTo = (catalog: Catalog, table: Table): number =>
  catalog.foreignKeys.filter(key => key.to.table === table.name).length

const groupingColumn = (table: Table): Column | undefined =>
  table.columns.find(
    column =>
      column.kind === 'text' &&
      column.profile !== null &&
      column.profile.distinctCount > 1 &&
      column.profile.distinctCount <= MAX_GROUPS &&
      // A column in which nearly every row has a value of its own is a name, and groups nothing.
      column.profile.distinctCount * 2 <= (table.rowCount ?? 0) &&
      !table.primaryKey.includes(column.name),
  )

const nameInWords = (name: string): string => splitName(name).join(' ')
