import { DatabaseSync } from 'node:sqlite'
import type { WideCell, WideType } from './attributes.ts'
import type { WideTable } from './generate-wide-database.ts'

const types: Readonly<Record<WideType, string>> = {
  integer: 'INTEGER',
  numeric: 'NUMERIC',
  text: 'TEXT',
  date: 'DATE',
  timestamp: 'DATETIME',
  boolean: 'BOOLEAN',
}

const quoted = (name: string): string => `"${name}"`

/** Writes the tables into a new SQLite file. SQLite has no comments, so they are lost. */
export const writeSqlite = (file: string, tables: readonly WideTable[]): void => {
  using database = openFast(file)
  database.exec('BEGIN')
  for (const table of tables) {
    database.exec(createTable(table))
    const insert = database.prepare(
      `INSERT INTO ${quoted(table.name)} VALUES (${table.columns.map(() => '?').join(', ')})`,
    )
    for (const row of table.rows()) insert.run(...row.map(asStored))
  }
  database.exec('COMMIT')
}

const openFast = (file: string): DatabaseSync & Disposable => {
  // Tables refer to tables that come later.
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  database.exec('PRAGMA synchronous = off; PRAGMA journal_mode = memory')
  return database
}

const createTable = ({ name, columns, keys }: WideTable): string => {
  const lines = [
    ...columns.map(
      (column, at) => `${quoted(column.name)} ${types[column.type]}${at === 0 ? ' PRIMARY KEY' : ''}`,
    ),
    ...keys
      .filter(({ declared }) => declared)
      .map(
        key =>
          `FOREIGN KEY (${quoted(key.column)}) REFERENCES ${quoted(key.table)} (${quoted(key.targetColumn)})`,
      ),
  ]
  return `CREATE TABLE ${quoted(name)} (${lines.join(', ')})`
}

const asStored = (cell: WideCell): string | number | null => (typeof cell === 'boolean' ? Number(cell) : cell)
