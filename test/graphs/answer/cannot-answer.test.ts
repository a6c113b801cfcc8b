import { describe, expect, it } from 'vitest'
import { currentCannotAnswer } from '../../../graphs/answer/rounds/cannot-answer.ts'
import type { AnswerReport } from '../../../src/domain/answer.ts'
import { unansweredText } from '../../../src/domain/answer-wording/unanswered.ts'
import type { DraftPath, PathDrafts } from '../../../src/domain/candidate.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'
import { asked, byPort, draft, openHarborRuns, pathOf } from './harbor-runs.ts'

const makeRuns = openHarborRuns()

const countBoats = 'select count(*) as boats from boats'

/** What one draft of a model says: a statement, or why there is none. */
type Said = { readonly sql: string } | { readonly cannot: string }

const cannot = (reason = 'There are no salaries.'): Said => ({ cannot: reason })

const sql = (statement = countBoats): Said => ({ sql: statement })

/** A model that says one thing after the other, on one path. */
const modelThat = (...said: readonly Said[]): DraftPath => ({
  name: 'query-plan',
  cost: 'model',
  samples: said.length,
  draft: async ({ sample }): Promise<PathDrafts> => {
    const lineage = `query-plan/m${sample}`
    const now = said[sample]
    if (now === undefined || 'cannot' in now)
      return { kind: 'cannot-answer', lineage, reason: now?.cannot ?? '', usage: noModelUsage }
    const drafts = [draft(now.sql, { lineage, unused: null })]
    return { kind: 'statements', drafts, usage: noModelUsage }
  },
})

const parserThat = (prior: number, unused: readonly string[] = []): DraftPath =>
  pathOf(() => [draft(countBoats, { prior, unused })])

const ask = async (
  paths: readonly DraftPath[],
  mode: 'adaptive' | 'full' = 'full',
): Promise<AnswerReport> => {
  const { runs } = makeRuns({
    paths,
    drafting: { mode, mostDrafts: 21 },
    thresholds: { answer: 0.3, ask: 0.2 },
  })
  return runs.start(asked('what is the average salary of the crew?'))
}

describe('a draft that says the schema cannot answer', () => {
  it('beats a weak interpretation, and its reason is the reason of the refusal', async () => {
    const { outcome, trace } = await ask([parserThat(0.6), modelThat(cannot())])
    expect(outcome).toMatchObject({
      status: 'refused',
      why: { code: 'cannot-answer', reason: 'There are no salaries.' },
    })
    expect(outcome).not.toHaveProperty('modelFailure')
    if (outcome.status !== 'refused') throw new Error(outcome.status)
    expect(unansweredText(outcome).reason).toBe(
      "This database can't answer that. The model's reason: “There are no salaries.”",
    )
    expect(trace?.cannotAnswer).toEqual([
      {
        origin: { attempt: 0, round: 0, sample: 0 },
        path: 'query-plan',
        lineage: 'query-plan/m0',
        reason: 'There are no salaries.',
      },
    ])
  })

  it('beats an interpretation that is sure but leaves a word out', async () => {
    const { outcome } = await ask([parserThat(0.95, ['salary']), modelThat(cannot())])
    expect(outcome).toMatchObject({ status: 'refused', why: { code: 'cannot-answer' } })
  })

  it('beats two interpretations that would be asked about', async () => {
    const { outcome } = await ask([pathOf(() => byPort), modelThat(cannot())])
    expect(outcome).toMatchObject({ status: 'refused', why: { code: 'cannot-answer' } })
  })

  it('does not beat a sure interpretation of every word, and is in the trace', async () => {
    const { outcome, trace } = await ask([parserThat(0.95), modelThat(cannot())])
    expect(outcome).toMatchObject({ status: 'answered', sql: countBoats, confidence: 0.5 })
    expect(trace?.cannotAnswer).toHaveLength(1)
  })

  it('does not beat one statement of the same model', async () => {
    const { outcome } = await ask([modelThat(cannot(), sql())])
    expect(outcome).toMatchObject({ status: 'answered' })
    expect(outcome.status === 'answered' && outcome.confidence).toBeLessThanOrEqual(0.5)
  })

  it('lowers the confidence of statements that outvote it no further than to their share', async () => {
    const { outcome } = await ask([modelThat(sql(), sql(), cannot(), sql())])
    expect(outcome.status === 'answered' && outcome.confidence).toBeCloseTo(0.75, 2)
  })

  it('is one group with others of its kind, which outvotes everything smaller', async () => {
    const several = await ask([parserThat(0.95), modelThat(cannot('No pay.'), sql(), cannot(), cannot())])
    expect(several.outcome).toMatchObject({
      status: 'refused',
      why: { code: 'cannot-answer', reason: 'No pay.' },
    })
    const two = await ask([parserThat(0.95), modelThat(cannot(), cannot())])
    expect(two.outcome).toMatchObject({ status: 'refused', why: { code: 'cannot-answer' } })
  })

  it('beats statements of which none runs', async () => {
    const { outcome } = await ask([modelThat(sql('select salary from boats'), cannot())])
    expect(outcome).toMatchObject({ status: 'refused', why: { code: 'cannot-answer' } })
  })

  it('gives no reason that it does not have', async () => {
    const { outcome } = await ask([modelThat(cannot('')), parserThat(0.4)])
    expect(outcome).toMatchObject({ status: 'refused', why: { code: 'cannot-answer', reason: null } })
  })

  it('has its reason shown without anything that a person could click', async () => {
    const { outcome } = await ask([
      modelThat(cannot('<!channel> No *salaries*. See https://evil.example. Third. Fourth.')),
    ])
    expect(outcome).toMatchObject({ why: { reason: 'No salaries. See.' } })
  })
})

describe('drafting in rounds', () => {
  it('asks others before it believes one, and answers with what they write', async () => {
    const { outcome, trace } = await ask([parserThat(0.4), modelThat(cannot(), sql(), sql())], 'adaptive')
    expect(outcome).toMatchObject({ status: 'answered', sql: countBoats })
    expect(trace?.waves.map(({ drafts }) => drafts.length)).toEqual([1, 1, 1, 1, 0])
  })

  it('stops once they agree', async () => {
    const { outcome, trace } = await ask(
      [parserThat(0.4), modelThat(...Array.from({ length: 7 }, () => cannot()))],
      'adaptive',
    )
    expect(outcome).toMatchObject({ status: 'refused', why: { code: 'cannot-answer' } })
    expect(trace?.cannotAnswer).toHaveLength(2)
    expect(trace?.waves.at(-1)?.reason).toBe('the drafts agree that the schema cannot answer')
  })
})

it('after a reply in words, what was said before it does not count', () => {
  const said = (attempt: number) =>
    ({
      origin: { attempt, round: 1, sample: 0 },
      path: 'query-plan',
      lineage: 'query-plan/m',
      reason: `attempt ${attempt}`,
    }) as const
  expect(currentCannotAnswer({ round: 1, cannotAnswer: [said(0), said(1)] })).toEqual([said(1)])
})
