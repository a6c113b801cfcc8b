import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeDuckdbFile } from '../../../helpers/duckdb-file.ts'
import { createMysqlDatabase } from '../../../helpers/services/mysql-database.ts'
import { withClient } from '../../../helpers/with-client.ts'
import type { TrickServer } from './run-tricks.ts'

/** Worlds on a MySQL or MariaDB server; `url` is a user's who may create databases. */
export const mysqlTricks = (url: string): TrickServer => ({
  name: 'mysql',
  create: async statements => {
    const database = await createMysqlDatabase(url)
    for (const statement of statements) await database.admin(statement)
    return { address: database.url, drop: database.drop }
  },
})

/** Worlds on a Postgres server; `url` is a superuser's. */
export const postgresTricks = (url: string): TrickServer => ({
  name: 'postgres',
  create: async statements => {
    const name = `querent_test_${randomBytes(8).toString('hex')}`
    await withClient(url, admin => admin.query(`create database ${name}`))
    const address = new URL(url)
    address.pathname = `/${name}`
    await withClient(address.href, async client => {
      for (const statement of statements) await client.query(statement)
    })
    return {
      address: address.href,
      drop: async () => {
        await withClient(url, admin => admin.query(`drop database if exists ${name} with (force)`))
      },
    }
  },
})

/** Worlds in files of a folder each. */
const inFolders = (
  name: string,
  make: (path: string, statements: readonly string[]) => void | Promise<void>,
): TrickServer['create'] => {
  return async statements => {
    const folder = mkdtempSync(join(tmpdir(), 'querent-tricks-'))
    const path = join(folder, `world.${name}`)
    await make(path, statements)
    return { address: `${name}:${path}`, drop: async () => rmSync(folder, { recursive: true, force: true }) }
  }
}

/** Worlds in SQLite files. */
export const sqliteTricks: TrickServer = {
  name: 'sqlite',
  lists: { exclude: ['docs.secret', 'old_docs.secret', 'copies.email'], mask: ['copies.ssn'] },
  create: inFolders('sqlite', (path, statements) => {
    const database = new DatabaseSync(path)
    for (const statement of statements) database.exec(statement)
    database.close()
  }),
}

/** Worlds in DuckDB files. */
export const duckdbTricks: TrickServer = {
  name: 'duckdb',
  lists: { exclude: ['copies.email'], mask: ['copies.ssn'] },
  create: inFolders('duckdb', (path, statements) => makeDuckdbFile(path, statements.join(';\n'))),
}
