import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeView } from '../../../simulator/messaging/judge-view.ts'
import type { Trace } from '../../../src/domain/trace.ts'
import { checkBlocks, checkMessage } from '../../../src/slack/block-kit/blocks.ts'
import { type Modal, noticeModal } from '../../../src/slack/block-kit/modal.ts'
import { slackLimits } from '../../../src/slack/block-kit/schema.ts'
import { answerView } from '../../../src/slack/views/answer.ts'
import { feedbackModal } from '../../../src/slack/views/feedback-modal.ts'
import { rejectModal, reviewDecisionView, reviewRequestView } from '../../../src/slack/views/review.ts'
import { editSqlModal, readSqlInputs, splitText, sqlModal } from '../../../src/slack/views/sql-modal.ts'
import { traceModal } from '../../../src/slack/views/trace-modal.ts'
import { makeTrace } from '../../helpers/make-trace.ts'
import { answerOf } from '../listeners/answer-of.ts'
import { answered, otherResult, request } from '../listeners/answered.ts'

const edit = { purpose: 'edit', questionId: 'q1', question: 'how many?' } as const

const longSql = `SELECT '${"a < b & c > d ''".repeat(1_200)}'`

const trace = makeTrace()

const modals: Record<string, Modal> = {
  'show SQL': sqlModal({ sql: 'SELECT 1 < 2', assumptions: ['All time.'] }),
  'show long SQL': sqlModal({ sql: longSql, assumptions: [] }),
  edit: editSqlModal({ ...edit, sql: 'SELECT 1' }),
  'edit again': editSqlModal({
    ...edit,
    purpose: 'fix',
    sql: 'DROP TABLE x',
    problem: { is: 'wrong', message: 'not a SELECT <@U1>' },
  }),
  'edit an expensive query': editSqlModal({
    ...edit,
    sql: 'SELECT 1',
    problem: { is: 'too-heavy', message: 'This reads about 320 million rows.' },
  }),
  'edit long SQL': editSqlModal({ ...edit, sql: longSql }),
  'edit nothing': editSqlModal({ ...edit, question: '', sql: '' }),
  'how I got this': traceModal(answered, trace),
  'how I got this, expired': traceModal(answered, null),
  feedback: feedbackModal({ questionId: 'q1', others: Array.from({ length: 6 }, () => otherResult) }),
  'feedback without others': feedbackModal({ questionId: 'q1', others: [] }),
  notice: noticeModal({ title: 'Running', text: 'It runs.' }),
  reject: rejectModal('q1'),
}

describe('modals about answers', () => {
  it.each(Object.entries(modals))('%s passes every limit of Slack', (_, modal) => {
    expect(judgeView(modal, 'modal')).not.toHaveProperty('problems')
    expect(checkBlocks(modal.blocks)).toEqual([])
  })

  it.each(Object.entries(modals).filter(([name]) => !name.includes('long')))(
    '%s matches its snapshot',
    (_, modal) => {
      expect(modal).toMatchSnapshot()
    },
  )

  it('never turn data, SQL or text of people into a mention', () => {
    for (const modal of Object.values(modals)) expect(JSON.stringify(modal)).not.toMatch(/"mrkdwn"[^}]*<[!@]/)
  })

  it('show long SQL whole', () => {
    const shown = modals['show long SQL']?.blocks
      .flatMap(block => (block.type === 'section' && block.text ? [block.text.text.slice(3, -3)] : []))
      .join('')
    expect(shown?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')).toBe(longSql)
  })

  it.each([
    ['of one line', longSql],
    ['of many lines', `SELECT\n${'  a.b,\n'.repeat(1_500)}  1`],
  ])('split long SQL %s into fields and join it unchanged', (_, sql) => {
    const inputs = editSqlModal({ ...edit, sql }).blocks.flatMap(block =>
      block.type === 'input' ? [block] : [],
    )
    expect(inputs.length).toBeGreaterThan(3)
    const values = Object.fromEntries(
      inputs.map(({ block_id, element }) => [
        block_id ?? '',
        // Slack may give text back without the blanks at its ends.
        {
          [element.action_id]: {
            value: 'initial_value' in element ? (element.initial_value ?? '').trim() : '',
          },
        },
      ]),
    )
    // Blanks at the ends of a line mean nothing.
    expect(readSqlInputs(values).replace(/\n +/g, '\n')).toBe(sql.replace(/\n +/g, '\n'))
  })
})

describe('how I got this', () => {
  it('has a part for each step', () => {
    const words = JSON.stringify(modals['how I got this'])
    for (const part of ['How I read the question', 'How sure I am', 'Queries', 'Results', 'Model usage'])
      expect(words).toContain(`*${part}*`)
  })

  it('gives the reasons of the selector, if there are any', () => {
    const groups = trace.groups.map((group, i) =>
      i === 0
        ? { ...group, reasons: ['more paths came to it', 'of the other: its result is <empty>'] }
        : group,
    )
    const words = JSON.stringify(traceModal(answered, { ...trace, groups }))
    expect(words).toContain(
      '80% likely. Reasons: more paths came to it; of the other: its result is &lt;empty&gt;',
    )
    expect(words.match(/Reasons/g)).toHaveLength(1)
    expect(JSON.stringify(traceModal(answered, trace))).not.toContain('Reasons')
  })

  it('names the agents of a published system, and how often each was asked', () => {
    const call = (agent: string) => ({
      ...{ agent, prompt: `mac-sql/${agent}`, model: 'm', promptTokens: 1, completionTokens: 1 },
    })
    const calls = ['decomposer', 'refiner', 'refiner'].map(call)
    const told = JSON.stringify(traceModal(answered, makeTrace({ strategy: 'mac-sql', calls })))
    expect(told).toContain('*Who worked on it*\\nmac-sql: decomposer, refiner (2 times)')
    expect(JSON.stringify(traceModal(answered, trace))).not.toContain('Who worked on it')
  })

  it('says what the question did without, in words', () => {
    const limit = { of: 'question', unit: 'calls', most: 30 } as const
    const shortfalls = [{ work: 'drafts', count: 3, of: 7, why: 'budget-spent', limit }] as const
    expect(JSON.stringify(traceModal(answered, { ...trace, shortfalls }))).toContain(
      "*What I left out*\\n• 3 of 7 drafts were left out: the question's limit of 30 model calls was reached.",
    )
    expect(JSON.stringify(traceModal(answered, trace))).not.toContain('What I left out')
  })

  it('passes every limit however long the trace is', () => {
    const long: Trace = {
      ...trace,
      question: '<'.repeat(9_000),
      understanding: null,
      failures: Array.from({ length: 50 }, () => ({
        path: 'query-plan',
        sample: 1,
        message: '&'.repeat(900),
      })),
    }
    expect(checkBlocks(traceModal(answered, long).blocks)).toEqual([])
  })
})

describe('a review request', () => {
  const table = answerOf().table
  const ask = reviewRequestView({ request, question: answered.question, table })
  const decided = {
    decision: 'rejected',
    by: 'U0000BBB',
    at: new Date(0),
    reason: 'Wrong <@U1> city.',
  } as const

  it('passes every limit and matches its snapshot', () => {
    const closed = reviewRequestView({ request: { ...request, decided }, question: answered.question, table })
    const long = reviewRequestView({
      request: { ...request, sql: longSql, headline: 'x'.repeat(5_000) },
      question: { ...answered.question, text: '<'.repeat(5_000) },
      table: null,
    })
    for (const message of [ask, closed, long]) expect(checkMessage(message)).toEqual([])
    expect({ ask, closed }).toMatchSnapshot()
  })

  it('has a message for the thread, for each decision', () => {
    const told = (['approved', 'fixed', 'rejected'] as const).map(decision =>
      reviewDecisionView(request, { ...decided, decision }, '3 rows: city, count'),
    )
    for (const message of told) {
      expect(checkMessage(message)).toEqual([])
      expect(message.text).not.toContain('<@U1>')
    }
    expect(told.map(({ text }) => text)).toMatchSnapshot()
  })
})

describe('an answer', () => {
  const idsOf = (view: Parameters<typeof answerOf>[0]) =>
    answerView(answerOf(view)).blocks.map(block => block.type)

  it('always has its parts in one order', () => {
    const alternatives = [{ label: 'other', hint: '', candidateId: 'c2' }]
    expect(idsOf({ assumptions: [] })).toEqual([
      'section',
      'data_table',
      'context',
      'actions',
      'context_actions',
    ])
    expect(idsOf({ alternatives })).toEqual([
      'section',
      'section',
      'data_table',
      'context',
      'actions',
      'context_actions',
    ])
    expect(idsOf({ chart: { fileId: 'F1', altText: 'x' }, canChart: true })).toEqual([
      'section',
      'context',
      'image',
      'context',
      'actions',
      'context_actions',
    ])
  })

  it('offers only menu entries that do something', () => {
    const menu = (view: Parameters<typeof answerOf>[0]) =>
      answerView(answerOf(view)).blocks.flatMap(block =>
        block.type === 'actions'
          ? block.elements.flatMap(element =>
              element.type === 'overflow' ? element.options.map(({ text }) => text.text) : [],
            )
          : [],
      )
    expect(menu({})).toEqual(['How I got this', 'Save as verified'])
    expect(menu({ canChart: true, asksHumans: true })).toEqual([
      'How I got this',
      'Show as chart',
      'Save as verified',
      'Ask a human',
    ])
    expect(menu({ canChart: true, chart: { fileId: 'F1', altText: 'x' } })).toContain('Show as table')
  })

  it('names the person who changed it, and no longer says how sure the first answer was', () => {
    const words = JSON.stringify(
      answerView(answerOf({ revision: { kind: 'fixed', person: 'U012345' }, approvedBy: '<!here>' })),
    )
    expect(words).toContain('Corrected by <@U012345>')
    expect(words).not.toContain('Confident')
    expect(words).not.toContain('<!here>')
  })

  it('fits any assumptions, periods and alternatives', () => {
    const words = fc.string({ maxLength: 900 })
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 9 }),
        fc.array(fc.record({ label: words, hint: words, candidateId: fc.string({ maxLength: 200 }) }), {
          maxLength: 3,
        }),
        (said, alternatives) => {
          const view = answerOf({ assumptions: said, periods: said, filters: said, alternatives })
          expect(
            checkMessage(answerView({ ...view, revision: { kind: 'edited', person: 'U012345' } })),
          ).toEqual([])
        },
      ),
      { seed: 7, numRuns: 100 },
    )
  })
})

describe('splitting text', () => {
  it('loses nothing and splits no character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 2, max: 50 }),
        (text, most) => {
          const pieces = splitText(text, most)
          expect(pieces.join('')).toBe(text)
          expect(pieces.every(piece => piece.length <= most && piece.isWellFormed())).toBe(true)
        },
      ),
      { seed: 3, numRuns: 300 },
    )
    expect(slackLimits.plainTextInput).toBe(3_000)
  })

  it('measures pieces as they are shown', () => {
    const shown = (text: string): string => text.replaceAll('<', '&lt;')
    expect(splitText('ab<cdefgh<', 6, shown)).toEqual(['ab<', 'cdefgh', '<'])
    expect(splitText('<<\n<\n<', 10, shown)).toEqual(['<<\n', '<\n<'])
  })
})
