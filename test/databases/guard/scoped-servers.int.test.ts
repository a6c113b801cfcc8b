import { readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import mysql from 'mysql2/promise'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { makeScopedGuard } from '../../../src/databases/guard/scope/apply-scope.ts'
import { scopedDatabase } from '../../../src/databases/guard/scope/scoped-database.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import { createMysqlDatabase } from '../../helpers/services/mysql-database.ts'
import { requireService } from '../../helpers/services/require-service.ts'
import { createTestDatabase } from '../../helpers/test-database.ts'
import { makeDice, randomStatement } from './random-statement.ts'
import { fullScope, scopedCatalog, scopedSchema, scopedTables } from './scope-catalog.ts'

// The servers themselves say what a statement reads: a role may SELECT the open columns and no other, so whatever the
// guard allows must be allowed to the role as well. DuckDB has no roles: there the hidden values are changed, and
// whatever the guard allows must give the same rows.

const hiddenColumns = ['customers.email', 'people.name']

const scope = fullScope({ tables: { exclude: ['salaries'] }, columns: { exclude: hiddenColumns } })

const guardOf = (dialect: Dialect) =>
  makeScopedGuard(makeGuard(), { dialect, find: scopedDatabase(scopedCatalog(dialect), scope).find })

/** The open columns of the open tables and views. */
const open = scopedTables
  .filter(({ name }) => !['salaries', 'customer_contacts', 'pay'].includes(name))
  .map(({ name, columns }) => ({
    name,
    columns: columns.filter(column => !hiddenColumns.includes(`${name}.${column}`)),
  }))

const deniedForHidden =
  /denied .*(?:column 'email' in table 'customers'|column 'name' in table 'people'|table .*salaries)/

/** The corpus of a dialect, as far as it is about this scope's hidden column, and the random statements. */
const statementsFor = (dialect: Dialect, count: number): readonly string[] => {
  const corpus = readFileSync(new URL('../../../fixtures/guard/scoped.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { dialect: Dialect; sql: string })
    .filter(line => line.dialect === dialect)
    .map(({ sql }) => sql)
  const random = Array.from({ length: count }, (_, seed) =>
    randomStatement(makeDice(seed), {
      lateral: dialect !== 'sqlite' && dialect !== 'mysql',
      rows: dialect === 'postgres' || dialect === 'duckdb',
    }),
  )
  // Where only the number of rows counts the guard lets a star pass, and servers ask for every column all the same.
  return [...corpus, ...random].filter(sql => !/EXISTS \(SELECT [^()]*\*/.test(sql))
}

describe('what a scope allows', () => {
  test('a Postgres role that may read the open columns alone can run', async () => {
    await using database = await createTestDatabase()
    const client = new Client({ connectionString: database.url })
    await client.connect()
    const role = `scoped_${database.url.split('_').at(-1)}`
    const guard = guardOf('postgres')
    const counts = { allowed: 0, refused: 0 }
    try {
      for (const statement of scopedSchema) await client.query(statement)
      await client.query(`CREATE ROLE ${role}`)
      for (const { name, columns } of open)
        await client.query(`GRANT SELECT (${columns.join(', ')}) ON ${name} TO ${role}`)
      await client.query(`SET ROLE ${role}`)
      for (const sql of statementsFor('postgres', 3_000)) {
        const code = await client.query(`EXPLAIN ${sql}`).then(
          () => null,
          (error: { code?: string }) => error.code ?? 'unknown',
        )
        const isAllowed = guard(sql, 'postgres').verdict === 'allow'
        expect(isAllowed && code === '42501', sql).toBe(false)
        if (isAllowed && code === null) counts.allowed += 1
        if (!isAllowed && code === '42501') counts.refused += 1
      }
    } finally {
      await client.query('RESET ROLE')
      await client.query(`DROP OWNED BY ${role}`).catch(() => {})
      await client.query(`DROP ROLE IF EXISTS ${role}`)
      await client.end()
    }
    expect(counts.allowed).toBeGreaterThan(100)
    expect(counts.refused).toBeGreaterThan(100)
  }, 120_000)

  const mysqlUrl = requireService('MYSQL_URL', 'scopes on MariaDB and MySQL')

  test.skipIf(mysqlUrl === null)(
    'a MariaDB user who may read the open columns alone can run',
    async () => {
      const database = await createMysqlDatabase(mysqlUrl ?? '')
      const user = `scoped_${database.name.slice(-12)}`
      const guard = guardOf('mysql')
      const counts = { allowed: 0, refused: 0 }
      try {
        for (const statement of scopedSchema) await database.admin(statement)
        await database.admin(`CREATE USER ${user}@'%' IDENTIFIED BY 'scoped'`)
        for (const { name, columns } of open)
          await database.admin(
            `GRANT SELECT (${columns.join(', ')}) ON ${database.name}.${name} TO ${user}@'%'`,
          )
        const url = new URL(database.url)
        const connection = await mysql.createConnection({
          host: url.hostname,
          port: Number(url.port || 3306),
          user,
          password: 'scoped',
          database: database.name,
        })
        try {
          for (const sql of statementsFor('mysql', 2_000)) {
            const code = await connection.query({ sql: `PREPARE s FROM ?`, values: [sql] }).then(
              () => null,
              (error: Error) => error.message,
            )
            // It also denies columns that are not there at all, which tell nothing.
            const isDenied = code !== null && deniedForHidden.test(code)
            const isAllowed = guard(sql, 'mysql').verdict === 'allow'
            expect(isAllowed && isDenied, sql).toBe(false)
            if (isAllowed && code === null) counts.allowed += 1
            if (!isAllowed && isDenied) counts.refused += 1
          }
        } finally {
          await connection.end()
          await database.admin(`DROP USER ${user}@'%'`)
        }
      } finally {
        await database.drop()
      }
      expect(counts.allowed).toBeGreaterThan(100)
      expect(counts.refused).toBeGreaterThan(100)
    },
    120_000,
  )

  test('gives the same rows in DuckDB whatever the hidden columns hold', async () => {
    const guard = guardOf('duckdb')
    const [one, other] = await Promise.all([fill('a'), fill('b')])
    const counts = { same: 0, different: 0 }
    for (const sql of statementsFor('duckdb', 2_000)) {
      const [rows, others] = await Promise.all([one(sql), other(sql)])
      if (rows === null || others === null) continue
      const isAllowed = guard(sql, 'duckdb').verdict === 'allow'
      if (isAllowed) {
        expect(rows, sql).toEqual(others)
        counts.same += 1
      } else if (rows !== others) counts.different += 1
    }
    expect(counts.same).toBeGreaterThan(100)
    expect(counts.different).toBeGreaterThan(100)
  }, 120_000)
})

/** Two of these differ in nothing but the values that are hidden. Gives the rows as sorted text, null on an error. */
const fill = async (hidden: string): Promise<(sql: string) => Promise<string | null>> => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  for (const statement of scopedSchema) await connection.run(statement)
  for (let row = 1; row <= 4; row += 1)
    for (const { name, columns, query } of scopedTables) {
      if (query !== undefined) continue
      const values = columns.map(column => {
        const isHidden = name === 'salaries' || hiddenColumns.includes(`${name}.${column}`)
        // Nobody manages themselves: the corpus walks up the managers until there is none.
        if (column === 'manager_id') return row - 1
        if (/(?:^|_)id$|^amount$/.test(column)) return isHidden && hidden === 'b' ? row + 7 : row
        return `'${isHidden ? hidden : 'v'}${row}'`
      })
      await connection.run(`INSERT INTO ${name} VALUES (${values.join(', ')})`)
    }
  return async sql => {
    try {
      const rows = await (await connection.runAndReadUntil(sql, 500)).getRowsJson()
      return JSON.stringify(rows.map(row => JSON.stringify(row)).sort())
    } catch {
      return null
    }
  }
}
