import { countColumnInversions } from '../../src/ranking/evidence.ts'
import { chooseMember } from '../../src/ranking/features/measure-groups.ts'
import { factNames, makeAnswerPrior, shapeFacts } from '../../src/ranking/shape-prior/answer-prior.ts'
import { makeColumnOrderPrior } from '../../src/ranking/shape-prior/column-order.ts'
import { questionCues } from '../../src/ranking/shape-prior/question-mentions.ts'
import { classLogLikelihoods, type ShapePriorModel } from '../../src/ranking/shape-prior/shape-prior-model.ts'
import { type ShapeTerm, type SqlShape, sqlShape } from '../../src/sql/analyze/sql-shape.ts'
import type { KnownAnswer, RunQuestion } from './known-answers.ts'

/** Share of the known answers whose fact is the likeliest, beside that of always saying the most frequent one. */
export interface FactFigure {
  readonly fact: string
  readonly right: number
  readonly mostFrequent: number
}

/** Share of lists of two to five items for which the known order is the best of all; ties count in parts. */
export interface OrderFigure {
  readonly questions: number
  readonly prior: number
  readonly fewestInversions: number
}

/** Cross-validation by database: every answer is measured with weights that never saw its database. */
export const measureFolds = (
  answers: readonly KnownAnswer[],
  {
    folds,
    train,
  }: { readonly folds: number; readonly train: (answers: readonly KnownAnswer[]) => ShapePriorModel },
): { readonly facts: readonly FactFigure[]; readonly order: OrderFigure } => {
  const databases = [...new Set(answers.map(({ database }) => database))].sort()
  const foldOf = new Map(databases.map((database, at) => [database, at % folds]))
  const right = new Map<string, number>()
  const order = { questions: 0, prior: 0, fewestInversions: 0 }
  for (let fold = 0; fold < folds; fold++) {
    const model = train(answers.filter(({ database }) => foldOf.get(database) !== fold))
    for (const answer of answers) {
      if (foldOf.get(answer.database) !== fold) continue
      for (const fact of factsRight(answer, model)) right.set(fact, (right.get(fact) ?? 0) + 1)
      if (answer.shape.items.length < 2 || answer.shape.items.length > MOST_ITEMS) continue
      order.questions += 1
      order.prior += shareOfBest(answer, makeColumnOrderPrior(model, answer.reading))
      order.fewestInversions += shareOfBest(answer, shape => -inversionsOf(answer.question, shape))
    }
  }
  return {
    facts: factNames.map(fact => {
      const found = answers.map(({ shape, reading }) => shapeFacts[fact](shape, reading.catalog))
      const most = Math.max(...[...Map.groupBy(found, value => value).values()].map(({ length }) => length))
      return { fact, right: (right.get(fact) ?? 0) / answers.length, mostFrequent: most / answers.length }
    }),
    order: {
      questions: order.questions,
      prior: order.prior / order.questions,
      fewestInversions: order.fewestInversions / order.questions,
    },
  }
}

const MOST_ITEMS = 5

const factsRight = ({ reading, shape }: KnownAnswer, model: ShapePriorModel): readonly string[] => {
  const cues = questionCues(reading)
  return factNames.filter(fact => {
    const weights = model.facts[fact]
    if (weights === undefined) return false
    const likelihoods = classLogLikelihoods(weights, cues)
    const likeliest = weights.classes[likelihoods.indexOf(Math.max(...likelihoods))]
    return likeliest === shapeFacts[fact](shape, reading.catalog)
  })
}

/** 1 where the known order alone is best, a part of it where others are as good, 0 where another is better. */
const shareOfBest = ({ shape }: KnownAnswer, score: (shape: SqlShape) => number): number => {
  const scores = ordersOf(shape.items).map(items => score({ ...shape, items }))
  const best = Math.max(...scores)
  // The first of all orders is the known one.
  return scores[0]! < best - 1e-9 ? 0 : 1 / scores.filter(score => score >= best - 1e-9).length
}

const ordersOf = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  items.length <= 1
    ? [items]
    : items.flatMap((item, at) =>
        ordersOf(items.filter((_, other) => other !== at)).map(rest => [item, ...rest]),
      )

const inversionsOf = (question: string, { items }: SqlShape): number =>
  countColumnInversions(
    question,
    items.map(item => ({ name: headingOf(item), kind: 'unknown' })),
  )

/** What SQLite heads the column with. */
const headingOf = ({ aggregate, distinct, star, column, alias }: ShapeTerm): string => {
  const inner = star ? '*' : (column ?? '')
  return alias ?? (aggregate === null ? inner : `${aggregate}(${distinct ? 'DISTINCT ' : ''}${inner})`)
}

/** How often the right order of columns is shown, of the groups that have the right rows and a member in that order. */
export interface MemberFigure {
  readonly groups: number
  readonly prior: number
  /** The rule before: the share of all votes that its order has, less .15 if it turns round what the question names. */
  readonly fewestInversions: number
}

const OFF_INVERSION = 0.15

/** Measures the choice within groups on candidates of real systems. */
export const measureMembers = (questions: readonly RunQuestion[], model: ShapePriorModel): MemberFigure => {
  const expectAnswer = makeAnswerPrior(model)
  const figure = { groups: 0, prior: 0, fewestInversions: 0 }
  for (const { question, catalog, candidates, candidateVotes, labels } of questions) {
    const prior = expectAnswer(question, catalog)
    const shapes = new Map<string, SqlShape | null>()
    const ran = candidateVotes.flatMap(({ run }, at) => {
      if (run === null) return []
      const { sql } = candidates[at]!
      if (!shapes.has(sql)) shapes.set(sql, sqlShape(sql, catalog.dialect))
      const shape = shapes.get(sql) ?? null
      const columnOrder = shape === null ? null : prior.columnOrder(shape)
      return [{ ...run, columnOrder, isRight: labels[at]!.ex }]
    })
    for (const members of Map.groupBy(ran, ({ groupKey }) => groupKey).values()) {
      if (!members.some(({ isRight }) => isRight)) continue
      figure.groups += 1
      figure.prior += Number(members[chooseMember(members)]?.isRight)
      const scores = members.map(
        ({ columnsKey, evidence }) =>
          members.filter(other => other.columnsKey === columnsKey).length / candidateVotes.length -
          (evidence.columnInversions > 0 ? OFF_INVERSION : 0),
      )
      figure.fewestInversions += Number(members[scores.indexOf(Math.max(...scores))]?.isRight)
    }
  }
  return {
    groups: figure.groups,
    prior: figure.prior / figure.groups,
    fewestInversions: figure.fewestInversions / figure.groups,
  }
}

const WIDTH = 110

/** The text of a model's file: one cue a line, so that two models can be compared by eye. */
export const renderShapePrior = (model: ShapePriorModel): string =>
  `${JSON.stringify(model, null, 2).replace(
    /^( *(?:"(?:[^"\\]|\\.)*": )?)\[\n([^[\]{}]*?)\n *\]/gm,
    (whole, before: string, inside: string) => {
      const line = `${before}[${inside.trim().replace(/,\n\s*/g, ', ')}]`
      return line.length < WIDTH ? line : whole
    },
  )}\n`
