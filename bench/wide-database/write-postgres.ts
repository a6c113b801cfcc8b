import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { encodeCopy } from '../../src/store/sample-company/load-tables.ts'
import type { WideTable } from './generate-wide-database.ts'

const quoted = (name: string): string => `"${name}"`

const text = (words: string): string => `'${words.replaceAll("'", "''")}'`

/** Writes the tables, with comments and declared keys, into an empty database of a Postgres server. */
export const writePostgres = async (url: string, tables: readonly WideTable[]): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('SET synchronous_commit = off')
    for (const table of tables) {
      await client.query(createTable(table))
      await pipeline(
        Readable.from(encodeCopy(table.rows())),
        client.query(copyFrom(`COPY ${quoted(table.name)} FROM STDIN`)),
      )
    }
    for (const table of tables) await client.query(declareKeys(table))
    await client.query('ANALYZE')
  } finally {
    await client.end()
  }
}

const createTable = ({ name, comment, columns }: WideTable): string => {
  const lines = columns.map(
    (column, at) => `${quoted(column.name)} ${column.type}${at === 0 ? ' PRIMARY KEY' : ''}`,
  )
  const comments = columns
    .filter(column => column.comment !== null)
    .map(
      column => `COMMENT ON COLUMN ${quoted(name)}.${quoted(column.name)} IS ${text(column.comment ?? '')};`,
    )
  return [
    `CREATE TABLE ${quoted(name)} (${lines.join(', ')});`,
    ...(comment === null ? [] : [`COMMENT ON TABLE ${quoted(name)} IS ${text(comment)};`]),
    ...comments,
  ].join('\n')
}

const declareKeys = ({ name, keys }: WideTable): string =>
  keys
    .filter(({ declared }) => declared)
    .map(
      key =>
        `ALTER TABLE ${quoted(name)} ADD FOREIGN KEY (${quoted(key.column)}) REFERENCES ${quoted(key.table)} (${quoted(key.targetColumn)});`,
    )
    .join('\n')
