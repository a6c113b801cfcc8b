import { describe, expect, it } from 'vitest'
import { comparePairs } from '../../../bench/feedback/pair-selector.ts'
import type { LabeledGroups, MeasuredGroup } from '../../../src/domain/selection/ranking.ts'
import { seededRandom } from '../../../src/evaluation/statistics.ts'
import { PULL } from '../../../src/ranking/learning/challenge.ts'
import { toLabeledGroups } from '../../../src/ranking/learning/compare-on-votes.ts'
import {
  capWeights,
  countCappedVotes,
  type FeedbackSignal,
  latestPerPerson,
  MOST_WEIGHT_PER_PERSON,
  MOST_WEIGHT_PER_QUESTION,
  toFeedbackSignals,
} from '../../../src/ranking/learning/signals.ts'
import { trainOnVotes } from '../../../src/ranking/learning/train-on-votes.ts'
import type { SelectorModel } from '../../../src/ranking/selector/selector-model.ts'
import { makeFeedback, makeGroup, makeKept, makeVote, minute } from './make-feedback.ts'

const names = ['share', 'lineages', 'empty']

const random = seededRandom(11)

/** An answer over three results with measures drawn at random. */
const drawAnswer = (number: number, people: readonly string[]) => {
  const groups = ['a', 'b', 'c'].map(key =>
    makeGroup(key, Object.fromEntries(names.map(name => [name, random() * 2 - 1]))),
  )
  return makeFeedback({
    questionId: `q${number}`,
    snapshot: { version: 'shipped', groups },
    votes: people.map(person => makeVote(person, random() < 0.7 ? 'up' : 'down')),
  })
}

const weigh = (statements: readonly FeedbackSignal[], of: (one: FeedbackSignal) => boolean): number =>
  statements.filter(of).reduce((sum, { weight }) => sum + weight, 0)

describe('capWeights', () => {
  it('holds the loudest voter and the most popular answer to their caps, and leaves others alone', () => {
    const crowd = Array.from({ length: 30 }, (_, i) => `U${i}`)
    const feedback = [
      ...Array.from({ length: 400 }, (_, i) => drawAnswer(i, ['loud'])),
      drawAnswer(1000, crowd),
      makeFeedback({
        questionId: 'q2000',
        feedback: [makeKept('U99', 'sql', { questionId: 'q2000', groupKey: 'b' })],
      }),
    ]
    const capped = capWeights(feedback.flatMap(toFeedbackSignals))
    expect(weigh(capped, ({ person }) => person === 'loud')).toBeCloseTo(MOST_WEIGHT_PER_PERSON, 9)
    expect(weigh(capped, ({ questionId }) => questionId === 'q1000')).toBeCloseTo(MOST_WEIGHT_PER_QUESTION, 9)
    expect(weigh(capped, ({ person }) => person === 'U99')).toBe(1)
  })

  it('counts no more votes of one person than they may weigh', () => {
    const statements = Array.from({ length: 500 }, (_, i) => ({ person: i < 480 ? 'loud' : 'quiet' }))
    expect(countCappedVotes(statements)).toBe(MOST_WEIGHT_PER_PERSON + 20)
  })
})

describe('training data without weights', () => {
  it('has no more of one person than of anybody, and the latest', () => {
    const feedback = Array.from({ length: 30 }, (_, at) =>
      makeFeedback({
        questionId: `q${at}`,
        votes: [makeVote('loud', 'up', { at: minute(at) }), ...(at < 3 ? [makeVote('quiet', 'up')] : [])],
      }),
    )
    const kept = latestPerPerson(feedback.flatMap(toFeedbackSignals))
    const of = (wanted: string) =>
      kept.filter(({ person }) => person === wanted).map(({ questionId }) => questionId)
    expect(of('loud')).toEqual(Array.from({ length: 20 }, (_, i) => `q${i + 10}`))
    expect(of('quiet')).toEqual(['q0', 'q1', 'q2'])
  })
})

describe('one voter', () => {
  const prior: SelectorModel = {
    version: 'shipped',
    provenance: { databases: [], trainedOn: [], method: '', date: '' },
    features: names.map((name, i) => ({ name, scale: 0.5 + i / 4, weight: 1 - i })),
    calibration: [0],
  }
  const train = (questions: readonly LabeledGroups[]) => trainOnVotes(questions, { prior, pull: PULL })
  const unitsOf = ({ measures }: MeasuredGroup): readonly number[] =>
    prior.features.map(({ name, scale }) => (measures[name] ?? 0) / scale)
  const lengthOf = (numbers: readonly number[]): number => Math.hypot(...numbers)
  const less = (a: readonly number[], b: readonly number[]) => a.map((one, i) => one - b[i]!)
  const weightsOf = ({ features }: SelectorModel) => features.map(({ weight }) => weight)

  it('never moves the selector further than the cap allows, whatever they say and however often', () => {
    for (let round = 0; round < 12; round++) {
      const others = ['ada', 'bo', 'cy'].slice(0, 1 + (round % 3))
      const feedback = Array.from({ length: 30 + 40 * round }, (_, i) =>
        drawAnswer(i, random() < 0.5 ? ['loud', ...others] : random() < 0.5 ? ['loud'] : others),
      )
      const statements = capWeights(feedback.flatMap(toFeedbackSignals))
      const label = (some: readonly FeedbackSignal[]) =>
        some.flatMap(one => toLabeledGroups(one, comparePairs(prior)))
      const all = train(label(statements))
      const without = train(label(statements.filter(({ person }) => person !== 'loud')))
      const groups = feedback.flatMap(({ snapshot }) => snapshot.groups)
      const furthest = Math.max(
        ...feedback.flatMap(({ snapshot }) =>
          snapshot.groups.flatMap(a => snapshot.groups.map(b => lengthOf(less(unitsOf(a), unitsOf(b))))),
        ),
      )
      const moved = less(weightsOf(all), weightsOf(without))
      const most = (MOST_WEIGHT_PER_PERSON * furthest) / PULL
      expect(lengthOf(moved)).toBeLessThanOrEqual(most)
      // And so no result gains more on another than this, in logits.
      for (let i = 1; i < groups.length; i++) {
        const gap = less(unitsOf(groups[i]!), unitsOf(groups[i - 1]!))
        const shift = gap.reduce((sum, part, j) => sum + part * moved[j]!, 0)
        expect(Math.abs(shift)).toBeLessThanOrEqual(most * lengthOf(gap))
      }
    }
  })
})
