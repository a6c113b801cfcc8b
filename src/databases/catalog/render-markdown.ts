import type { Column } from '../../core/catalog.ts'
import type { RenderSchema } from '../../core/linked-schema.ts'
import { describeColumn, onOneLine } from './describe-column.ts'
import { type PickedTable, pickLinkedSchema } from './pick-linked.ts'

/**
 * The linked schema as a Markdown table for each table, and the joins as a list: the rendering that models have read
 * most of outside of SQL, and a third source of different drafts (N-rep).
 */
export const renderMarkdown: RenderSchema = (catalog, linked, { seed, matches = [] } = {}) => {
  const { tables, foreignKeys } = pickLinkedSchema(catalog, linked, seed)
  const referring = new Set(
    foreignKeys.flatMap(key => key.from.columns.map(column => JSON.stringify([key.from.table, column]))),
  )
  const renderColumn = (column: Column, { table, name }: PickedTable): string => {
    const isPrimary = table.primaryKey.includes(column.name)
    const { comment, note, matched, examples, complete, range } = describeColumn(column, {
      isKey:
        (isPrimary && table.primaryKey.length === 1) || referring.has(JSON.stringify([name, column.name])),
      matches: matches.filter(match => match.table === name && match.column === column.name),
    })
    const type = [column.type === '' ? column.kind : column.type, ...(isPrimary ? ['key'] : [])].join(', ')
    const meaning = [comment, note].filter(part => part !== null && part !== '').join('; ')
    const shown = [...new Set([...matched, ...examples])].join(', ')
    const values = shown === '' ? (range ?? '') : complete ? `only ${shown}` : shown
    return `| ${[column.name, type, meaning, values].map(inCell).join(' | ')} |`
  }
  const sections = tables.map(picked => {
    const { table, name, columns } = picked
    const facts = [
      ...(table.comment === null ? [] : [onOneLine(table.comment, 300)]),
      ...(table.type === 'view' ? ['a view'] : []),
      ...(table.rowCount === null ? [] : [`${table.rowCount} rows`]),
    ]
    return [
      `## ${onOneLine(name, 200)}`,
      ...(facts.length === 0 ? [] : [facts.join('; ')]),
      '',
      '| column | type | meaning | values |',
      '|---|---|---|---|',
      ...columns.map(column => renderColumn(column, picked)),
    ].join('\n')
  })
  const joins = foreignKeys.map(({ from, to }) =>
    from.columns
      .map((column, index) => `${from.table}.${column} = ${to.table}.${to.columns[index] ?? ''}`)
      .join(' and '),
  )
  return [
    ...sections,
    ...(joins.length === 0 ? [] : [`## Joins\n\n${joins.map(join => `- ${join}`).join('\n')}`]),
  ].join('\n\n')
}

/** A cell ends at a bar, and other people's text may hold one. */
const inCell = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|')
