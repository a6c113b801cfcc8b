import { describe, expect, it } from 'vitest'
import { scoreConfidence } from '../../../src/evaluation/score-selection.ts'
import { makeRankGroups } from '../../../src/ranking/selector/rank-groups.ts'
import { type TrainedSelector, trainSelector } from '../../../training/selector/fit-selector.ts'
import { makeMeasured, makeSelectorModel } from '../../ranking/selector/make-measured.ts'
import { makeQuestions, makeTrainingData, planted } from './make-training-data.ts'

/** Weights of one unit of a feature, whatever its scale. */
const perUnit = ({ features }: Pick<TrainedSelector, 'features'>): Readonly<Record<string, number>> =>
  Object.fromEntries(features.map(({ name, scale, weight }) => [name, weight / scale]))

const asModel = (trained: TrainedSelector) => ({ ...makeSelectorModel({}), ...trained })

const loose = { pull: 1, belief: 0 }

describe('training a selector', { timeout: 120_000 }, () => {
  const lessons = makeTrainingData({ questions: makeQuestions(800, { seed: 3 }) })
  const trained = trainSelector(lessons, loose)

  it('finds the utility that the questions were drawn by', () => {
    const found = perUnit(trained)
    // A question's pairs share its weight, so what counts is the ratio of the weights; their size comes near too.
    for (const [name, weight] of Object.entries(planted)) expect(found[name]).toBeCloseTo(weight, 0)
    expect(Math.abs(found['result-empty']! / found['vote-share']! + 0.75)).toBeLessThan(0.1)
    expect(Math.abs(found.parser! / found['vote-share']! - 0.5)).toBeLessThan(0.1)
  })

  it('gives the same for the same lessons', () => {
    expect(trainSelector(lessons, loose)).toEqual(trained)
  })

  it('has the same weights without a calibration', () => {
    const few = makeTrainingData({ questions: makeQuestions(60, { seed: 12 }) })
    const { features } = trainSelector(few, loose)
    expect(trainSelector(few, { ...loose, calibrates: false })).toEqual({ features, calibration: [0] })
  })

  it('chooses right about as often as the utility that the questions were drawn by', () => {
    const fresh = makeQuestions(1_500, { seed: 4 })
    const right = (model: ReturnType<typeof asModel>) =>
      fresh.filter(one => one.right.has(makeRankGroups(model)(one.groups)[0]!.key)).length / fresh.length
    const best = right(makeSelectorModel(planted))
    expect(best).toBeGreaterThan(0.5)
    expect(right(asModel(trained))).toBeGreaterThan(best - 0.03)
  })

  it('says how sure it is, and is right as often as it says', () => {
    const fresh = makeQuestions(700, { seed: 5 })
    const rank = makeRankGroups(asModel(trained))
    const score = scoreConfidence(
      fresh.map(({ groups, right }) => {
        const [winner] = rank(groups)
        return { confidence: winner!.probability, right: right.has(winner!.key) }
      }),
    )!
    // Of so few answers chance alone makes about .04.
    expect(score.ece).toBeLessThan(0.07)
    expect(score.brierSkill).toBeGreaterThan(0.1)
    expect(score.riskAt80).toBeLessThan(score.riskAt100)
  })

  it('calls a feature that is the same everywhere by no weight', () => {
    const questions = makeQuestions(20, { seed: 6 }).map(question => ({
      ...question,
      groups: question.groups.map(group => ({ ...group, measures: { ...group.measures, 'sql-items': 3 } })),
    }))
    expect(perUnit(trainSelector(makeTrainingData({ questions }), loose))).not.toHaveProperty('sql-items')
  })

  it('learns nothing from questions of which all or no groups are right', () => {
    const questions = makeQuestions(40, { seed: 7 }).map((question, at) => ({
      ...question,
      right: new Set(at % 2 === 0 ? [] : question.groups.map(({ key }) => key)),
    }))
    const { features } = trainSelector(makeTrainingData({ questions }), loose)
    expect(features.map(({ weight }) => weight)).toEqual([0, 0, 0, 0])
  })

  it('learns weights from mixtures, and how sure to be from questions alone', () => {
    const questions = makeQuestions(200, { seed: 8 })
    const mixtures = makeQuestions(1_000, { seed: 9, weights: { parser: 4 } })
    const alone = trainSelector(makeTrainingData({ questions }), loose)
    const mixed = trainSelector(makeTrainingData({ questions, mixtures }), loose)
    expect(perUnit(mixed).parser).toBeGreaterThan(perUnit(alone).parser! + 0.5)
    expect(mixed.calibration).toHaveLength(alone.calibration.length)
    // Questions that are all right would make it sure of anything; as mixtures they say nothing of it.
    const all = questions.map(question => ({
      ...question,
      right: new Set(question.groups.map(({ key }) => key)),
    }))
    const withSure = trainSelector(makeTrainingData({ questions, mixtures: all }), loose)
    for (const [at, part] of withSure.calibration.entries())
      expect(part).toBeCloseTo(alone.calibration[at]!, 3)
    const asMet = trainSelector(makeTrainingData({ questions, beginnings: all }), loose)
    expect(asMet.calibration[0]).toBeGreaterThan(alone.calibration[0]! + 0.2)
  })
})

describe('what readings teach', () => {
  const readings = makeQuestions(400, {
    seed: 10,
    databases: 20,
    weights: { 'result-empty': -3, 'vote-share': 3 },
  })
  const questions = makeQuestions(60, { seed: 11, weights: {} })
  const train = (pull: number, belief: number) =>
    perUnit(trainSelector(makeTrainingData({ questions, readings }), { pull, belief }))

  it('is where weights are pulled to, as far as it is believed', () => {
    const all = train(1e6, 1)['result-empty']!
    expect(all).toBeLessThan(-1)
    expect(train(1e6, 0.5)['result-empty']).toBeCloseTo(all / 2, 2)
    expect(train(1e6, 0)['result-empty']).toBeCloseTo(0, 2)
  })

  const named = (name: string, lessons: typeof readings): typeof readings =>
    lessons.map(question => ({
      ...question,
      groups: question.groups.map(group => ({
        ...group,
        measures: { [name]: group.measures['result-empty'] ?? 0 },
      })),
    }))

  it.each([
    ...['result-empty', 'sql-nested', 'join-off-keys', 'table-unused', 'literal-absent'],
    'mismatch-output-count',
  ])('is about what a candidate shows by itself: %s', name => {
    const lessons = makeTrainingData({ questions: named(name, questions), readings: named(name, readings) })
    expect(perUnit(trainSelector(lessons, { pull: 1e6, belief: 1 }))[name]).toBeLessThan(-1)
  })

  it.each(['rank-first', 'agree-missing', 'alike-rows', 'prior-columns'])('is not about %s', name => {
    const lessons = makeTrainingData({ questions: named(name, questions), readings: named(name, readings) })
    expect(perUnit(trainSelector(lessons, { pull: 1e6, belief: 1 }))[name]).toBeCloseTo(0, 2)
  })

  it('gives way to what questions say when the pull is weak', () => {
    expect(Math.abs(train(0.1, 1)['result-empty']!)).toBeLessThan(
      Math.abs(train(1e6, 1)['result-empty']!) / 2,
    )
  })

  it('is not how far to trust votes and parserEvidence, which mean something else among readings', () => {
    expect(train(1e6, 1)['vote-share']).toBeCloseTo(0, 2)
    expect(train(1e6, 1).parser).toBeCloseTo(0, 2)
  })
})

describe('a long vote', () => {
  it('teaches by its leading wrong groups', () => {
    const right = makeMeasured('right', { parser: 1 }, 3)
    const leading = Array.from({ length: 8 }, (_, at) => makeMeasured(`w${at}`, {}, 2))
    const far = Array.from({ length: 30 }, (_, at) => makeMeasured(`far${at}`, { 'result-empty': 1 }, 1))
    const question = { id: 'q', database: 'd', weight: 1, right: new Set(['right']) }
    const found = perUnit(
      trainSelector(
        makeTrainingData({ questions: [{ ...question, groups: [right, ...far, ...leading] }] }),
        loose,
      ),
    )
    expect(found['result-empty']).toBe(0)
    expect(found.parser).toBeGreaterThan(0)
  })
})
