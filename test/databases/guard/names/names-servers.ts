import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDuckdbFile } from '../../../helpers/duckdb-file.ts'
import { createMysqlDatabase } from '../../../helpers/services/mysql-database.ts'
import { makeSqliteFile } from '../../../helpers/sqlite-file.ts'
import { withClient } from '../../../helpers/with-client.ts'
import type { Grammar } from './grammar.ts'
import { duckdbGrammar } from './grammars/duckdb.ts'
import { mysqlGrammar } from './grammars/mysql.ts'
import { postgresGrammar } from './grammars/postgres.ts'
import { sqliteGrammar } from './grammars/sqlite.ts'
import type { WorldForm } from './names-world.ts'

/** A database that was made of statements. */
export interface MadeDatabase {
  readonly address: string
  /** What `{db}` stands for in a statement. */
  readonly name: string
  readonly drop: () => Promise<void>
}

/** A server on which worlds are made. */
export interface NamesServer {
  readonly grammar: Grammar
  readonly form: WorldForm
  readonly create: (statements: readonly string[]) => Promise<MadeDatabase>
  /** What rows of its system tables hold, and rows of worlds do not. */
  readonly systemMarks: RegExp
  /** How many statements it takes at once. */
  readonly atOnce: number
}

const plainForm: WorldForm = { int: 'integer', text: 'varchar(100)', suffix: '', struct: null }

/** SQLite, in files. */
export const sqliteServer: NamesServer = {
  grammar: sqliteGrammar,
  systemMarks: /CREATE TABLE|sqlite_|\.sqlite\b/,
  form: plainForm,
  atOnce: 4,
  create: async statements => {
    const { file, remove } = makeSqliteFile(statements.join(';\n'))
    return { address: `sqlite:${file}`, name: 'main', drop: async () => remove() }
  },
}

/** DuckDB, in files. */
export const duckdbServer: NamesServer = {
  grammar: duckdbGrammar,
  systemMarks: /CREATE TABLE|duckdb_|\.duckdb\b|information_schema|access_mode/,
  form: {
    ...plainForm,
    struct: {
      type: 'STRUCT(width integer, label varchar, pin integer)',
      value: (width, label) => `{'width': ${width}, 'label': '${label}', 'pin': ${width}}`,
    },
  },
  atOnce: 4,
  create: async statements => {
    const folder = mkdtempSync(join(tmpdir(), 'querent-names-'))
    const file = join(folder, 'world.duckdb')
    await makeDuckdbFile(file, statements.join(';\n'))
    return {
      address: `duckdb:${file}`,
      name: 'world',
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    }
  },
}

/** Databases of a Postgres server; `adminUrl` is a superuser's. */
export const postgresServer = (adminUrl: string): NamesServer => ({
  grammar: postgresGrammar,
  systemMarks: /SCRAM|pg_|\bpostgres\b|information_schema/,
  form: plainForm,
  atOnce: 4,
  create: async statements => {
    const name = `querent_names_${randomBytes(8).toString('hex')}`
    await withClient(adminUrl, admin => admin.query(`create database ${name}`))
    const url = new URL(adminUrl)
    url.pathname = `/${name}`
    await withClient(url.href, async client => {
      for (const statement of statements) await client.query(statement)
    })
    return {
      address: url.href,
      name,
      drop: async () => {
        await withClient(adminUrl, admin => admin.query(`drop database if exists ${name} with (force)`))
      },
    }
  },
})

/** Databases of a MySQL or MariaDB server; `adminUrl` is a user's who may create them. */
export const mysqlServer = (adminUrl: string): NamesServer => ({
  grammar: mysqlGrammar,
  systemMarks: /mariadb|mysql|\broot\b|information_schema|localhost/,
  form: plainForm,
  atOnce: 4,
  create: async statements => {
    const made = await createMysqlDatabase(adminUrl)
    for (const statement of statements) await made.admin(statement)
    return { address: made.url, name: made.name, drop: made.drop }
  },
})
