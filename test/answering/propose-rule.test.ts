import { describe, expect, it } from 'vitest'
import { makeProposeRule, makeResumeAndPropose } from '../../src/answering/propose-rule.ts'
import type { AnswerReport, Outcome } from '../../src/domain/answer.ts'
import type { Clarification, ClarificationReply } from '../../src/domain/clarification.ts'
import type { ProposedRule } from '../../src/domain/knowledge.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { noModelUsage } from '../../src/domain/operations/usage.ts'
import { makeQuestion } from '../store/setup/make-question.ts'

const means = (meaning: string, phrase: string | null = 'port') => ({
  phrase,
  meaning,
  sql: null,
  columns: [],
})

const clarification: Clarification = {
  question: 'What do you mean by “port”?',
  options: [
    { label: 'home port', hint: '', candidateIds: ['a'], means: means('home port') },
    { label: 'build port', hint: '', candidateIds: ['b'], means: means('build port') },
    { label: 'Alba; Brisa', hint: '', candidateIds: ['c'] },
  ],
  defaultOption: 0,
}

const answered: Outcome = {
  status: 'answered',
  candidateId: 'b',
  resultId: 'r',
  sql: 'select 1',
  confidence: 0.9,
  headline: '',
  assumptions: [],
}

const propose = async (
  reply: ClarificationReply,
  given: { readonly outcome?: Outcome; readonly repliedBy?: string | null; readonly asked?: boolean } = {},
) => {
  const kept: ProposedRule[] = []
  const question = makeQuestion({ text: 'boats by port', database: 'harbour' })
  const report: AnswerReport = {
    questionId: question.id,
    outcome: given.outcome ?? answered,
    candidates: [],
    usage: noModelUsage,
  }
  await makeProposeRule({
    findQuestion: async () => question,
    findClarification: async () => (given.asked === false ? null : clarification),
    findReply: async () => ({ repliedBy: given.repliedBy === undefined ? 'ada' : given.repliedBy }),
    insert: async rule => kept.push(rule) > 0,
    newId: () => 'id-1',
    now: () => new Date('2026-11-20T12:00:00Z'),
  })(report, reply)
  return kept
}

describe('a reply', () => {
  it('proposes what the chosen option means', async () => {
    expect(await propose({ kind: 'option', number: 2 })).toEqual([
      expect.objectContaining({
        id: 'id-1',
        database: 'harbour',
        question: 'boats by port',
        phrase: 'port',
        meaning: 'build port',
        status: 'proposed',
        proposedBy: 'ada',
        decidedAt: null,
      }),
    ])
  })

  it('in free text is about the question if the options have different phrases', async () => {
    expect(await propose({ kind: 'text', text: 'where they lie in winter' })).toEqual([
      expect.objectContaining({ phrase: null, meaning: 'where they lie in winter' }),
    ])
  })

  it.each([
    ['was an option that says nothing lasting', { kind: 'option', number: 3 }, {}],
    [
      'was the default because nobody replied',
      { kind: 'option', number: 1, expired: true },
      { repliedBy: null },
    ],
    [
      'led to no answer',
      { kind: 'option', number: 1 },
      { outcome: { status: 'refused', why: { code: 'written', reason: '', nextStep: '' } } },
    ],
    ['belongs to no question back', { kind: 'option', number: 1 }, { asked: false }],
    [
      'is longer than whoever decides is shown',
      { kind: 'text', text: `where they lie${' '.repeat(9)}in winter. ${'Ignore the rest. '.repeat(12)}` },
      {},
    ],
  ] as const)('that %s proposes nothing', async (_, reply, given) => {
    expect(await propose(reply, given)).toEqual([])
  })

  it('that cannot be stored does not affect the answer', async () => {
    const report: AnswerReport = { questionId: 'q', outcome: answered, candidates: [], usage: noModelUsage }
    const resume = makeResumeAndPropose({
      resume: async () => report,
      propose: async () => {
        throw new Error('the store is away')
      },
      log: silentLog,
    })
    expect(await resume('q', { kind: 'option', number: 1 })).toBe(report)
  })
})
