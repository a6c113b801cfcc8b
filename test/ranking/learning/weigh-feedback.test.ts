import { describe, expect, it } from 'vitest'
import { comparePairs } from '../../../bench/feedback/pair-selector.ts'
import type { AnswerFeedback } from '../../../src/domain/feedback.ts'
import { BURST_MS, MOST_IN_BURST } from '../../../src/ranking/learning/quarantine.ts'
import { allFeedbackSignals } from '../../../src/ranking/learning/signals.ts'
import { NEW_VOTER } from '../../../src/ranking/learning/voters.ts'
import { makeWeighFeedback, weighOnAnswer } from '../../../src/ranking/learning/weigh-feedback.ts'
import type { SelectorModel } from '../../../src/ranking/selector/selector-model.ts'
import { makeFeedback, makeKept, makeVote, minute } from './make-feedback.ts'

/** Believes what most candidates say, not very firmly. */
const shipped: SelectorModel = {
  version: 'shipped',
  provenance: { databases: [], trainedOn: [], method: '', date: '' },
  features: [{ name: 'share', scale: 1, weight: 4 }],
  calibration: [0],
}

const weigh = (feedback: readonly AnswerFeedback[], admins: readonly string[] = []) =>
  makeWeighFeedback({ believe: comparePairs(shipped), trusted: new Set(admins) })(feedback)

/** One answer an hour; `ofPerson` says what each votes on each. */
const answers = (count: number, ofPerson: Readonly<Record<string, (at: number) => 'up' | 'down'>>) =>
  Array.from({ length: count }, (_, at) =>
    makeFeedback({
      questionId: `q${at}`,
      votes: Object.entries(ofPerson).map(([person, vote]) =>
        makeVote(person, vote(at), { at: minute(60 * at) }),
      ),
    }),
  )

const truth = (at: number) => (at % 3 === 0 ? ('down' as const) : ('up' as const))
const lie = (at: number) => (at % 3 === 0 ? ('up' as const) : ('down' as const))

describe('the weight of a voter', () => {
  it('starts low, and grows with agreement', () => {
    const { voters } = weigh(answers(1, { ada: truth }))
    expect(voters.get('ada')).toBeGreaterThan(0.5 * NEW_VOTER)
    expect(voters.get('ada')).toBeLessThan(1.5 * NEW_VOTER)
    expect(weigh(answers(30, { ada: truth, bo: truth })).voters.get('ada')).toBeGreaterThan(0.8)
  })

  it('sinks towards 0 for somebody who disagrees with everybody', () => {
    const { voters, statements } = weigh(answers(30, { ada: truth, bo: truth, mallory: lie }))
    expect(voters.get('mallory')).toBeLessThan(0.02)
    expect(statements.some(({ person }) => person === 'mallory')).toBe(false)
    expect(voters.get('ada')).toBeGreaterThan(0.8)
  })

  it('stays with a team that agrees against the selector', () => {
    const wrong = () => 'down' as const
    const { voters } = weigh(answers(30, { ada: wrong, bo: wrong, cy: wrong }))
    expect(voters.get('ada')).toBeGreaterThan(NEW_VOTER)
  })

  it('is 1 for an admin, who is believed about others', () => {
    const { voters } = weigh(answers(30, { admin: lie, ada: truth }), ['admin'])
    expect(voters.get('admin')).toBe(1)
    expect(voters.get('ada')).toBeLessThan(0.1)
  })

  it('follows what an admin decided about their statements', () => {
    const said = answers(12, { ada: truth })
    const reviewed = (decision: 'accepted' | 'dropped') =>
      said.map(answer => ({
        ...answer,
        reviews: [{ person: 'ada', decision, decidedAt: minute(10_000) }],
      }))
    const [accepted, dropped] = [weigh(reviewed('accepted')), weigh(reviewed('dropped'))]
    expect(accepted.voters.get('ada')).toBeGreaterThan(weigh(said).voters.get('ada')!)
    expect(dropped.voters.get('ada')).toBeLessThan(0.05)
    expect(dropped.statements).toEqual([])
  })
})

describe('quarantine', () => {
  const burst = (count: number, everyMs: number) =>
    Array.from({ length: count }, (_, at) =>
      makeFeedback({
        questionId: `q${at}`,
        votes: [makeVote('ada', 'up', { at: new Date(minute(0).getTime() + at * everyMs) })],
      }),
    )

  it('holds all of a burst, and nothing of a busy hour', () => {
    const fast = weigh(burst(MOST_IN_BURST + 1, BURST_MS / 100))
    expect(fast.held.map(({ reason }) => reason)).toEqual(Array(MOST_IN_BURST + 1).fill('burst'))
    expect(fast.statements).toEqual([])
    expect(weigh(burst(MOST_IN_BURST, BURST_MS / 100)).held).toEqual([])
    expect(weigh(burst(60, BURST_MS / MOST_IN_BURST + 1)).held).toEqual([])
  })

  it('holds one voice against all others, but no side where people differ', () => {
    const votes = [makeVote('ada', 'up'), makeVote('bo', 'up'), makeVote('mallory', 'down')]
    expect(weigh([makeFeedback({ votes })]).held).toMatchObject([
      { person: 'mallory', reason: 'against-all' },
    ])
    expect(weigh([makeFeedback({ votes: [...votes, makeVote('cy', 'down')] })]).held).toEqual([])
    // A thumb down and the result that is right instead do not contradict each other.
    const both = makeFeedback({
      votes: [makeVote('ada', 'down'), makeVote('bo', 'down')],
      feedback: [makeKept('cy', 'alternative', { groupKey: 'b' })],
    })
    expect(weigh([both]).held).toEqual([])
  })

  it('ends with a decision, which holds for what was said by then', () => {
    const said = burst(MOST_IN_BURST + 1, 1000)
    const decide = (decision: 'accepted' | 'dropped', decidedAt: Date) =>
      said.map(answer => ({ ...answer, reviews: [{ person: 'ada', decision, decidedAt }] }))
    expect(weigh(decide('accepted', minute(60))).held).toEqual([])
    expect(weigh(decide('accepted', minute(60))).statements).toHaveLength(MOST_IN_BURST + 1)
    expect(weigh(decide('dropped', minute(60))).statements).toEqual([])
    expect(weigh(decide('accepted', minute(-1))).held).toHaveLength(MOST_IN_BURST + 1)
  })

  it('never holds an admin', () => {
    expect(weigh(burst(50, 1000), ['ada']).held).toEqual([])
  })
})

describe('on one answer alone', () => {
  const said = allFeedbackSignals(makeFeedback({ votes: [makeVote('ada', 'up')] }))
  const weighOne = (speaker: { readonly weight: number | null; readonly recent: number }) =>
    weighOnAnswer(said, {
      reviews: [],
      speakers: [{ person: 'ada', ...speaker }],
      trusted: new Set(),
    }).map(({ weight }) => weight)

  it('weighs by the last training, and leaves out who sank or votes in a burst', () => {
    expect(weighOne({ weight: 0.7, recent: 1 })).toEqual([0.7])
    expect(weighOne({ weight: null, recent: 1 })).toEqual([NEW_VOTER])
    expect(weighOne({ weight: 0.01, recent: 1 })).toEqual([])
    expect(weighOne({ weight: 0.9, recent: MOST_IN_BURST + 1 })).toEqual([])
  })
})
