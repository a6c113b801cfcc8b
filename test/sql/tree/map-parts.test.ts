import { expect, test } from 'vitest'
import { parseSql } from '../../../src/sql/parse/parse-sql.ts'
import { readStatements } from '../../../src/sql/parse/read-statements.ts'
import { childrenOf } from '../../../src/sql/tree/children.ts'
import { mapParts } from '../../../src/sql/tree/map-parts.ts'
import type { Expression } from '../../../src/sql/tree/query-tree.ts'
import { harmless } from '../../databases/guard/fuzz/fuzz-corpus.ts'

/** Every expression of a statement, with those of its queries. */
const allExpressions = (expression: Expression): readonly Expression[] => {
  const inside: Expression[] = [...childrenOf(expression)]
  if (expression.kind === 'subquery' || expression.kind === 'exists') {
    const { query } = expression
    if (query.kind === 'select') inside.push(...query.outputs.map(output => output.expression))
    if (query.kind === 'select' && query.where !== null) inside.push(query.where)
  }
  return [expression, ...inside.flatMap(allExpressions)]
}

const expressions = harmless.flatMap(({ sql, dialect }) => {
  const parsed = parseSql(sql, dialect)
  return parsed.ok ? readStatements(parsed.tree).flatMap(allExpressions) : []
})

test('mapping sees the same parts as walking, and keeps what it does not change', () => {
  expect(new Set(expressions.map(({ kind }) => kind)).size).toBeGreaterThan(20)
  for (const expression of expressions) {
    const seen: Expression[] = []
    const copy = mapParts(
      expression,
      part => {
        seen.push(part)
        return part
      },
      query => query,
    )
    expect(copy).toEqual(expression)
    expect(new Set(seen)).toEqual(new Set(childrenOf(expression)))
    expect(seen).toHaveLength(childrenOf(expression).length)
  }
})
