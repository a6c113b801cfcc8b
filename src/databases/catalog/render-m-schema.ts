import type { Column } from '../../core/catalog.ts'
import type { RenderSchema } from '../../core/linked-schema.ts'
import { describeColumn, onOneLine } from './describe-column.ts'
import { type PickedTable, pickLinkedSchema } from './pick-linked.ts'

/**
 * The linked schema in M-Schema (XiYan-SQL): a line for each column with its type, meaning and examples, and the
 * foreign keys at the end. Another rendering of the same facts is a source of different drafts (N-rep).
 */
export const renderMSchema: RenderSchema = (catalog, linked, { seed, matches = [] } = {}) => {
  const { tables, foreignKeys } = pickLinkedSchema(catalog, linked, seed)
  const keyColumns = new Set(
    foreignKeys.flatMap(key => key.from.columns.map(column => JSON.stringify([key.from.table, column]))),
  )
  const renderColumn = (column: Column, { table, name }: PickedTable): string => {
    const isPrimary = table.primaryKey.includes(column.name)
    const { comment, note, matched, examples, range } = describeColumn(column, {
      isKey:
        (isPrimary && table.primaryKey.length === 1) || keyColumns.has(JSON.stringify([name, column.name])),
      matches: matches.filter(match => match.table === name && match.column === column.name),
    })
    const shown = [...new Set([...matched, ...examples])]
    const parts = [
      `${column.name}:${column.type === '' ? column.kind.toUpperCase() : column.type.toUpperCase()}`,
      ...(isPrimary ? ['Primary Key'] : []),
      ...(comment === null || comment === '' ? [] : [comment]),
      ...(note === null ? [] : [note]),
      ...(shown.length > 0
        ? [`Examples: [${shown.join(', ')}]`]
        : range === null
          ? []
          : [`Range: [${range}]`]),
    ]
    return `(${parts.join(', ')})`
  }
  const sections = tables.map(picked => {
    const { table, name, columns } = picked
    const title = table.comment === null ? name : `${name}, ${onOneLine(table.comment, 300)}`
    return `# Table: ${title}\n[\n${columns.map(column => renderColumn(column, picked)).join(',\n')}\n]`
  })
  const keys = foreignKeys.flatMap(({ from, to }) =>
    from.columns.map((column, index) => `${from.table}.${column}=${to.table}.${to.columns[index] ?? ''}`),
  )
  return ['【Schema】', ...sections, ...(keys.length === 0 ? [] : ['【Foreign keys】', ...keys])].join('\n')
}
