import type { Column, ForeignKey } from '../../domain/catalog.ts'
import type { RenderSchema } from '../../domain/question-context.ts'
import type { Dialect } from '../../domain/sql.ts'
import { quoteIdentifier } from '../../sql/render/quote.ts'
import { tableReference } from './internal-query.ts'
import {
  type ColumnDescription,
  describeColumn,
  onOneLine,
  type PickedTable,
  pickLinkedSchema,
} from './linked-schema.ts'

/** What the lines of one table need from the catalog. */
interface TableContext {
  readonly dialect: Dialect
  readonly keys: readonly ForeignKey[]
  readonly tables: readonly PickedTable[]
}

/**
 * The linked schema as CREATE TABLE statements with a comment after each column: its meaning, some values and its range
 * (AgentNLQ 3.3.3). Inferred keys are marked. It is the same for every question, so that endpoints can cache it.
 */
export const renderDdl: RenderSchema = (catalog, linked, { seed } = {}) => {
  const { tables, foreignKeys } = pickLinkedSchema(catalog, linked, seed)
  const context = { dialect: catalog.dialect, keys: foreignKeys, tables }
  return tables.map(table => renderTable(table, context)).join('\n\n')
}

const renderTable = (picked: PickedTable, context: TableContext): string => {
  const { table, name, columns } = picked
  const { dialect } = context
  const keys = context.keys.filter(key => key.from.table === name)
  const lines = [
    ...columns.map(column => ({
      sql: columnSql(column, picked, dialect),
      comment: commentOf(describe(column, picked, context)),
    })),
    ...(table.primaryKey.length > 1 &&
    table.primaryKey.every(name => columns.some(column => column.name === name))
      ? [{ sql: `PRIMARY KEY ${columnList(table.primaryKey, dialect)}`, comment: '' }]
      : []),
    ...keys.map(key => ({ sql: keySql(key, context), comment: keyComment(key) })),
  ]
  const rendered = lines.map(({ sql, comment }, index) => {
    const comma = index < lines.length - 1 ? ',' : ''
    return `  ${sql}${comma}${comment === '' ? '' : ` -- ${comment}`}`
  })
  return [
    ...tableComment(picked),
    `CREATE TABLE ${tableReference(table, dialect)} (`,
    ...rendered,
    ');',
  ].join('\n')
}

const tableComment = ({ table }: PickedTable): readonly string[] => {
  const facts = [
    ...(table.comment === null ? [] : [onOneLine(table.comment, 300)]),
    ...(table.type === 'view' ? ['a view'] : []),
    ...(table.rowCount === null ? [] : [`${table.rowCount} rows`]),
  ]
  return facts.length === 0 ? [] : [`-- ${facts.join('; ')}`]
}

const columnSql = (column: Column, { table }: PickedTable, dialect: Dialect): string => {
  const isPrimary = table.primaryKey.length === 1 && table.primaryKey[0] === column.name
  return [
    quoteIdentifier(column.name, dialect),
    ...(column.type === '' ? [] : [column.type]),
    ...(isPrimary ? ['PRIMARY KEY'] : column.nullable ? [] : ['NOT NULL']),
  ].join(' ')
}

const describe = (column: Column, { table, name }: PickedTable, context: TableContext): ColumnDescription =>
  describeColumn(column, {
    table,
    isKey:
      (table.primaryKey.length === 1 && table.primaryKey[0] === column.name) ||
      context.keys.some(key => key.from.table === name && key.from.columns.includes(column.name)),
  })

const commentOf = ({ comment, note, examples, complete, range }: ColumnDescription): string =>
  [
    ...(comment === null || comment === '' ? [] : [comment]),
    ...(note === null ? [] : [note]),
    ...(examples.length === 0 ? [] : [`${complete ? 'values' : 'such as'}: ${examples.join(', ')}`]),
    ...(range === null ? [] : [range]),
  ].join('; ')

const columnList = (columns: readonly string[], dialect: Dialect): string =>
  `(${columns.map(column => quoteIdentifier(column, dialect)).join(', ')})`

const keySql = (key: ForeignKey, { tables, dialect }: TableContext): string => {
  const target = tables.find(({ name }) => name === key.to.table)
  const reference = target === undefined ? key.to.table : tableReference(target.table, dialect)
  return `FOREIGN KEY ${columnList(key.from.columns, dialect)} REFERENCES ${reference} ${columnList(key.to.columns, dialect)}`
}

const keyComment = (key: ForeignKey): string =>
  key.source === 'derived' && key.inclusion !== null
    ? `not declared; ${Math.floor(key.inclusion * 100)} % of its values are there`
    : ''

/**
 * The linked schema in M-Schema (XiYan-SQL): a line for each column with its type, meaning and examples, and the
 * foreign keys at the end. Another rendering of the same facts leads to different drafts (N-rep).
 */
export const renderMSchema: RenderSchema = (catalog, linked, { seed } = {}) => {
  const { tables, foreignKeys } = pickLinkedSchema(catalog, linked, seed)
  const keyColumns = new Set(
    foreignKeys.flatMap(key => key.from.columns.map(column => JSON.stringify([key.from.table, column]))),
  )
  const renderColumn = (column: Column, { table, name }: PickedTable): string => {
    const isPrimary = table.primaryKey.includes(column.name)
    const { comment, note, examples, range } = describeColumn(column, {
      table,
      isKey:
        (isPrimary && table.primaryKey.length === 1) || keyColumns.has(JSON.stringify([name, column.name])),
    })
    const parts = [
      `${column.name}:${column.type === '' ? column.kind.toUpperCase() : column.type.toUpperCase()}`,
      ...(isPrimary ? ['Primary Key'] : []),
      ...(comment === null || comment === '' ? [] : [comment]),
      ...(note === null ? [] : [note]),
      ...(examples.length > 0
        ? [`Examples: [${examples.join(', ')}]`]
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

/**
 * The linked schema as a Markdown table for each table, and the joins as a list: the format that models know best
 * besides SQL, and a third source of different drafts (N-rep).
 */
export const renderMarkdown: RenderSchema = (catalog, linked, { seed } = {}) => {
  const { tables, foreignKeys } = pickLinkedSchema(catalog, linked, seed)
  const referring = new Set(
    foreignKeys.flatMap(key => key.from.columns.map(column => JSON.stringify([key.from.table, column]))),
  )
  const renderColumn = (column: Column, { table, name }: PickedTable): string => {
    const isPrimary = table.primaryKey.includes(column.name)
    const { comment, note, examples, complete, range } = describeColumn(column, {
      table,
      isKey:
        (isPrimary && table.primaryKey.length === 1) || referring.has(JSON.stringify([name, column.name])),
    })
    const type = [column.type === '' ? column.kind : column.type, ...(isPrimary ? ['key'] : [])].join(', ')
    const meaning = [comment, note].filter(part => part !== null && part !== '').join('; ')
    const shown = examples.join(', ')
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

/** A bar ends a cell, and other people's text can contain one. */
const inCell = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|')
