import type { Catalog } from '../../core/catalog.ts'
import type { SqlShape } from '../../sql/sql-shape.ts'
import { makeExpectColumnOrder } from './expect-column-order.ts'
import { type ColumnsExpectation, makeExpectColumns } from './expect-columns.ts'
import { makeExpectShape, type ShapeExpectation } from './expect-shape.ts'
import type { ExpectationModel } from './expectation-model.ts'
import { readQuestion } from './read-question.ts'

/** What one query of a question is measured against: its clauses, what it shows, and in which order. */
export interface Expectation {
  readonly shape: (shape: SqlShape) => ShapeExpectation
  readonly columns: (shape: SqlShape) => ColumnsExpectation
  readonly columnOrder: (shape: SqlShape) => number
}

/** Reads what a question leads one to expect, once; each query of it is then judged in microseconds. */
export const makeExpectAnswer =
  (model: ExpectationModel) =>
  (question: string, catalog: Catalog): Expectation => {
    const reading = readQuestion(question, catalog)
    return {
      shape: makeExpectShape(model, reading),
      columns: makeExpectColumns(model, reading),
      columnOrder: makeExpectColumnOrder(model, reading),
    }
  }
