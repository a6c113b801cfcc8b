import { describe, expect, it } from 'vitest'
import { familyOf } from '../../../src/ranking/features/feature-reasons.ts'
import {
  crossValidate,
  databasesOf,
  withoutDatabase,
  withoutFamily,
} from '../../../training/selector/cross-validate.ts'
import { type SelectorTrainingData, trainSelector } from '../../../training/selector/fit-selector.ts'
import { makeQuestions, makeTrainingData } from './make-training-data.ts'

const draw = (seed: number) => makeQuestions(40, { seed, databases: 4 })

const lessons = makeTrainingData({
  questions: draw(1),
  beginnings: draw(2),
  mixtures: draw(3),
  readings: draw(4),
})

/** The same lessons with everything of one database changed: its labels, its measures, and one that is its own. */
const poisoned = (database: string): SelectorTrainingData => {
  const poison = (questions: SelectorTrainingData['questions']): SelectorTrainingData['questions'] =>
    questions.map(question =>
      question.database !== database
        ? question
        : {
            ...question,
            right: new Set(question.groups.map(({ key }) => key).filter(key => !question.right.has(key))),
            groups: question.groups.map((group, at) => ({
              ...group,
              measures: { ...group.measures, parser: 100 * at, 'mismatch-poison': at },
            })),
          },
    )
  return {
    questions: poison(lessons.questions),
    beginnings: poison(lessons.beginnings),
    mixtures: poison(lessons.mixtures),
    readings: poison(lessons.readings),
  }
}

describe('cross-validation', () => {
  const training = { pull: 10, belief: 0.5 }
  const folds = crossValidate(lessons, { training })

  it('has one selector for each database, and says when it has it', () => {
    const done: string[] = []
    crossValidate(lessons, { training, onFold: database => done.push(database) })
    expect([...folds.keys()]).toEqual(['d0', 'd1', 'd2', 'd3'])
    expect(done).toEqual(databasesOf(lessons))
  })

  it.each(['d0', 'd1', 'd2', 'd3'])('never sees %s when it is held out', database => {
    const after = crossValidate(poisoned(database), { training })
    expect(after.get(database)).toEqual(folds.get(database))
    // Were the poison harmless, this would say nothing.
    for (const other of folds.keys())
      if (other !== database) expect(after.get(other)).not.toEqual(folds.get(other))
  })

  it('trains each fold as what is left is trained', () => {
    expect(folds.get('d2')).toEqual(trainSelector(withoutDatabase(lessons, 'd2'), training))
  })
})

describe('leaving a family out', () => {
  it('is as if it had never been measured', () => {
    const less = withoutFamily(lessons, 'votes')
    const names = new Set(
      Object.values(less).flatMap((questions: SelectorTrainingData['questions']) =>
        questions.flatMap(({ groups }) => groups.flatMap(({ measures }) => Object.keys(measures))),
      ),
    )
    expect([...names].map(familyOf)).not.toContain('votes')
    expect([...names].sort()).toEqual(['parser', 'result-empty', 'sql-nested'])
    expect(less.questions.map(({ right }) => right)).toEqual(lessons.questions.map(({ right }) => right))
  })
})
