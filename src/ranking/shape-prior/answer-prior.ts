import type { Catalog } from '../../domain/catalog.ts'
import type { ShapeTerm, SqlShape } from '../../sql/analyze/sql-shape.ts'
import type { StemmedCatalog } from './catalog-words.ts'
import { makeColumnOrderPrior } from './column-order.ts'
import { type ColumnsScore, makeColumnsPrior } from './columns.ts'
import { findMentions, type QuestionMentions, questionCues } from './question-mentions.ts'
import { classLogLikelihoods, type ShapePriorModel } from './shape-prior-model.ts'

/** What one query of a question is measured against: its clauses, what it shows, and in which order. */
export interface AnswerPrior {
  readonly shape: (shape: SqlShape) => ShapeScore
  readonly columns: (shape: SqlShape) => ColumnsScore
  readonly columnOrder: (shape: SqlShape) => number
}

/** Reads what a question leads one to expect, once; each query of it is then judged in microseconds. */
export const makeAnswerPrior =
  (model: ShapePriorModel) =>
  (question: string, catalog: Catalog): AnswerPrior => {
    const reading = findMentions(question, catalog)
    return {
      shape: makeShapePrior(model, reading),
      columns: makeColumnsPrior(model, reading),
      columnOrder: makeColumnOrderPrior(model, reading),
    }
  }

/** One fact of a query beside what the question led one to expect. */
interface FactSurprise {
  readonly fact: FactName
  readonly found: string
  readonly expected: string
  /** log P(expected) - log P(found): 0 where the likeliest was found. */
  readonly surprise: number
}

interface ShapeScore {
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

type FactFamily = 'shown' | 'rows' | 'way'

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
const makeShapePrior = (model: ShapePriorModel, reading: QuestionMentions) => {
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

/**
 * What is expected of a query, fact by fact: each has one of a few values. Outer joins are left out: the known answers
 * have none, so they teach nothing about them.
 */
export const shapeFacts = {
  distinct: ({ distinct }) => yes(distinct),
  items: ({ items }) => (items.some(isStar) ? 'all' : atMost(items.length, 4)),
  aggregate: ({ items }) => {
    const kinds = [...new Set(items.flatMap(({ aggregate }) => aggregate ?? []))]
    return kinds.length > 1 ? 'several' : (kinds[0] ?? 'none')
  },
  counted: ({ items }) => {
    const count = items.find(({ aggregate }) => aggregate === 'count')
    if (count === undefined) return 'none'
    return count.distinct ? 'distinct' : count.star ? 'rows' : 'column'
  },
  grouped: ({ groupBy }) => yes(groupBy.length > 0),
  having: ({ having }) => (having === null ? 'none' : (having.aggregate ?? 'other')),
  order: ({ orderBy: [key] }) =>
    key === undefined
      ? 'none'
      : `${key.aggregate === null ? 'column' : key.aggregate === 'count' ? 'count' : 'aggregate'}-${key.direction}`,
  limit: ({ limit }) => (limit === null ? 'none' : limit === 1 ? 'one' : 'several'),
  combined: ({ setOperation }) => setOperation ?? 'none',
  nested: ({ nested, comparisons }) => {
    if (nested === 0) return 'none'
    if (comparisons['not-in-query'] || comparisons['not-exists']) return 'not-in'
    return comparisons['in-query'] || comparisons.exists ? 'in' : 'other'
  },
  like: ({ comparisons }) => yes(comparisons.like || comparisons['not-like']),
  greater: ({ comparisons }) => yes(comparisons.greater),
  less: ({ comparisons }) => yes(comparisons.less),
  between: ({ comparisons }) => yes(comparisons.between),
  unequal: ({ comparisons }) => yes(comparisons.unequal),
  equal: ({ comparisons }) => atMost((comparisons.equal ?? 0) + (comparisons['in-list'] ?? 0), 2),
  either: ({ ors, comparisons }) => yes(ors || comparisons['in-list']),
  missing: ({ comparisons }) => yes(comparisons.null || comparisons['not-null']),
  sources: ({ sources }) => atMost(sources, 4),
  'shows-key': ({ items }, words) => yes(items.some(item => shown(item, words, 'isKey'))),
  'shows-name': ({ items }, words) => yes(items.some(item => shown(item, words, 'isName'))),
} satisfies Record<string, (shape: SqlShape, words: StemmedCatalog) => string>

export type FactName = keyof typeof shapeFacts

const yes = (value: unknown): string => (value ? 'yes' : 'no')

const atMost = (count: number, most: number): string => (count >= most ? `${most}+` : String(count))

const isStar = ({ star, aggregate }: ShapeTerm): boolean => star && aggregate === null

const shown = (
  { aggregate, column }: ShapeTerm,
  { byName }: StemmedCatalog,
  what: 'isKey' | 'isName',
): boolean =>
  aggregate === null && column !== null && (byName.get(column.toLowerCase())?.some(one => one[what]) ?? false)

export const factNames = Object.keys(shapeFacts) as readonly FactName[]
