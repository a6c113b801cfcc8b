import type { StatementPartKind } from '../../../core/observation.ts'
import type { SqlLiteral } from '../../../sql/sql-literals.ts'
import type { SqlReferences } from '../../../sql/sql-references.ts'
import type { SqlShape } from '../../../sql/sql-shape.ts'
import { shortHash } from '../short-hash.ts'

/**
 * The parts that a statement is made of, hashed, so that candidates can be compared part by part: how often each part
 * recurs among the candidates tells which of them are odd ones out (sub-clause frequency, arXiv 2505.23804).
 */
export const statementParts = (read: {
  readonly shape: SqlShape | null
  readonly references: SqlReferences | null
  readonly literals: readonly SqlLiteral[] | null
  readonly skeleton: string | null
}): Readonly<Record<StatementPartKind, readonly string[]>> => ({
  table: hashed(read.references?.tables.map(({ name }) => name) ?? []),
  column: hashed(read.references?.columns.map(({ table, column }) => `${table ?? ''}.${column}`) ?? []),
  clause: hashed(read.shape === null ? [] : clausesOf(read.shape)),
  literal: hashed(
    read.literals?.map(
      ({ value, column }) => `${value}@${column === null ? '' : `${column.table ?? ''}.${column.column}`}`,
    ) ?? [],
  ),
  skeleton: hashed(read.skeleton === null ? [] : [read.skeleton]),
})

const hashed = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts.map(text => shortHash(text.toLowerCase())))].sort()

/** Every fact of the shape that is the same for all ways to spell it. */
const clausesOf = (shape: SqlShape): readonly string[] => [
  `distinct ${shape.distinct}`,
  `sources ${shape.sources}`,
  `outer ${shape.outerJoins}`,
  `group ${shape.groupBy.length}`,
  `having ${shape.having?.aggregate ?? (shape.having === null ? 'none' : 'plain')}`,
  `order ${shape.orderBy.length}`,
  `limit ${shape.limit === null ? 'none' : shape.limit === 1 ? 'one' : 'some'}`,
  `set ${shape.setOperation ?? 'none'}`,
  `nested ${shape.nested}`,
  `ands ${shape.ands}`,
  `ors ${shape.ors}`,
  `items ${shape.items.length}`,
  `star ${shape.items.some(({ star, aggregate }) => star && aggregate === null)}`,
  `counts-different ${shape.items.some(({ distinct }) => distinct)}`,
  ...shape.orderBy.map(({ direction, aggregate, column }) => `by ${aggregate} ${column} ${direction}`),
  ...shape.items.map(({ aggregate, column }) => `shows ${aggregate} ${column}`),
  ...Object.entries(shape.comparisons).map(([name, times]) => `compares ${name} ${times}`),
]
