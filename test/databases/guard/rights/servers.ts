import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDuckdbFile } from '../../../helpers/duckdb-file.ts'
import { createMysqlDatabase } from '../../../helpers/services/mysql-database.ts'
import { makeSqliteFile } from '../../../helpers/sqlite-file.ts'
import { createTestDatabase } from '../../../helpers/test-database.ts'
import { withClient } from '../../../helpers/with-client.ts'

/** Databases that rights are tried on. */
export type ServerName = 'Postgres' | 'SQLite' | 'DuckDB' | 'MariaDB'

/** Makes a database of these statements; returns its address and the schema of its tables. */
export type MakeDatabase = (
  statements: readonly string[],
) => Promise<{ readonly address: string; readonly schema: string }>

/** The databases at hand, by name; `undo` gets what removes them. MariaDB needs its address. */
export const makeServers = (
  undo: (() => unknown)[],
  mysqlUrl: string | null,
): readonly (readonly [ServerName, MakeDatabase])[] => [
  [
    'Postgres',
    async statements => {
      const { url, drop } = await createTestDatabase()
      undo.push(drop)
      await withClient(url, async client => {
        for (const statement of statements) await client.query(statement)
      })
      return { address: url, schema: 'public' }
    },
  ],
  [
    'SQLite',
    async statements => {
      const { file, remove } = makeSqliteFile(statements.join(';\n'))
      undo.push(remove)
      return { address: `sqlite:${file}`, schema: 'main' }
    },
  ],
  [
    'DuckDB',
    async statements => {
      const folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
      undo.push(() => rmSync(folder, { recursive: true, force: true }))
      const file = join(folder, 'world.duckdb')
      await makeDuckdbFile(file, statements.join(';\n'))
      return { address: `duckdb:${file}`, schema: 'main' }
    },
  ],
  ...(mysqlUrl === null
    ? []
    : [
        [
          'MariaDB',
          async (statements: readonly string[]) => {
            const made = await createMysqlDatabase(mysqlUrl)
            undo.push(made.drop)
            for (const statement of statements) await made.admin(statement)
            return { address: made.url, schema: made.name }
          },
        ] as const,
      ]),
]
