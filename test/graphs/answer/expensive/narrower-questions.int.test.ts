import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { offerNarrowerQuestions } from '../../../../graphs/answer/expensive/narrower-questions.ts'
import { limitToNewest, parseNewestRowsRequest } from '../../../../graphs/answer/expensive/newest-rows.ts'
import { parseDatabaseReference } from '../../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../../../src/databases/open-database.ts'
import { silentAudit } from '../../../../src/domain/operations/audit.ts'
import { makeSqliteFile } from '../../../helpers/sqlite-file.ts'
import { createTestDatabase } from '../../../helpers/test-database.ts'

const ROWS = 20_000

const LIMIT = 10_000

const kindOf = "case i % 10 when 0 then 'refund' when 1 then 'return' when 2 then 'swap' else 'sale' end"

/** A row an hour up to the day of the question; `plain` has no dates, and what it holds is in no index but its key. */
const schema = (numbers: string, moment: string) => `
  create table events (id integer primary key, kind text, happened_on date);
  insert into events select i, ${kindOf}, ${moment} from ${numbers};
  create index events_happened_on on events (happened_on);
  create table things (id integer primary key, kind text, weight integer);
  insert into things select i, ${kindOf}, i % 977 from ${numbers};
  create index things_kind on things (kind);
  create table plain (id integer primary key, weight integer);
  insert into plain select i, i % 977 from ${numbers};
  create table keyless (weight integer);
  insert into keyless select i % 977 from ${numbers};
`

const makePostgres = async () => {
  const database = await createTestDatabase({ on: 'embedded' })
  const client = new Client({ connectionString: database.url })
  await client.connect()
  const moment = "date '2026-03-02' - ((20000 - i) / 24)"
  await client.query(schema(`generate_series(1, ${ROWS}) as i`, moment))
  await client.query('vacuum analyze')
  await client.end()
  return { reference: database.url, remove: () => database.drop() }
}

const makeSqlite = () => {
  const numbers = `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS}) select i from n)`
  const { file, remove } = makeSqliteFile(
    `${schema(numbers, "date('2026-03-02', '-' || ((20000 - i) / 24) || ' days')")} analyze;`,
  )
  return { reference: `sqlite:${file}`, remove }
}

describe.each(['postgres', 'sqlite'] as const)('narrowing a heavy question on %s', kind => {
  let opened: OpenDatabase
  let remove: () => Promise<void> | void
  beforeAll(async () => {
    const made = kind === 'postgres' ? await makePostgres() : makeSqlite()
    remove = made.remove
    opened = await openDatabase(parseDatabaseReference(made.reference, { baseFolder: '/' }), {
      ...{ audit: silentAudit, guard: makeGuard(), heavyRows: LIMIT },
      limits: { timeoutMs: 30_000, maxRows: 20, maxBytes: 1_000_000 },
    })
  })
  afterAll(async () => {
    await opened.close()
    await remove()
  })

  const narrow = (sql: string, question: string, namesPeriod = false) =>
    offerNarrowerQuestions({
      heavy: { sql },
      question,
      namesPeriod,
      today: '2026-03-02',
      database: opened.database,
    })

  /** The rows that each offered question reads. */
  const offeredRows = ({ why }: Awaited<ReturnType<typeof narrow>>): readonly number[] =>
    why.code === 'narrower' ? why.offered.map(({ rows }) => rows) : []

  it('offers periods where the table has dates in an index, each with what it would read', async () => {
    const offer = await narrow('select count(*) from events', 'How many events are there?')
    const { nearest } = offer
    expect(nearest).toEqual([
      'How many events are there in the last 30 days?',
      'How many events are there in the last 7 days?',
      'How many events are there from yesterday?',
    ])
    const said = offeredRows(offer)
    expect(said).toHaveLength(3)
    // 24 rows a day; what the plan takes them for may be off, but in the right order and far from all.
    expect(said[0]).toBeGreaterThan(300)
    expect(said[0]).toBeLessThan(2_000)
    expect(said[1]).toBeLessThan(said[0] as number)
  })

  it('offers common values where there are no dates, or the question names a period, but no value that is too much', async () => {
    const offer = await narrow('select sum(weight) from things', 'What is the total weight?')
    const { nearest } = offer
    // Seven in ten are sales, which is more than may be read.
    expect(nearest?.toSorted()).toEqual([
      'What is the total weight where the kind is refund?',
      'What is the total weight where the kind is return?',
      'What is the total weight where the kind is swap?',
    ])
    for (const rows of offeredRows(offer)) expect(Math.abs(rows - 2_000)).toBeLessThan(1_000)
    const named = await narrow(
      'select id, kind from events',
      'Show the kinds of the events of this year',
      true,
    )
    // It is about kinds itself: what is left are the newest rows.
    expect(named.nearest?.[0]).toBe(
      'Show the kinds of the events of this year, looking only at the newest 1,000 rows of events',
    )
  })

  it('offers the newest rows where nothing else is lighter, and reads no more than those', async () => {
    const sql = 'select weight from plain order by weight'
    const offer = await narrow(sql, 'Which weights are there?')
    const { nearest = [] } = offer
    expect(nearest).toEqual([
      'Which weights are there, looking only at the newest 1,000 rows of plain?',
      'Which weights are there, looking only at the newest 100 rows of plain?',
      'Which weights are there, looking only at the newest 10 rows of plain?',
    ])
    for (const [at, rows] of offeredRows(offer).entries())
      expect(rows).toBeLessThanOrEqual([1_100, 110, 20][at] as number)
    const said = parseNewestRowsRequest(nearest[1] ?? '', opened.database.catalog)
    expect(said?.plain).toBe('Which weights are there?')
    // A button that was posted by an earlier version means the same.
    const before = parseNewestRowsRequest(
      'how many are there only the newest 100 rows of plain?',
      opened.database.catalog,
    )
    expect(before?.plain).toBe('how many are there?')
    const draft = { sql, lineage: '', prior: 1, decisions: [], assumptions: [], unused: null }
    const narrowed = limitToNewest(draft, said?.newestRows ?? null, opened.database.catalog)
    expect(narrowed.assumptions).toEqual(['I read only the newest 100 rows of plain, by id.'])
    const verdict = opened.database.guard(narrowed.sql)
    if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
    // Not too heavy, so that nobody is asked.
    const { rows, truncated } = await opened.database.run(verdict.guarded)
    expect([rows.length, truncated]).toEqual([20, 'rows'])
    const counted = opened.database.guard(`select count(*) from (${narrowed.sql}) as newest`)
    if (counted.verdict === 'refuse') throw new Error(counted.reason)
    expect(Number((await opened.database.run(counted.guarded)).rows[0]?.[0])).toBe(100)
  })

  it.each([
    'select count(*) from plain',
    'select weight from plain group by weight',
    'select distinct weight from plain',
    'select id from plain where weight > (select avg(weight) from plain)',
  ])('does not offer the newest rows where rows are put together: %s', async sql => {
    expect((await narrow(sql, 'How many are there?')).nearest).toEqual([])
  })

  it('offers nothing where nothing would be lighter, and says so', async () => {
    expect(await narrow('select max(weight) from keyless', 'What is the largest weight?')).toMatchObject({
      nearest: [],
      why: { code: 'narrower', offered: [] },
    })
  })
})
