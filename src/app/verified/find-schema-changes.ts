import type { Catalog, Table } from '../../core/catalog.ts'
import type { ReferencedTable } from '../../core/touched-table.ts'

/**
 * What of the tables that a statement touches is not as it was, in sentences without a full stop; none while nothing of
 * it changed, whatever else did. A table that is now found in another schema is another table.
 */
export const findSchemaChanges = (
  touched: readonly ReferencedTable[],
  catalog: Pick<Catalog, 'tables'>,
): readonly string[] =>
  touched.flatMap(before => {
    const now = catalog.tables.find(({ schema, name }) => schema === before.schema && name === before.name)
    return now === undefined ? [`the table ${qualifiedTableName(before)} is gone`] : changesOf(before, now)
  })

const changesOf = (before: ReferencedTable, now: Table): readonly string[] => {
  const table = qualifiedTableName(before)
  const changed = before.columns.flatMap(({ name, type }) => {
    const column = now.columns.find(column => column.name === name)
    if (column === undefined) return [`the column ${table}.${name} is gone`]
    return column.type === type
      ? []
      : [`${table}.${name} was ${formatType(type)} and is ${formatType(column.type)} now`]
  })
  const known = new Set(before.columns.map(({ name }) => name))
  const added = before.whole ? now.columns.filter(({ name }) => !known.has(name)) : []
  const isRedefined =
    before.definition !== null && now.definition !== undefined && before.definition !== now.definition
  return [
    ...changed,
    ...added.map(({ name }) => `${table} has a new column ${name}, and all its columns are read`),
    ...(isRedefined ? [`the view ${table} is defined in another way`] : []),
  ]
}

const qualifiedTableName = ({ schema, name }: ReferencedTable): string =>
  schema === null ? name : `${schema}.${name}`

const formatType = (type: string): string => (type === '' ? 'without a type' : type)
