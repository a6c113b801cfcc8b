import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SqlError } from '../../../src/domain/errors.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import { forgeGuardedSql } from '../../helpers/forge-guarded-sql.ts'
import { requireService } from '../../helpers/services/require-service.ts'
import { openDuckdb } from './safeguards/open-duckdb.ts'
import { openMysql } from './safeguards/open-mysql.ts'
import { openPostgres } from './safeguards/open-postgres.ts'
import { openSqlite } from './safeguards/open-sqlite.ts'
import {
  hostileStatements,
  type SafeguardCase,
  type SafeguardSubject,
} from './safeguards/safeguard-subject.ts'

/**
 * What stands when the guard does not: every hostile statement of the corpus is really run through the connector, as
 * the user whom a team would configure, and apart from that as one who may do anything.
 */
const mysqlUrl = requireService('MYSQL_URL', 'the second wall of MySQL')

const cases: readonly SafeguardCase[] = [
  { name: 'Postgres as a reader', dialect: 'postgres', open: () => openPostgres('reader') },
  { name: 'Postgres as its superuser', dialect: 'postgres', open: () => openPostgres('superuser') },
  { name: 'SQLite', dialect: 'sqlite', open: openSqlite },
  { name: 'DuckDB', dialect: 'duckdb', open: openDuckdb },
  ...(mysqlUrl === null
    ? []
    : ([
        { name: 'MySQL as a reader', dialect: 'mysql', open: () => openMysql(mysqlUrl, 'reader') },
        { name: 'MySQL as its superuser', dialect: 'mysql', open: () => openMysql(mysqlUrl, 'superuser') },
      ] as const)),
]

const limits = { timeoutMs: 300, maxRows: 100, maxBytes: 100_000 }

/** Past the limit a connector has grace to cancel in; a statement that is still held then has hung. */
const hungMs = 15_000

const outcomeOf = async ({ connector }: SafeguardSubject, sql: string, dialect: Dialect): Promise<string> => {
  try {
    await connector.run(forgeGuardedSql(sql, dialect), limits)
    return 'ran'
  } catch (error) {
    if (error instanceof SqlError) return error.errorClass
    throw error
  }
}

describe.each(cases)('the second wall: $name', ({ name, dialect, open }) => {
  // Every role can write here, so that only the safeguards prevent it.
  const folder = mkdtempSync(join(tmpdir(), 'querent-loot-'))
  chmodSync(folder, 0o777)
  const outcomes = new Map<string, number>()
  let subject: SafeguardSubject
  let before: string
  beforeAll(async () => {
    subject = await open(folder)
    before = await subject.look()
  })
  afterAll(async () => {
    const counts = [...outcomes].sort(([, a], [, b]) => b - a).map(([outcome, n]) => `${n} ${outcome}`)
    console.info(`${name}: ${counts.join(', ')}`)
    await subject.close()
    rmSync(folder, { recursive: true })
  }, 90_000)

  const run = (sql: string): Promise<string> => outcomeOf(subject, sql, dialect)

  test.each(hostileStatements(dialect, folder).map(sql => [sql.slice(0, 100), sql] as const))(
    'holds against %s',
    async (_, sql) => {
      const outcome = await run(sql)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      expect(await subject.look()).toBe(before)
      expect(readdirSync(folder)).toEqual([])
      expect(await run('select 1')).toBe('ran')
    },
    hungMs,
  )
})

/** What the transaction does not hold back, and rights do: docs/security.md lists it, and `doctor` says who has them. */
describe('files of the server, past the guard', () => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-loot-'))
  chmodSync(folder, 0o777)
  const statements = [`select lo_export(16400, '${folder}/loot')`, "select pg_read_file('/etc/hostname')"]
  afterAll(() => rmSync(folder, { recursive: true }))

  test.each([
    ['reader', ['permission', 'permission'], []],
    ['superuser', ['ran', 'ran'], ['loot']],
  ] as const)('are closed to a reader and open to a superuser: %s, %j', async (as, expected, files) => {
    const subject = await openPostgres(as)
    try {
      const outcomes = []
      for (const sql of statements) outcomes.push(await outcomeOf(subject, sql, 'postgres'))
      expect(outcomes).toEqual(expected)
      expect(readdirSync(folder)).toEqual(files)
      expect(await subject.connector.checkSafeguards()).toMatchObject({ roleCanWrite: as === 'superuser' })
    } finally {
      await subject.close()
    }
  })
})
