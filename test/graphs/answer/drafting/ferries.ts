import { draftBreakdown } from '../../../../graphs/answer/drafting/parser-path.ts'
import { formatBreakdown } from '../../../../graphs/answer/headline.ts'
import { makeGuard } from '../../../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../../../src/databases/open-database.ts'
import type { ChainLink, FollowUpInterpretation } from '../../../../src/domain/conversation.ts'
import type { Database } from '../../../../src/domain/database.ts'
import { silentAudit } from '../../../../src/domain/operations/audit.ts'
import type { ResultTable } from '../../../../src/domain/result.ts'
import { makeReadFollowUp } from '../../../../src/parser/follow-up/read-follow-up.ts'
import { makeParseQuestion } from '../../../../src/parser/interpret-question.ts'
import { trainedModel } from '../../../../src/parser/rank/model.ts'
import { understandQuestion } from '../../../../src/parser/understand/understand-question.ts'
import { makeSqliteFile } from '../../../helpers/sqlite-file.ts'
import { createTestDatabase } from '../../../helpers/test-database.ts'
import { withClient } from '../../../helpers/with-client.ts'

/** How many tickets were sold in a month for a ferry, and where. */
type Sold = readonly [month: string, ferry: number, channel: 'desk' | 'web', count: number]

/**
 * From February to March 2026 the western route falls from 40 tickets to 10, both its ferries alike; the eastern stays
 * at 20, and desk and web sell half each of everything. In April all of them double.
 */
const sold: readonly Sold[] = [
  ['2026-02', 1, 'desk', 10],
  ['2026-02', 1, 'web', 10],
  ['2026-02', 3, 'desk', 10],
  ['2026-02', 3, 'web', 10],
  ['2026-02', 2, 'desk', 10],
  ['2026-02', 2, 'web', 10],
  ['2026-03', 1, 'desk', 3],
  ['2026-03', 1, 'web', 2],
  ['2026-03', 3, 'desk', 2],
  ['2026-03', 3, 'web', 3],
  ['2026-03', 2, 'desk', 10],
  ['2026-03', 2, 'web', 10],
  ['2026-04', 1, 'desk', 6],
  ['2026-04', 1, 'web', 4],
  ['2026-04', 3, 'desk', 4],
  ['2026-04', 3, 'web', 6],
  ['2026-04', 2, 'desk', 20],
  ['2026-04', 2, 'web', 20],
]

const statements = (): string => {
  let id = 0
  const rows = sold.flatMap(([month, ferry, channel, count]) =>
    Array.from({ length: count }, (_, at) => {
      id += 1
      // Every fourth ticket is of no promotion: a split by it must not lose them.
      const promotion = id % 4 === 0 ? 'null' : id % 2 === 0 ? '1' : '2'
      return `(${id}, ${ferry}, '${channel}', ${promotion}, '${month}-${String((at % 27) + 1).padStart(2, '0')}', 10)`
    }),
  )
  return `
    create table ferries (id integer primary key, name text not null, route text not null);
    create table promotions (id integer primary key, code text not null);
    create table tickets (
      id integer primary key,
      ferry_id integer not null references ferries (id),
      channel text not null,
      promotion_id integer references promotions (id),
      sold_on date not null,
      price integer not null
    );
    insert into ferries values (1, 'Skua', 'western'), (2, 'Tern', 'eastern'), (3, 'Gull', 'western');
    insert into promotions values (1, 'SUNNY'), (2, 'WINDY');
    insert into tickets values ${rows.join(', ')};
  `
}

const openOptions = {
  audit: silentAudit,
  guard: makeGuard(),
  limits: { timeoutMs: 5_000, maxRows: 100, maxBytes: 100_000 },
}

/** The ferries' tickets in a database of one's own, opened and indexed. */
export const openFerries = async (
  dialect: 'sqlite' | 'postgres',
): Promise<{ readonly database: Database; close(): Promise<void> }> => {
  if (dialect === 'sqlite') {
    const made = makeSqliteFile(statements())
    const opened = await openDatabase(
      { dialect: 'sqlite', name: 'ferries', location: made.file },
      openOptions,
    )
    return closing(opened, async () => made.remove())
  }
  const made = await createTestDatabase()
  await withClient(made.url, client => client.query(statements()))
  const opened = await openDatabase({ dialect: 'postgres', name: 'ferries', location: made.url }, openOptions)
  return closing(opened, () => made.drop())
}

const closing = (opened: OpenDatabase, remove: () => Promise<void>) => ({
  database: opened.database,
  close: async () => {
    await opened.close()
    await remove()
  },
})

const askedAt = '2026-05-20T12:00:00Z'

const clock = { now: () => new Date(askedAt), timeZone: 'UTC' }

const parse = makeParseQuestion(trainedModel)

const readFollowUp = makeReadFollowUp(trainedModel, understandQuestion)

/** Reads the last of some messages after a question; each before it was answered by its first reading. */
export const readWhy = (
  database: Database,
  first: string,
  ...said: readonly string[]
): FollowUpInterpretation => {
  const { catalog, findValues } = database
  const [answer] = parse({ understanding: understandQuestion(first, clock), catalog, findValues })
  let chain: readonly ChainLink[] = [{ text: first, askedAt, sql: answer?.sql ?? '' }]
  let reading: FollowUpInterpretation = { kind: 'new' }
  for (const text of said) {
    reading = readFollowUp({
      followUp: { said: text, askedAt, before: first, chain, confidence: 0.9 },
      catalog,
      findValues,
      timeZone: 'UTC',
    })
    const sql = reading.kind === 'edit' ? (reading.readings[0]?.sql ?? '') : ''
    chain = [...chain, { text, askedAt, sql }]
  }
  return reading
}

/** What a breakdown comes to: its headline, rows and assumptions, and how many statements were run for it. */
export const breakDown = async (
  database: Database,
  first: string,
  ...said: readonly string[]
): Promise<{
  readonly headline: string | null
  readonly table: ResultTable
  readonly assumptions: readonly string[]
  readonly sql: string
  readonly runs: number
}> => {
  const read = readWhy(database, first, ...said)
  if (read.kind !== 'breakdown') throw new Error(`read as ${JSON.stringify(read)}`)
  let runs = 0
  const run: Database['run'] = (guarded, options) => {
    runs += 1
    return database.run(guarded, options)
  }
  const { sql, assumptions } = await draftBreakdown(read, { guard: database.guard, run }, {})
  const verdict = database.guard(sql)
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  const table = await database.run(verdict.guarded)
  return { headline: formatBreakdown(read.plan, sql, table), table, assumptions, sql, runs }
}
