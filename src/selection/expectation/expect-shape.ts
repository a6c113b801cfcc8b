import type { SqlShape } from '../../sql/sql-shape.ts'
import { classLogLikelihoods } from './class-log-likelihoods.ts'
import type { ShapePriorModel } from './expectation-model.ts'
import { questionCues } from './question-cues.ts'
import type { QuestionMentions } from './read-question.ts'
import { type FactName, factNames, shapeFacts } from './shape-facts.ts'

/** One fact of a query beside what the question led one to expect. */
export interface FactSurprise {
  readonly fact: FactName
  readonly found: string
  readonly expected: string
  /** log P(expected) - log P(found): 0 where the likeliest was found. */
  readonly surprise: number
}

export interface ShapeScore {
  /** Sum of the natural log likelihoods of all facts. */
  readonly logLikelihood: number
  /** In the order of `factNames`. */
  readonly facts: readonly FactSurprise[]
  /**
   * Surprises summed by what they are about, each at most `MOST_SURPRISE`: what is shown (nearly always a mistake),
   * which rows are asked for, and the way there (of which several are right).
   */
  readonly surprise: Readonly<Record<FactFamily, number>>
}

export type FactFamily = 'shown' | 'rows' | 'way'

/** The family of each fact. Measured on candidates of real systems: `shown` tells right from wrong 30 times to 1. */
const familyOf: Readonly<Record<FactName, FactFamily>> = {
  items: 'shown',
  aggregate: 'shown',
  counted: 'shown',
  distinct: 'rows',
  having: 'rows',
  limit: 'rows',
  combined: 'rows',
  like: 'rows',
  greater: 'rows',
  less: 'rows',
  between: 'rows',
  unequal: 'rows',
  either: 'rows',
  missing: 'rows',
  grouped: 'way',
  order: 'way',
  nested: 'way',
  equal: 'way',
  sources: 'way',
  'shows-key': 'shown',
  'shows-name': 'shown',
}

/** Beyond this a surprise says nothing more: the model has hardly seen such questions. */
const MOST_SURPRISE = 8

/** A value that no training query had is about as likely as one in as many cases. */
const UNSEEN = Math.log(1e-4)

/** Reads what a question leads one to expect of a query's clauses, then judges any number of queries by it. */
export const makeShapePrior = (model: ShapePriorModel, reading: QuestionMentions) => {
  const cues = questionCues(reading)
  const expected = factNames.flatMap(fact => {
    const weights = model.facts[fact]
    if (weights === undefined) return []
    const likelihoods = classLogLikelihoods(weights, cues)
    const most = Math.max(...likelihoods)
    const likeliest = weights.classes[likelihoods.indexOf(most)] as string
    return [{ fact, classes: weights.classes, likelihoods, most, likeliest }]
  })
  return (shape: SqlShape): ShapeScore => {
    let logLikelihood = 0
    const facts = expected.map(({ fact, classes, likelihoods, most, likeliest }): FactSurprise => {
      const found = shapeFacts[fact](shape, reading.catalog)
      const likelihood = likelihoods[classes.indexOf(found)] ?? UNSEEN
      logLikelihood += likelihood
      return { fact, found, expected: likeliest, surprise: most - likelihood }
    })
    const about = (family: FactFamily): number =>
      Math.min(
        MOST_SURPRISE,
        facts.reduce((sum, { fact, surprise }) => sum + (familyOf[fact] === family ? surprise : 0), 0),
      )
    return {
      logLikelihood,
      facts,
      surprise: { shown: about('shown'), rows: about('rows'), way: about('way') },
    }
  }
}
