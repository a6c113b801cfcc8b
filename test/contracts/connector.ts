import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Catalog } from '../../src/core/catalog.ts'
import type { Connector } from '../../src/core/connector.ts'
import type { GuardedSql } from '../../src/core/guarded-sql.ts'
import type { Cell, ResultColumn, ResultTable, RunLimits } from '../../src/core/result.ts'
import { SqlError, type SqlErrorClass } from '../../src/core/sql-error.ts'

/** What a connector's own test says of its dialect, and how it looks at its server from outside. */
export interface ConnectorSubject {
  readonly name: string
  /** Makes the harbour database (see `harbourCatalog`) and opens a connector on it. */
  readonly open: () => Promise<Connector>
  readonly cleanUp: () => Promise<void>
  /** How many statements of this connector its database is working on. */
  readonly runningStatements: () => Promise<number>
  /** How many connections or processes it holds. */
  readonly heldResources: () => Promise<number>
  /** One row with a value of every type that the database can give. */
  readonly typed: {
    readonly sql: string
    readonly columns: readonly ResultColumn[]
    readonly row: readonly Cell[]
  }
  /** Whether whoever `open` logs in as has rights to write; null where there are no users. */
  readonly roleCanWrite: boolean | null
  /** Runs for minutes, and takes no lock. */
  readonly runaway: string
  /** Numbers from 1 to `count`, one a row. */
  readonly numbers: (count: number) => string
  /** `count` rows of one text of `length` characters. */
  readonly texts: (length: number, count: number) => string
  /** Statements that must not do anything, each for a table that is there. */
  readonly writes: readonly string[]
  readonly errors: readonly (readonly [SqlErrorClass, string])[]
}

const limits: RunLimits = { timeoutMs: 20_000, maxRows: 1000, maxBytes: 1_000_000 }

/** Puts the brand on without asking the guard: a connector has to stand on its own feet. */
export const forgeGuardedSql = (sql: string, dialect: GuardedSql['dialect']): GuardedSql =>
  ({ sql, dialect }) as unknown as GuardedSql

const errorOf = async (promise: Promise<unknown>): Promise<SqlError> => {
  const outcome = await promise.then(
    () => 'nothing was thrown',
    error => error,
  )
  expect(outcome).toBeInstanceOf(SqlError)
  return outcome as SqlError
}

/** The tables of the harbour as every dialect must report them, with only what all of them can express. */
export const harbourCatalog = {
  tables: {
    busy_ports: { type: 'view', primaryKey: [], columns: ['port', 'stops'] },
    ports: { type: 'table', primaryKey: ['id'], columns: ['id', 'name', 'country', 'opened'] },
    ships: {
      type: 'table',
      primaryKey: ['id'],
      columns: ['id', 'name', 'home_port_id', 'tonnage', 'active', 'launched'],
    },
    stops: {
      type: 'table',
      primaryKey: ['id'],
      columns: ['id', 'ship_id', 'voyage_number', 'port_id', 'note'],
    },
    voyages: { type: 'table', primaryKey: ['ship_id', 'number'], columns: ['ship_id', 'number', 'departed'] },
  },
  kinds: {
    'ports.id': 'integer',
    'ports.name': 'text',
    'ports.opened': 'date',
    'ships.tonnage': 'number',
    'ships.active': 'boolean',
    'ships.launched': 'timestamp',
  },
  nullable: { 'ports.id': false, 'ports.name': false, 'ports.country': true },
  foreignKeys: [
    'ships(home_port_id) -> ports(id)',
    'stops(port_id) -> ports(id)',
    'stops(ship_id, voyage_number) -> voyages(ship_id, number)',
    'voyages(ship_id) -> ships(id)',
  ],
} as const

/** The rows of the harbour: plain SQL that both dialects read. */
export const harbourRows = `
  insert into ports values (1, 'Ålesund', 'Norway', '1848-01-01'), (2, 'Bilbao', null, null), (3, '長崎', 'Japan', '1571-06-01');
  insert into ships values (1, 'Gull', 1, 1200.50, true, '2001-05-06 10:00:00'), (2, 'Heron', 2, null, null, null);
  insert into voyages values (1, 1, '2024-01-01 06:00:00'), (1, 2, '2024-02-01 06:00:00'), (2, 1, null);
  insert into stops values (1, 1, 1, 3, 'it''s 100 %'), (2, 1, 2, 3, ''), (3, 2, 1, 1, null);
`

const describeKey = (key: Catalog['foreignKeys'][number]): string =>
  `${key.from.table}(${key.from.columns.join(', ')}) -> ${key.to.table}(${key.to.columns.join(', ')})`

/** Every implementation of `Connector` passes this (core/connector.ts). */
export const testConnector = (subject: ConnectorSubject): void => {
  describe(`${subject.name} as a connector`, () => {
    let connector: Connector
    beforeAll(async () => {
      connector = await subject.open()
    })
    afterAll(async () => {
      await connector.close()
      await subject.cleanUp()
    })

    const run = (
      sql: string,
      options: Partial<RunLimits> & { readonly signal?: AbortSignal } = {},
    ): Promise<ResultTable> =>
      connector.run(forgeGuardedSql(sql, connector.dialect), { ...limits, ...options })
    const nothingRuns = () =>
      vi.waitFor(async () => expect(await subject.runningStatements()).toBe(0), { timeout: 5000 })

    describe('values', () => {
      it('gives every type as core/result.ts says', async () => {
        const result = await run(subject.typed.sql)
        expect(result.rows).toEqual([subject.typed.row])
        expect(result.columns).toEqual(subject.typed.columns)
        expect(result.truncated).toBeNull()
        expect(result.milliseconds).toBeGreaterThan(0)
      })

      it('keeps NULL, empty text and Unicode apart and whole', async () => {
        const ports = await run('select name, country from ports order by id')
        expect(ports.rows).toEqual([
          ['Ålesund', 'Norway'],
          ['Bilbao', null],
          ['長崎', 'Japan'],
        ])
        expect((await run('select note from stops order by id')).rows).toEqual([["it's 100 %"], [''], [null]])
        expect((await run(`select '🚢' as ship`)).rows).toEqual([['🚢']])
      })

      it('keeps integers past 2^53 whole, and gives smaller ones as numbers', async () => {
        const result = await run('select 9007199254740991, 9007199254740993, -9223372036854775807')
        expect(result.rows).toEqual([[9007199254740991, 9007199254740993n, -9223372036854775807n]])
      })

      it('keeps columns of one name apart', async () => {
        const result = await run(
          'select a.id, b.id, a.name, b.name from ports a join ships b on b.home_port_id = a.id order by 1',
        )
        expect(result.columns.map(column => column.name)).toEqual(['id', 'id', 'name', 'name'])
        expect(result.rows[0]).toEqual([1, 1, 'Ålesund', 'Gull'])
      })

      it('names and types the columns of an empty result', async () => {
        const result = await run('select id, name from ports where id > 99')
        expect(result).toMatchObject({
          columns: [
            { name: 'id', kind: 'integer' },
            { name: 'name', kind: 'text' },
          ],
          rows: [],
          truncated: null,
        })
      })
    })

    describe('caps', () => {
      it('reads a result that just fits', async () => {
        const result = await run(subject.numbers(1000))
        expect(result.rows.length).toBe(1000)
        expect(result.truncated).toBeNull()
      })

      it('cuts at the row cap, and says so', async () => {
        const result = await run(subject.numbers(100_000), { maxRows: 250 })
        expect(result.rows.map(row => row[0])).toEqual(Array.from({ length: 250 }, (_, index) => index + 1))
        expect(result.truncated).toBe('rows')
      })

      it('reads many batches in order', async () => {
        const result = await run(subject.numbers(12_345), { maxRows: 20_000 })
        expect(result.rows.length).toBe(12_345)
        expect(result.rows.every((row, index) => row[0] === index + 1)).toBe(true)
      })

      it('cuts at the byte cap in front of the row that breaks it', async () => {
        const result = await run(subject.texts(1000, 5000), { maxRows: 10_000, maxBytes: 50_500 })
        expect(result.rows.length).toBe(50)
        expect(result.truncated).toBe('bytes')
      })

      it('gives no row when the first is too large', async () => {
        const result = await run(subject.texts(10_000, 2), { maxBytes: 9_999 })
        expect(result).toMatchObject({ rows: [], truncated: 'bytes' })
      })

      it('goes on after a cut result', async () => {
        await run(subject.numbers(100_000), { maxRows: 10 })
        expect((await run('select 7')).rows).toEqual([[7]])
        await nothingRuns()
      })
    })

    describe('stopping', () => {
      it('stops a statement that runs away, in the database too', async () => {
        const error = await errorOf(run(subject.runaway, { timeoutMs: 300 }))
        expect(error).toMatchObject({ code: 'database-error', errorClass: 'timeout' })
        await nothingRuns()
        expect((await run('select 1')).rows).toEqual([[1]])
      })

      it('stops one that has begun to give rows', async () => {
        const error = await errorOf(
          run(`select n from (${subject.numbers(2_000_000_000)}) endless`, {
            timeoutMs: 300,
            maxRows: 2_000_000_000,
            maxBytes: 2 ** 40,
          }),
        )
        expect(error.errorClass).toBe('timeout')
        await nothingRuns()
      })

      it('cancels by signal, in the database too', async () => {
        const controller = new AbortController()
        const running = errorOf(run(subject.runaway, { signal: controller.signal }))
        await vi.waitFor(async () => expect(await subject.runningStatements()).toBe(1), { timeout: 5000 })
        controller.abort()
        expect(await running).toMatchObject({ code: 'cancelled', errorClass: 'cancelled' })
        await nothingRuns()
        expect((await run('select 2')).rows).toEqual([[2]])
      })

      it('does not begin what was cancelled before', async () => {
        const error = await errorOf(run('select 1', { signal: AbortSignal.abort() }))
        expect(error.errorClass).toBe('cancelled')
      })

      it('cancels what still waits for its turn, and leaves the others alone', async () => {
        const running = new AbortController()
        const waiting = new AbortController()
        const busy = Array.from({ length: 8 }, () =>
          errorOf(run(subject.runaway, { signal: running.signal })),
        )
        const queued = errorOf(run('select 1', { signal: waiting.signal }))
        const patient = run('select 3')
        waiting.abort()
        expect((await queued).errorClass).toBe('cancelled')
        running.abort()
        expect((await Promise.all(busy)).map(error => error.errorClass)).toEqual(Array(8).fill('cancelled'))
        expect((await patient).rows).toEqual([[3]])
        await nothingRuns()
      })
    })

    describe('writing', () => {
      for (const sql of subject.writes) {
        it(`refuses: ${sql.slice(0, 60)}`, async () => {
          const before = await run('select * from ports order by id')
          expect((await errorOf(run(sql))).errorClass).toMatch(/^(permission|syntax)$/)
          expect((await run('select * from ports order by id')).rows).toEqual(before.rows)
        })
      }

      it('proves that it refuses, stops in time, and frees the database when cancelled', async () => {
        expect(await connector.tryWalls()).toEqual({
          refusesWrites: true,
          stopsAtTimeout: true,
          cancelFreesServer: true,
          roleCanWrite: subject.roleCanWrite,
        })
        await nothingRuns()
      })

      it('gives up trying its walls when told to', async () => {
        const error = await errorOf(connector.tryWalls({ signal: AbortSignal.abort() }))
        expect(error.errorClass).toBe('cancelled')
      })

      it('runs no second statement', async () => {
        expect((await errorOf(run('select 1; select 2'))).errorClass).toBe('syntax')
        expect((await errorOf(run('select 1; delete from stops'))).errorClass).toBe('syntax')
        expect((await run('select count(*) from stops')).rows).toEqual([[3]])
      })

      it('takes a semicolon and comments behind the one statement', async () => {
        expect((await run('select 1; -- the end\n /* really */ ;')).rows).toEqual([[1]])
      })
    })

    describe('errors', () => {
      for (const [errorClass, sql] of subject.errors) {
        it(`says ${errorClass} of: ${sql.slice(0, 70)}`, async () => {
          const error = await errorOf(run(sql))
          expect(error).toMatchObject({ code: 'database-error', errorClass })
          expect(error.driverCode).not.toBeNull()
          expect(error.message.length).toBeGreaterThan(5)
        })
      }

      it('keeps messages to one line of at most 500 characters', async () => {
        const error = await errorOf(run(`select "${'no\n'.repeat(1000)}x"."y" from ports`))
        expect(error.message.length).toBeLessThanOrEqual(500)
        expect(error.message).not.toContain('\n')
      })

      it('goes on after an error', async () => {
        await errorOf(run('select nonsense from nowhere'))
        expect((await run('select 1')).rows).toEqual([[1]])
      })
    })

    describe('planning', () => {
      it('explains a statement without running it', async () => {
        const plan = await connector.explain(
          forgeGuardedSql('select name from ports where id = 1', connector.dialect),
          limits,
        )
        expect(plan).toMatch(/ports/)
      })

      it('says what is wrong with one that cannot be planned', async () => {
        const error = await errorOf(
          connector.explain(forgeGuardedSql('select missing from ports', connector.dialect), limits),
        )
        expect(error.errorClass).toBe('unknown-column')
      })
    })

    describe('introspection', () => {
      let catalog: Catalog
      beforeAll(async () => {
        catalog = await connector.introspect()
      })

      it('lists tables and views with their columns and primary keys', () => {
        const found = Object.fromEntries(
          catalog.tables
            .filter(table => table.name in harbourCatalog.tables)
            .map(table => [
              table.name,
              {
                type: table.type,
                primaryKey: table.primaryKey,
                columns: table.columns.map(column => column.name),
              },
            ]),
        )
        expect(found).toEqual(harbourCatalog.tables)
        expect(catalog.dialect).toBe(connector.dialect)
        expect(catalog.tables.every(table => table.schema === null)).toBe(true)
      })

      it('gives columns their declared type, kind and nullability, and no profile', () => {
        const columns = Object.fromEntries(
          catalog.tables.flatMap(table =>
            table.columns.map(column => [`${table.name}.${column.name}`, column] as const),
          ),
        )
        const kinds = Object.keys(harbourCatalog.kinds).map(name => [name, columns[name]?.kind])
        expect(Object.fromEntries(kinds)).toEqual(harbourCatalog.kinds)
        const nullable = Object.keys(harbourCatalog.nullable).map(name => [name, columns[name]?.nullable])
        expect(Object.fromEntries(nullable)).toEqual(harbourCatalog.nullable)
        expect(columns['ports.name']?.type.toLowerCase()).toBe('text')
        expect(Object.values(columns).every(column => column.profile === null)).toBe(true)
      })

      it('lists foreign keys, those of several columns in matching order', () => {
        expect(catalog.foreignKeys.map(describeKey).sort()).toEqual(harbourCatalog.foreignKeys)
        expect(catalog.foreignKeys.every(key => key.source === 'declared' && key.inclusion === null)).toBe(
          true,
        )
      })

      it('has a fingerprint that stays as long as the schema does', async () => {
        expect(catalog.fingerprint).toMatch(/^[0-9a-f]{64}$/)
        expect((await connector.introspect()).fingerprint).toBe(catalog.fingerprint)
      })

      it('can be cancelled', async () => {
        const error = await errorOf(connector.introspect({ signal: AbortSignal.abort() }))
        expect(error.errorClass).toBe('cancelled')
      })
    })

    describe('at once', () => {
      it('answers ten statements, each with its own rows', async () => {
        const results = await Promise.all(
          Array.from({ length: 10 }, (_, index) => run(`select ${index}, name from ports where id = 1`)),
        )
        expect(results.map(result => result.rows)).toEqual(
          Array.from({ length: 10 }, (_, index) => [[index, 'Ålesund']]),
        )
      })

      it('keeps failures of some from the others', async () => {
        const results = await Promise.allSettled(
          Array.from({ length: 10 }, (_, index) => run(index % 2 === 0 ? `select ${index}` : 'select nope')),
        )
        expect(results.map(result => result.status)).toEqual(
          Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'fulfilled' : 'rejected')),
        )
      })
    })

    describe('closing', () => {
      it('ends what runs, holds nothing any more, and takes no more statements', async () => {
        const held = await subject.heldResources()
        expect(held).toBeGreaterThan(0)
        const running = errorOf(run(subject.runaway))
        await vi.waitFor(async () => expect(await subject.runningStatements()).toBe(1), { timeout: 5000 })
        await connector.close()
        expect((await running).errorClass).toBe('connection')
        await vi.waitFor(async () => expect(await subject.heldResources()).toBe(0), { timeout: 5000 })
        expect((await errorOf(run('select 1'))).errorClass).toBe('connection')
        await connector.close()
      })
    })
  })
}
