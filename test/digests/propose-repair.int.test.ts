import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFixByRule } from '../../graphs/answer/repair/fix-by-rule.ts'
import { takeSchemaSnapshot } from '../../graphs/answer/repair/renames/past-schema.ts'
import { proposeRenames } from '../../graphs/answer/repair/renames/propose-renames.ts'
import { daysOfPhrase } from '../../src/bootstrap/digests/use-cases.ts'
import { parseDatabaseReference } from '../../src/databases/database-reference.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../src/databases/open-database.ts'
import { findingOfTable, resultSimilarity } from '../../src/digests/findings.ts'
import { type AskAgain, makeProposeRepair } from '../../src/digests/propose-repair.ts'
import {
  parseRelativeSql,
  rebindPeriods,
  resolveRelativeSql,
} from '../../src/digests/relative-dates/relative-sql.ts'
import type { DigestQuestion } from '../../src/domain/digests/digest.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import { digestOf } from '../slack/listeners/digest-of.ts'

const today = '2026-11-23'

/** Both dialects read it: a table of what was sold, and one beside it. */
const shop = `create table sales (id integer primary key, section varchar(40) not null, city varchar(40), area varchar(40), pieces integer, day varchar(10));
  create table staff (id integer primary key, name varchar(40));
  insert into sales values (1, 'tools', 'Oslo', 'north', 4, '2026-11-16'), (2, 'paint', 'Kiel', 'south', 7, '2026-11-17'),
    (3, 'tools', 'Bergen', 'north', 2, '2026-11-18');`

interface Place {
  readonly reference: string
  readonly execute: (sql: string) => Promise<void>
  readonly remove: () => Promise<void>
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  SQLite: async () => {
    const { file, remove } = makeSqliteFile('select 1')
    const execute = async (sql: string): Promise<void> => {
      const owner = new DatabaseSync(file)
      owner.exec(sql)
      owner.close()
    }
    return { reference: `sqlite:${file}`, execute, remove: async () => remove() }
  },
  Postgres: async () => {
    const database = await createTestDatabase()
    const execute = async (sql: string): Promise<void> => {
      const owner = new Client({ connectionString: database.url })
      await owner.connect()
      await owner.query(sql).finally(() => owner.end())
    }
    return { reference: database.url, execute, remove: () => database.drop() }
  },
}

describe.each(Object.keys(places))('a statement whose schema changed on %s', name => {
  let location: Place
  beforeAll(async () => {
    location = await (places[name] as () => Promise<Place>)()
  })
  afterAll(() => location?.remove())

  const open = (): Promise<OpenDatabase> =>
    openDatabase(parseDatabaseReference(location.reference, { baseFolder: '/' }), {
      audit: silentAudit,
      guard: makeGuard(),
      limits: { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 },
    })

  /** Saves a statement, changes the schema, and looks for repairs. */
  const repair = async (
    { text, sql, change }: { readonly text: string; readonly sql: string; readonly change: string },
    askAnew: AskAgain | null = null,
  ) => {
    await location.execute(`drop table if exists sales; drop table if exists sold; drop table if exists sections;
      drop table if exists staff; ${shop}`)
    const before = await open()
    const { dialect, catalog, guard, run } = before.database
    const verdict = guard(sql)
    if (verdict.verdict !== 'allow') throw new Error('the statement of the test may not run')
    const table = await run(verdict.guarded)
    const understanding = understandQuestion(text, {
      now: () => new Date(`${today}T10:00:00Z`),
      timeZone: 'UTC',
    })
    const { statement } = parseRelativeSql(
      { sql, dialect, today, periods: understanding.spans },
      daysOfPhrase,
    )
    const question: DigestQuestion = {
      ...{ id: 'q1', text, database: 'shop', statement, fingerprint: catalog.fingerprint },
      known: takeSchemaSnapshot(sql, { catalog, dialect }, table) ?? undefined,
    }
    await location.execute(change)
    try {
      const broken = guard(sql)
      const error =
        broken.verdict === 'allow' ? await run(broken.guarded).catch((error: unknown) => error) : null
      expect(error).toMatchObject({ errorClass: expect.stringMatching(/unknown-(table|column)/) })
      const { errorClass, message } = error as { errorClass: 'unknown-column'; message: string }
      return await makeProposeRepair({
        proposeRenamings: proposeRenames,
        fixers: [makeFixByRule()],
        askAgain: askAnew,
        understand: understandQuestion,
        findPeriodsAgain: (past, text, dialect) => rebindPeriods(past, text, dialect, daysOfPhrase),
        resolveStatement: (statement, day) => resolveRelativeSql(statement, day, daysOfPhrase),
        readCatalog: () => before.readSchema(),
        lastFinding: async () => findingOfTable(table),
        findingOf: findingOfTable,
        resultLikeness: resultSimilarity,
      })({
        digest: digestOf(),
        paidBy: 'U1',
        question,
        database: before.database,
        errorClass,
        message,
        today,
      })
    } finally {
      await before.close()
    }
  }

  it('follows renamed columns', async () => {
    const sql = 'select section, sum(pieces) as n from sales group by section order by section'
    const change =
      'alter table sales rename column section to section_id; alter table sales rename column pieces to quantity'
    const { gone, proposals } = await repair({ text: 'pieces per section', sql, change })
    expect(gone).toEqual(['the column sales.section', 'the column sales.pieces'])
    expect(proposals).toMatchObject([
      {
        statement: {
          sql: 'select section_id, sum(quantity) as n from sales group by section_id order by section_id',
        },
        says: ['sales.section is now sales.section_id', 'sales.pieces is now sales.quantity'],
      },
    ])
  })

  it('follows a renamed table, and its period still moves', async () => {
    const sql = "select sum(pieces) as n from sales where day >= '2026-11-16' and day < '2026-11-23'"
    const change = 'alter table sales rename to sold; alter table sold rename column day to sold_on'
    const { gone, proposals } = await repair({ text: 'pieces sold last week', sql, change })
    expect(gone).toEqual(['the table sales'])
    expect(proposals).toHaveLength(1)
    expect(proposals[0]?.statement).toMatchObject({
      sql: "select sum(pieces) as n from sold where sold_on >= '2026-11-16' and sold_on < '2026-11-23'",
      periods: [{ phrase: 'last week', bounds: { length: 2 } }],
    })
  })

  it('joins the table that replaced a column, because its result matches', async () => {
    const sql = 'select section, sum(pieces) as n from sales group by section'
    const change = `create table sections (id integer primary key, name varchar(40) not null);
      insert into sections values (1, 'tools'), (2, 'paint');
      alter table sales add column section_id integer references sections (id);
      update sales set section_id = (select id from sections where name = section);
      alter table sales drop column section`
    const { proposals } = await repair({ text: 'pieces per section', sql, change })
    expect(proposals.map(({ statement }) => statement.sql)).toEqual([
      'select sections.name, sum(pieces) as n from sales left join sections on sections.id = sales.section_id group by sections.name',
    ])
  })

  it('uses the column with the same values if names do not help', async () => {
    const sql = 'select city, count(*) as n from sales group by city'
    const change = `alter table sales drop column city;
      alter table sales add column city_code varchar(40); alter table sales add column place_of_city varchar(40);
      update sales set city_code = 'x' || id,
        place_of_city = case id when 1 then 'Oslo' when 2 then 'Kiel' else 'Bergen' end`
    const { proposals } = await repair({ text: 'sales per city', sql, change })
    expect(proposals.map(({ statement }) => statement.sql)).toEqual([
      'select place_of_city, count(*) as n from sales group by place_of_city',
    ])
  })

  it('offers two repairs that are equally likely', async () => {
    const sql = 'select city, count(*) as n from sales group by city'
    const change = `alter table sales add column city_a varchar(40); alter table sales add column city_b varchar(40);
      update sales set city_a = city, city_b = city; alter table sales drop column city`
    const { proposals } = await repair({ text: 'sales per city', sql, change })
    expect(proposals.map(({ statement }) => statement.sql).sort()).toEqual([
      'select city_a, count(*) as n from sales group by city_a',
      'select city_b, count(*) as n from sales group by city_b',
    ])
  })

  it('reports the missing name if there is no repair', async () => {
    const sql = 'select city, count(*) as n from sales group by city'
    const found = await repair({ text: 'sales per city', sql, change: 'alter table sales drop column city' })
    expect(found).toEqual({ gone: ['the column sales.city'], proposals: [] })
  })

  it('asks the question again only if nothing fits, and proposes only what runs', async () => {
    const asked: string[] = []
    const askWith =
      (sql: string): AskAgain =>
      async ({ text }) => {
        asked.push(text)
        return { statement: { sql, today, periods: [] }, notes: ['It names fixed days.'] }
      }
    const sql = 'select city, count(*) as n from sales group by city'
    const dropped = { text: 'sales per city', sql, change: 'alter table sales drop column city' }
    const byArea = 'select area, count(*) as n from sales group by area'
    const anew = await repair(dropped, askWith(byArea))
    expect(anew.proposals).toMatchObject([
      {
        statement: { sql: byArea },
        says: [expect.stringContaining('asked the question again'), 'It names fixed days.'],
      },
    ])
    const broken = await repair(dropped, askWith('select nothing from nowhere'))
    expect(broken.proposals).toEqual([])
    const renamed = { ...dropped, change: 'alter table sales rename column city to town' }
    expect((await repair(renamed, askWith(byArea))).proposals).toMatchObject([
      { statement: { sql: 'select town, count(*) as n from sales group by town' } },
    ])
    expect(asked).toEqual(['sales per city', 'sales per city'])
    const failing: AskAgain = () => Promise.reject(new Error('the store is away'))
    expect((await repair(dropped, failing)).proposals).toEqual([])
  })
})
