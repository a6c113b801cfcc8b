import { escapeIdentifier, escapeLiteral } from 'pg'
import type { SampleSchema, SampleTable } from './sample-data.ts'

/** Statements that make the tables without keys, which are cheaper to check once the rows are in. */
export const renderTables = (schema: SampleSchema): readonly string[] =>
  schema.tables.map(table => {
    const columns = table.columns.map(
      ({ name, type, nullable }) => `${escapeIdentifier(name)} ${type}${nullable ? '' : ' not null'}`,
    )
    return `create table ${escapeIdentifier(table.name)} (${columns.join(', ')})`
  })

/** Statements that add primary keys, then foreign keys with an index each, then comments. */
export const renderKeysAndComments = (schema: SampleSchema): readonly string[] => [
  ...schema.tables.map(
    ({ name, primaryKey }) => `alter table ${escapeIdentifier(name)} add primary key (${list(primaryKey)})`,
  ),
  ...schema.tables.flatMap(renderForeignKeys),
  ...schema.tables.flatMap(renderComments),
]

const renderForeignKeys = ({ name, foreignKeys, primaryKey }: SampleTable): string[] =>
  foreignKeys.flatMap(key => [
    `alter table ${escapeIdentifier(name)} add foreign key (${list(key.columns)})` +
      ` references ${escapeIdentifier(key.table)} (${list(key.references)})`,
    // The primary key's own index serves a foreign key that it begins with.
    ...(key.columns.every((column, at) => primaryKey[at] === column)
      ? []
      : [`create index on ${escapeIdentifier(name)} (${list(key.columns)})`]),
  ])

const renderComments = (table: SampleTable): string[] => [
  `comment on table ${escapeIdentifier(table.name)} is ${escapeLiteral(table.comment)}`,
  ...table.columns.flatMap(({ name, comment }) =>
    comment === null
      ? []
      : [
          `comment on column ${escapeIdentifier(table.name)}.${escapeIdentifier(name)} is ${escapeLiteral(comment)}`,
        ],
  ),
]

const list = (columns: readonly string[]): string =>
  columns.map(column => escapeIdentifier(column)).join(', ')
