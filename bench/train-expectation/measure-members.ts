import { chooseMember } from '../../src/ranking/features/measure-groups.ts'
import { makeAnswerPrior } from '../../src/ranking/shape-prior/answer-prior.ts'
import type { ShapePriorModel } from '../../src/ranking/shape-prior/shape-prior-model.ts'
import { type SqlShape, sqlShape } from '../../src/sql/sql-shape.ts'
import type { RunQuestion } from './read-pools.ts'

/** How often the right order of columns is shown, of the groups that have the right rows and a member in that order. */
export interface MemberFigure {
  readonly groups: number
  readonly expectation: number
  /** The rule before: the share of all votes that its order has, less .15 if it turns round what the question names. */
  readonly fewestInversions: number
}

const OFF_INVERSION = 0.15

/** Measures the choice within groups on candidates of real systems. */
export const measureMembers = (questions: readonly RunQuestion[], model: ShapePriorModel): MemberFigure => {
  const expectAnswer = makeAnswerPrior(model)
  const figure = { groups: 0, expectation: 0, fewestInversions: 0 }
  for (const { question, catalog, candidates, ballots, labels } of questions) {
    const expectation = expectAnswer(question, catalog)
    const shapes = new Map<string, SqlShape | null>()
    const ran = ballots.flatMap(({ run }, at) => {
      if (run === null) return []
      const { sql } = candidates[at]!
      if (!shapes.has(sql)) shapes.set(sql, sqlShape(sql, catalog.dialect))
      const shape = shapes.get(sql) ?? null
      const columnOrder = shape === null ? null : expectation.columnOrder(shape)
      return [{ ...run, columnOrder, isRight: labels[at]!.ex }]
    })
    for (const members of Map.groupBy(ran, ({ groupKey }) => groupKey).values()) {
      if (!members.some(({ isRight }) => isRight)) continue
      figure.groups += 1
      figure.expectation += Number(members[chooseMember(members)]?.isRight)
      const scores = members.map(
        ({ columnsKey, evidence }) =>
          members.filter(other => other.columnsKey === columnsKey).length / ballots.length -
          (evidence.columnInversions > 0 ? OFF_INVERSION : 0),
      )
      figure.fewestInversions += Number(members[scores.indexOf(Math.max(...scores))]?.isRight)
    }
  }
  return {
    groups: figure.groups,
    expectation: figure.expectation / figure.groups,
    fewestInversions: figure.fewestInversions / figure.groups,
  }
}
