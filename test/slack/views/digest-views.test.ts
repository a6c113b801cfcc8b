import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type {
  DigestNotice,
  DigestPart,
  DigestPost,
  DigestQuestion,
  FindingChange,
} from '../../../src/domain/digests/digest.ts'
import { checkBlocks, checkMessage } from '../../../src/slack/block-kit/blocks.ts'
import type { Modal } from '../../../src/slack/block-kit/modal.ts'
import { slackLimits } from '../../../src/slack/block-kit/schema.ts'
import { changeText } from '../../../src/slack/copy/digest.ts'
import { digestToFields } from '../../../src/slack/views/digests/form.ts'
import { readDigestKey, readRepairKey, writeDigestKey } from '../../../src/slack/views/digests/format.ts'
import {
  digestMessage,
  formatDayForReader,
  formatDayInZone,
} from '../../../src/slack/views/digests/message.ts'
import {
  digestSavedModal,
  digestSqlModal,
  editDigestModal,
  handOverModal,
  scheduleModal,
} from '../../../src/slack/views/digests/modals.ts'
import {
  digestHelpView,
  digestListView,
  digestNotice,
  repairDecisionView,
  repairModal,
  requestedDigestView,
} from '../../../src/slack/views/digests/notice.ts'
import { digestsPerPage, homeDigestBlocks } from '../../../src/slack/views/home.ts'
import { maxSqlLength } from '../../../src/sql/parse/parse-sql.ts'
import { digestOf, digestQuestion, homeDigests, noDigests, partOf, repair } from '../listeners/digest-of.ts'

const scheduledFor = new Date('2026-11-16T08:00:00Z')

const fields = digestToFields(digestOf(), { readsBack: true })

const second = { ...digestQuestion, id: '2d444840-9dc0-11d1-b245-5ffdce74fad2', text: 'orders by region?' }

const regions = partOf({
  question: second,
  headline: '2 rows: region, orders',
  table: {
    columns: [
      { name: 'region', kind: 'text' },
      { name: 'orders', kind: 'integer' },
    ],
    rows: [
      ['North', 700],
      [null, 504],
    ],
    truncated: null,
    milliseconds: 1,
  },
  change: { kind: 'rows', added: 1, removed: 0, changed: 1 },
})

const failed: DigestPart = {
  status: 'failed',
  question: second,
  reason: 'The database did not answer within 30 s.',
  nextStep: 'Narrow the question.',
}

const postOf = (given: Partial<DigestPost> = {}): DigestPost => ({
  digestId: digestOf().id,
  scheduledFor,
  digest: digestOf(),
  kind: 'due',
  missed: 1,
  parts: [partOf()],
  ...given,
})

const noticeOf = (notice: DigestNotice['notice']): DigestNotice => ({
  digestId: digestOf().id,
  scheduledFor,
  digest: digestOf(),
  notice,
})

const step = { reason: 'The database is away.', nextStep: 'Ask who runs it.' }

const longSql = `SELECT '${'x'.repeat(4_000)}'`

const messages = {
  'a run': digestMessage(postOf()),
  'a late run of several questions, one of which failed': digestMessage(
    postOf({ kind: 'late', missed: 3, parts: [partOf(), regions, { ...regions, since: null }, failed] }),
  ),
  'a run by hand with a chart': digestMessage(
    postOf({ kind: 'by-hand', parts: [regions] }),
    new Map([[second.id, { fileId: 'F1', altText: 'orders by region' }]]),
  ),
  'a failure': digestNotice(noticeOf({ kind: 'failed', ...step, paused: false })),
  'a failure that pauses': digestNotice(noticeOf({ kind: 'failed', ...step, paused: true })),
  'not allowed any more': digestNotice(noticeOf({ kind: 'not-allowed', ...step })),
  'a channel that is unreachable': digestNotice(noticeOf({ kind: 'unreachable', reason: step.reason })),
  'a repair': digestNotice(noticeOf({ kind: 'repair', repair })),
  'a repair too long to be shown': digestNotice(
    noticeOf({
      kind: 'repair',
      repair: { ...repair, statement: { ...digestQuestion.statement, sql: longSql } },
    }),
  ),
  'two repairs': digestNotice(
    noticeOf({
      kind: 'repair',
      repair: {
        ...repair,
        says: ['orders.<city> is now orders.town'],
        other: { statement: digestQuestion.statement, says: ['orders.city is now orders.place'] },
      },
    }),
  ),
  'no repair found': digestNotice(noticeOf({ kind: 'repair', repair: { ...repair, statement: null } })),
  'an accepted repair': repairDecisionView('Orders', 'accept', { isPaused: false }),
  'a refused repair': repairDecisionView('Orders', 'refuse', { isPaused: true }),
  'help of the command': digestHelpView('mondays: how many <orders>?'),
  'the list of the command': digestListView({ ...homeDigests, digests: homeDigests.digests.slice(0, 2) }),
  'an empty list': digestListView({ digests: [], total: 0, all: false }),
  'scheduled by a command': requestedDigestView({
    status: 'scheduled',
    digest: digestOf(),
    next: [scheduledFor],
    notes: ['Its SQL names <fixed> days.'],
  }),
  'requested without permission': requestedDigestView({
    status: 'unfit',
    refusal: { status: 'not-allowed', reason: 'You are not in <#C1>.', nextStep: 'Join it.' },
  }),
  'requested for a question without an answer': requestedDigestView({ status: 'unanswered', end: 'refused' }),
  'requested, with an unexpected error': requestedDigestView({ status: 'broken' }),
}

const modals: Readonly<Record<string, Modal>> = {
  schedule: scheduleModal({ questionId: 'q', fields, existing: [digestOf()], problem: 'Not <so>.' }),
  edit: editDigestModal({
    digest: digestOf({ questions: [digestQuestion, second] }),
    fields: { ...fields, where: 'person', channel: null, condition: 'moved', value: '12' },
    metadata: digestOf().id,
  }),
  'hand over': handOverModal({ title: 'Orders & more', metadata: digestOf().id }),
  scheduled: digestSavedModal({
    outcome: 'scheduled',
    digest: digestOf(),
    next: [scheduledFor],
    remarks: ['Its SQL names fixed days.'],
  }),
  repair: repairModal(digestOf(), repair),
  'sql as saved': digestSqlModal(digestOf({ questions: [digestQuestion, second] }), null),
  'sql of a run': digestSqlModal(digestOf({ questions: [digestQuestion, second] }), [
    { text: 'how many <orders>?', sql: 'SELECT 1 < 2', periods: ['last week: Nov 16 to 22, 2026'] },
    { text: second.text, sql: 'SELECT 3', periods: [] },
  ]),
}

describe('messages of digests', () => {
  it.each(Object.entries(messages))('%s', (_name, message) => {
    expect(checkMessage(message)).toEqual([])
    expect(message).toMatchSnapshot()
  })

  it('stay within Slack’s limits for any content', () => {
    const text = fc.string({ unit: 'binary', maxLength: 3_000 })
    const part = fc
      .record({ text, headline: text, cells: fc.array(text, { minLength: 1, maxLength: 30 }) })
      .map(({ text, headline, cells }) =>
        partOf({
          question: { ...digestQuestion, text },
          headline,
          periods: [text, headline],
          table: {
            columns: cells.map(name => ({ name, kind: 'text' as const })),
            rows: Array.from({ length: 120 }, () => cells),
            truncated: null,
            milliseconds: 1,
          },
        }),
      )
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), text, (parts, title) => {
        const digest = digestOf({ title })
        const sent = digestMessage(postOf({ digest, kind: 'late', missed: 9_999, parts }))
        // Escapes can make a message too large for one; the ladder then sends a plainer form of it.
        expect(checkMessage(sent).filter(problem => !problem.includes('beside the table'))).toEqual([])
        for (const one of [
          digestNotice({
            ...noticeOf({ kind: 'failed', reason: title, nextStep: title, paused: true }),
            digest,
          }),
          digestNotice({ ...noticeOf({ kind: 'repair', repair: { ...repair, reason: title } }), digest }),
        ])
          expect(checkMessage(one)).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  it('of five ordinary questions need no plainer form', () => {
    const wide = partOf({
      ...regions,
      table: { ...regions.table, rows: Array.from({ length: 200 }, (_, i) => [`Region ${i}`, i]) },
    })
    expect(checkMessage(digestMessage(postOf({ parts: Array.from({ length: 5 }, () => wide) })))).toEqual([])
  })
})

describe('modals of digests', () => {
  it.each(Object.entries(modals))('%s', (_name, modal) => {
    expect(checkBlocks(modal.blocks)).toEqual([])
    expect(modal).toMatchSnapshot()
  })
})

describe('a repair of long SQL', () => {
  const statementOf = (length: number): DigestQuestion['statement'] => {
    const line = `  AND "orders"."placed_on" >= '2026-11-09' AND "amount" < 100\n`
    return { ...digestQuestion.statement, sql: `SELECT 1\n${line.repeat(length)}`.slice(0, length) }
  }
  const says = Array.from({ length: 10 }, (_, i) => `orders.placed_${i} is now ${'orders_'.repeat(60)}`)
  const longOf = (length: number) => {
    const statement = statementOf(length)
    const two = { ...repair, statement, says, other: { statement, says } }
    return { digest: digestOf({ questions: [{ ...digestQuestion, statement }], repair: two }), two }
  }

  it('is shown whole in the modal, with both proposals and the buttons', () => {
    const { digest, two } = longOf(maxSqlLength)
    const { blocks } = repairModal(digest, two)
    expect(checkBlocks(blocks)).toEqual([])
    expect(blocks.length).toBeLessThanOrEqual(slackLimits.blocksPerView)
    expect(JSON.stringify(blocks.at(-1))).toContain('Accept the second')
  })

  it.each([300, 800, 1_400, 1_490, 5_000])('of %d characters is told in one message', length => {
    const { digest, two } = longOf(length)
    const message = digestNotice({ ...noticeOf({ kind: 'repair', repair: two }), digest })
    expect(checkMessage(message)).toEqual([])
  })
})

describe('digests in App Home', () => {
  it('match the snapshot in every state, with pages', () => {
    const blocks = homeDigestBlocks(homeDigests)
    expect(checkBlocks(blocks)).toEqual([])
    expect(blocks).toMatchSnapshot()
  })

  it('match the snapshot of a person without digests', () => {
    expect(homeDigestBlocks(noDigests)).toMatchSnapshot()
  })

  it('have page buttons only if one page is not enough', () => {
    const page = (total: number, offset: number) =>
      JSON.stringify(
        homeDigestBlocks({
          all: false,
          total,
          offset,
          digests: Array.from({ length: Math.min(digestsPerPage, total - offset) }, () => digestOf()),
        }),
      )
    expect(page(10, 0)).not.toMatch(/Next|Previous|1 to 10/)
    expect(page(11, 0)).toMatch(/1 to 10 of 11.*Next/)
    expect(page(11, 0)).not.toContain('Previous')
    expect(page(11, 10)).toMatch(/11 to 11 of 11.*Previous/)
    expect(page(11, 10)).not.toContain('Next')
  })
})

describe('the change since the run before', () => {
  const format = (change: FindingChange, since: Date | null = new Date('2026-11-09T08:00:00Z')) =>
    changeText(change, since && formatDayInZone('Europe/Berlin')(since, { now: scheduledFor }))

  it.each<[string, FindingChange]>([
    ['▲ +12% since Mon, Nov 9 (was 1,075).', { kind: 'number', before: 1_075, now: 1_204, percent: 12 }],
    ['▼ −33.3% since Mon, Nov 9 (was 3).', { kind: 'number', before: 3, now: 2, percent: -33.333 }],
    ['▲ +5 since Mon, Nov 9 (was 0).', { kind: 'number', before: 0, now: 5, percent: null }],
    [
      '▲ +2 since Mon, Nov 9 (was 1,000,000).',
      { kind: 'number', before: 1e6, now: 1e6 + 2, percent: 0.0002 },
    ],
    ['1 row added, 2 rows removed since Mon, Nov 9.', { kind: 'rows', added: 1, removed: 2, changed: 0 }],
    ['No change since Mon, Nov 9.', { kind: 'same' }],
    ['Changed since Mon, Nov 9. There are too many rows to say which.', { kind: 'differs' }],
    ['No change since Mon, Nov 9.', { kind: 'rows', added: 0, removed: 0, changed: 0 }],
  ])('reads %s', (text, change) => {
    expect(format(change)).toBe(text)
  })

  it('names the hour and the time zone of a run on the same day', () => {
    expect(format({ kind: 'same' }, new Date('2026-11-16T07:00:00Z'))).toBe(
      'No change since Mon, Nov 16, 08:00 (Europe/Berlin).',
    )
  })

  it('uses the time zone of the reader where Slack formats the date', () => {
    const shown = (since: string) =>
      changeText({ kind: 'same' }, formatDayForReader(new Date(since), { now: scheduledFor }))
    expect(shown('2026-11-16T07:00:00Z')).toBe(
      'No change since <!date^1794812400^{date_short_pretty} {time}|2026-11-16 07:00 UTC>.',
    )
    expect(shown('2026-11-09T08:00:00Z')).toBe(
      'No change since <!date^1794211200^{date_short_pretty}|2026-11-09 UTC>.',
    )
  })

  it('has nothing to compare on the first run', () => {
    expect(format({ kind: 'first' }, null)).toBe('First run: there is nothing to compare with yet.')
  })
})

describe('the value of a digest button', () => {
  it('holds the digest, and its page of App Home or its run', () => {
    const digestId = digestOf().id
    for (const key of [
      { digestId, offset: null, run: null },
      { digestId, offset: 20, run: null },
      { digestId, offset: null, run: scheduledFor },
    ])
      expect(readDigestKey(writeDigestKey(key))).toEqual(key)
  })

  it.each(['', 'x', '1d444840-9dc0-11d1-b245-5ffdce74fad2@', '1d444840-9dc0-11d1-b245-5ffdce74fad2@-1'])(
    'is not read from %j',
    value => {
      expect(readDigestKey(value)).toBeNull()
      expect(readRepairKey(value)).toBeNull()
    },
  )
})
