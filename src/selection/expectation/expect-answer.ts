import type { Catalog } from '../../core/catalog.ts'
import type { SqlShape } from '../../sql/sql-shape.ts'
import { makeColumnOrderPrior } from './expect-column-order.ts'
import { type ColumnsScore, makeColumnsPrior } from './expect-columns.ts'
import { makeShapePrior, type ShapeScore } from './expect-shape.ts'
import type { ShapePriorModel } from './expectation-model.ts'
import { findMentions } from './read-question.ts'

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
