import type { Column, ForeignKey } from '../../core/catalog.ts'
import type { Dialect } from '../../core/dialect.ts'
import type { RenderSchema } from '../../core/linked-schema.ts'
import type { ValueMatch } from '../../core/value-match.ts'
import { quoteIdentifier } from '../../sql/render/quote-identifier.ts'
import { type ColumnDescription, describeColumn, onOneLine } from './describe-column.ts'
import { type PickedTable, pickLinkedSchema } from './pick-linked.ts'
import { tableReference } from './table-source.ts'

/** Everything of a catalog that the lines of one table need. */
interface TableContext {
  readonly dialect: Dialect
  readonly keys: readonly ForeignKey[]
  readonly tables: readonly PickedTable[]
  readonly matches: readonly ValueMatch[]
}

/**
 * The linked schema as CREATE TABLE statements with a comment behind each column: what it means, the values that the
 * question found or some examples, and its range (AgentNLQ 3.3.3). Keys that nobody declared are marked.
 */
export const renderDdl: RenderSchema = (catalog, linked, { seed, matches = [] } = {}) => {
  const { tables, foreignKeys } = pickLinkedSchema(catalog, linked, seed)
  const context = { dialect: catalog.dialect, keys: foreignKeys, tables, matches }
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
    isKey:
      (table.primaryKey.length === 1 && table.primaryKey[0] === column.name) ||
      context.keys.some(key => key.from.table === name && key.from.columns.includes(column.name)),
    matches: context.matches.filter(match => match.table === name && match.column === column.name),
  })

const commentOf = ({ comment, note, matched, examples, complete, range }: ColumnDescription): string =>
  [
    ...(comment === null || comment === '' ? [] : [comment]),
    ...(note === null ? [] : [note]),
    ...(matched.length === 0 ? [] : [`named in the question: ${matched.join(', ')}`]),
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
