import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import mysql from 'mysql2/promise'
import { makeDuckdbFile } from '../../../helpers/duckdb-file.ts'
import { createMysqlDatabase } from '../../../helpers/services/mysql-database.ts'
import { withClient } from '../../../helpers/with-client.ts'
import type { TrickServer } from './run-tricks.ts'
import { duckdbReads, sqliteReads } from './server-resolution.ts'

/** Worlds on a MySQL or MariaDB server; `url` is a user's who may create databases. */
export const mysqlTricks = (url: string): TrickServer => ({
  name: 'mysql',
  create: async statements => {
    const database = await createMysqlDatabase(url)
    for (const statement of statements) await database.admin(statement.replaceAll('{db}', database.name))
    return { address: database.url, drop: database.drop }
  },
  readsOf: async (address, sql) => {
    const connection = await mysql.createConnection({ uri: address })
    try {
      await connection.query(`CREATE OR REPLACE VIEW probe AS ${sql}`)
      const [rows] = await connection.query('SHOW CREATE VIEW probe')
      const [row] = rows as unknown as readonly Record<string, string>[]
      return readsOfView(row?.['Create View'] ?? '', new URL(address).pathname.slice(1))
    } catch {
      return null
    } finally {
      await connection.query('DROP VIEW IF EXISTS probe')
      await connection.end()
    }
  },
})

/**
 * The server writes a view's query with every name resolved: `shop`.`orders` `o`, `o`.`id`. An alias that also stands
 * behind a bracket is that of a subquery somewhere, and tells nothing.
 */
const readsOfView = (text: string, database: string): readonly string[] => {
  const tables = [...text.matchAll(/`([^`]+)`\.`([^`]+)`(?!\.)(?: `([^`]+)`)?/g)].filter(
    ([, schema]) => schema === database,
  )
  const known = new Map(tables.map(([, , table = '', alias]) => [alias ?? table, table]))
  for (const [, alias = ''] of text.matchAll(/\) `([^`]+)`/g)) known.delete(alias)
  const columns = [...text.matchAll(/`([^`]+)`\.`([^`]+)`/g)].flatMap(([, alias = '', column]) => {
    const table = known.get(alias)
    return table === undefined ? [] : [`${table}.${column}`]
  })
  return [...tables.map(([, , table = '']) => table), ...columns]
}

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
  readsOf: (address, sql) =>
    withClient(address, async client => {
      await client.query('begin')
      try {
        await client.query(`create view probe as select 1 as one from (${sql}) as asked`)
        const { rows } = await client.query<{ read: string }>(
          `select c.relname || coalesce('.' || a.attname, '') as read
           from pg_depend d
             join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
             join pg_class c on d.refclassid = 'pg_class'::regclass and c.oid = d.refobjid
             left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid and a.attnum > 0
           where r.ev_class = 'probe'::regclass and c.oid <> r.ev_class`,
        )
        return rows.map(({ read }) => read)
      } catch {
        return null
      } finally {
        await client.query('rollback')
      }
    }),
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
  readsOf: sqliteReads,
}

/** Worlds in DuckDB files. */
export const duckdbTricks: TrickServer = {
  name: 'duckdb',
  lists: { exclude: ['copies.email'], mask: ['copies.ssn'] },
  create: inFolders('duckdb', (path, statements) => makeDuckdbFile(path, statements.join(';\n'))),
  readsOf: duckdbReads,
}
