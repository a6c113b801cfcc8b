import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell, ResultTable } from '../../../src/domain/result.ts'
import { checkMessage, type SlackMessage } from '../../../src/slack/block-kit/blocks.ts'
import { answerView } from '../../../src/slack/views/answer.ts'
import { clarificationView, failureView, helpView, refusalView } from '../../../src/slack/views/replies.ts'
import { answerOf } from '../listeners/answer-of.ts'

const tableOf = (
  names: string[],
  rows: Cell[][],
  truncated: ResultTable['truncated'] = null,
): ResultTable => ({
  columns: names.map(name => ({ name, kind: 'unknown' as const })),
  rows,
  truncated,
  milliseconds: 1,
})

const wide = tableOf(
  Array.from({ length: 34 }, (_, i) => `column_${i}`),
  Array.from({ length: 1204 }, (_, r) => Array.from({ length: 34 }, (_, c) => `${r} ${c}`)),
)

const views: Record<string, SlackMessage> = {
  'answer with a table': answerView(answerOf({})),
  'answer of one value': answerView(
    answerOf({ headline: 'count: 1,204', table: tableOf(['count'], [[1204]]) }),
  ),
  'answer without rows': answerView(answerOf({ headline: 'No rows match.', table: tableOf(['city'], []) })),
  'answer of a while ago': answerView(answerOf({ cachedForMs: 12 * 60_000 })),
  'answer with votes': answerView(answerOf({ votes: { up: 2, down: 1 } })),
  'answer with everything': answerView(
    answerOf({
      alternatives: [
        { label: 'return country <of> the hire', hint: '5 rows', candidateId: 'c2' },
        { label: 'x'.repeat(200), hint: '', candidateId: 'c3' },
      ],
      periods: ['last month: Oct 1 to 31, 2026 (Europe/Berlin)'],
      filters: ['north: region of the store is North'],
      revision: { kind: 'edited', person: 'U012345' },
      approvedBy: 'U054321',
      canChart: true,
      asksHumans: true,
    }),
  ),
  'answer with a chart': answerView(
    answerOf({ canChart: true, chart: { fileId: 'F1', altText: 'Line chart of tents by city.' } }),
  ),
  clarification: clarificationView('q1', {
    question: 'What do you mean by “size”?',
    options: [
      { label: 'frame size', hint: '12 rows', candidateIds: [] },
      { label: 'shoe size', hint: '', candidateIds: [] },
    ],
    defaultOption: 0,
  }),
  'clarification about a word': clarificationView('q1', {
    question: 'What do you mean by “size”?',
    options: ['frame size', 'shoe size'].map(label => ({
      ...{ label, hint: '', candidateIds: [] },
      means: { phrase: 'size', meaning: label, sql: null, columns: [] },
    })),
    defaultOption: 0,
  }),
  refusal: refusalView({
    why: { code: 'written', reason: 'I found nothing for <@U1> & “zebra”.', nextStep: 'Leave it out.' },
  }),
  'refusal with help': refusalView({
    why: { code: 'written', reason: 'I found nothing for “zebra”.', nextStep: 'Leave it out.' },
    missing: ['zebra'],
    nearest: ['How many animals are there?', 'How many animals are there by house & yard?'],
    whoToAsk: '<@U1> of the data team',
  }),
  'refusal with an owner in Slack': refusalView({
    why: { code: 'written', reason: 'I found nothing for “zebra”.', nextStep: 'Leave it out.' },
    whoToAsk: 'U012AB3CD',
  }),
  failure: failureView({ reason: 'x'.repeat(2000), nextStep: 'Ask again.' }),
  help: helpView('sample company', ['how many orders were placed last month?', 'y'.repeat(300)]),
  'help without examples': helpView('sample company', []),
}

describe('views', () => {
  it.each(Object.entries(views))('%s passes every limit of Slack', (_name, message) => {
    expect(checkMessage(message)).toEqual([])
  })

  it.each(Object.entries(views))('%s matches its snapshot', (_name, message) => {
    expect(message).toMatchSnapshot()
  })

  it('says what was cut from a wide, long result', () => {
    const message = answerView(answerOf({ table: wide }))
    expect(checkMessage(message)).toEqual([])
    expect(JSON.stringify(message.blocks)).toMatch(/\d+ of 1,204 rows, 20 of 34 columns/)
  })

  it('lets nothing of a reason become a mention', () => {
    expect(
      JSON.stringify(
        refusalView({ why: { code: 'written', reason: '<!channel> <@U1>', nextStep: 'Ask <!here>.' } }),
      ),
    ).not.toMatch(/<[!@]/)
  })

  it('fits any result into what Slack takes', () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 400 }),
      fc.double(),
      fc.constant(null),
      fc.bigInt(),
      fc.boolean(),
    )
    const table = fc
      .tuple(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 130 }),
        fc.array(cell, { minLength: 3, maxLength: 30 }),
      )
      .map(([columns, rows, pool]) =>
        tableOf(
          Array.from({ length: columns }, (_, i) => `c${i}`),
          Array.from({ length: rows }, (_, r) =>
            Array.from({ length: columns }, (_, c) => pool[(r * 7 + c) % pool.length] ?? null),
          ),
        ),
      )
    fc.assert(
      fc.property(
        table,
        fc.string({ minLength: 1, maxLength: 5000 }),
        fc.array(fc.string({ maxLength: 900 })),
        (result, headline, assumptions) => {
          expect(
            checkMessage(answerView(answerOf({ table: result, headline: `h${headline}`, assumptions }))),
          ).toEqual([])
        },
      ),
      { seed: 11, numRuns: 100 },
    )
  })
})

describe('checkMessage', () => {
  const good = views['answer with a table'] as SlackMessage
  const problemsOf = (blocks: unknown[], text: unknown = 'x') => checkMessage({ text, blocks })

  it('refuses what Slack refuses', () => {
    expect(problemsOf(good.blocks as unknown[], '')).not.toEqual([])
    expect(problemsOf(Array.from({ length: 51 }, () => ({ type: 'divider' })))).not.toEqual([])
    expect(problemsOf([{ type: 'bogus' }])).not.toEqual([])
    expect(problemsOf([{ type: 'section' }])).not.toEqual([])
    expect(problemsOf([{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3001) } }])).not.toEqual(
      [],
    )
    expect(problemsOf([{ type: 'table', rows: [[{ type: 'raw_text', text: '' }]] }])).not.toEqual([])
    const row = [{ type: 'raw_text', text: 'x' }]
    expect(problemsOf([{ type: 'table', rows: Array.from({ length: 101 }, () => row) }])).not.toEqual([])
    expect(
      problemsOf([
        { type: 'table', rows: [row] },
        { type: 'table', rows: [row] },
      ]),
    ).not.toEqual([])
    expect(problemsOf([{ type: 'table', rows: [row, [...row, ...row]] }])).not.toEqual([])
    expect(
      problemsOf([{ type: 'table', rows: [[{ type: 'raw_text', text: 'x'.repeat(10_001) }]] }]),
    ).not.toEqual([])
    const button = { type: 'button', action_id: 'a', text: { type: 'plain_text', text: 'x' } }
    expect(problemsOf([{ type: 'actions', elements: [button, button] }])).not.toEqual([])
    expect(
      problemsOf([
        { type: 'actions', elements: [{ ...button, text: { type: 'plain_text', text: 'x'.repeat(76) } }] },
      ]),
    ).not.toEqual([])
  })

  it('takes text alone', () => {
    expect(checkMessage({ text: 'hello' })).toEqual([])
  })
})
