import { parseSchedule } from '../../../src/digests/schedule/parse-schedule.ts'
import type { Digest, DigestPart, DigestQuestion, DigestRepair } from '../../../src/domain/digests/digest.ts'
import type { HomeDigests } from '../../../src/slack/views/home.ts'

const read = parseSchedule('every weekday at 09:00', 'Europe/Berlin')

if (read.status !== 'read') throw new Error('the schedule of the test is not read')

export const digestQuestion: DigestQuestion = {
  id: '0d444840-9dc0-11d1-b245-5ffdce74fad2',
  text: 'how many orders were placed last week?',
  database: 'shop/finance',
  statement: {
    sql: "SELECT count(*) FROM orders WHERE placed_on >= '2026-11-09' AND placed_on < '2026-11-16'",
    today: '2026-11-18',
    periods: [{ phrase: 'last week', bounds: [{ bound: 'from', at: [46, 58] }] }],
  },
  fingerprint: 'f1',
}

/** A digest that runs, but for what is given. */
export const digestOf = (given: Partial<Digest> = {}): Digest => ({
  id: '1d444840-9dc0-11d1-b245-5ffdce74fad2',
  team: 'T1',
  owner: 'U0000AAA1',
  title: 'Orders of the week',
  questions: [digestQuestion],
  schedule: read.schedule,
  condition: { kind: 'always' },
  target: { kind: 'channel', channel: 'C0000SAL1' },
  pause: null,
  nextDue: new Date('2026-11-23T08:00:00Z'),
  failures: 0,
  createdAt: new Date('2026-11-18T12:00:00Z'),
  repair: null,
  ...given,
})

/** A question that ran: one number, but for what is given. */
export const partOf = (
  given: Partial<Extract<DigestPart, { status: 'ran' }>> = {},
): Extract<DigestPart, { status: 'ran' }> => ({
  status: 'ran',
  question: digestQuestion,
  sql: digestQuestion.statement.sql,
  headline: '1,204 orders',
  table: {
    columns: [{ name: 'orders', kind: 'integer' }],
    rows: [[1_204]],
    truncated: null,
    milliseconds: 1,
  },
  periods: ['last week: Nov 9 to 15, 2026'],
  change: { kind: 'number', before: 1_075, now: 1_204, percent: 12 },
  since: new Date('2026-11-09T08:00:00Z'),
  ...given,
})

export const repair: DigestRepair = {
  questionId: digestQuestion.id,
  reason: 'The column placed_on of orders is gone; ordered_on is the nearest.',
  statement: {
    ...digestQuestion.statement,
    sql: "SELECT count(*) FROM orders WHERE ordered_on >= '2026-11-09' AND ordered_on < '2026-11-16'",
  },
  proposedAt: new Date('2026-11-20T08:00:00Z'),
}

const at = new Date('2026-11-20T08:00:00Z')

/** One page of App Home with a digest in every state, pages before and after it. */
export const homeDigests: HomeDigests = {
  all: true,
  total: 1_000,
  offset: 10,
  digests: [
    digestOf(),
    digestOf({
      title: 'Big <days> & *more*',
      questions: [digestQuestion, { ...digestQuestion, id: '2d444840-9dc0-11d1-b245-5ffdce74fad2' }],
      target: { kind: 'person', person: 'U0000AAA1' },
      condition: { kind: 'above', value: 1_000 },
      failures: 2,
    }),
    digestOf({ pause: { why: 'by-person', by: 'U0000BBB2', at }, nextDue: null }),
    digestOf({ pause: { why: 'failed', reason: 'The database is away.', at }, nextDue: null, failures: 3 }),
    digestOf({ pause: { why: 'not-allowed', reason: 'Guests may not ask.', at }, nextDue: null }),
    digestOf({ pause: { why: 'schema', reason: repair.reason, at }, nextDue: null, repair }),
  ],
}

/** Of somebody who has none. */
export const noDigests: HomeDigests = { all: false, total: 0, offset: 0, digests: [] }
