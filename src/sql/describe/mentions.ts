import { childrenOf } from '../tree/children.ts'
import type { Expression, QueryTree } from '../tree/query-tree.ts'
import type { ColumnName, PartValue, Sign } from './describe-sql.ts'
import { type NameScope, resolveName } from './name-scope.ts'

/** What an expression names. Queries inside it are handed out with what they see, because they have parts of their own. */
export interface Mentions {
  readonly tables: Set<string>
  readonly columns: ColumnName[]
  readonly values: PartValue[]
  readonly signs: Set<Sign>
  readonly queries: { readonly query: QueryTree; readonly names: NameScope }[]
}

export const noMentions = (): Mentions => ({
  tables: new Set(),
  columns: [],
  values: [],
  signs: new Set(),
  queries: [],
})

/** Gathers what an expression names into `into`. `comparedTo` is the column that a literal in it stands beside. */
export const gatherMentions = (
  expression: Expression,
  names: NameScope,
  into: Mentions,
  comparedTo: ColumnName | null = null,
): void => {
  const gather = (one: Expression, column: ColumnName | null = null): void =>
    gatherMentions(one, names, into, column)
  switch (expression.kind) {
    case 'column': {
      const meaning = resolveName(expression, names, true)
      if (meaning.kind === 'column') {
        into.columns.push({ table: meaning.table.name, column: meaning.column.name })
        into.tables.add(meaning.table.name)
      } else if (meaning.kind === 'expression') gatherMentions(meaning.expression, meaning.names, into)
      else if (meaning.kind === 'text')
        into.values.push({ value: meaning.value, kind: 'text', column: comparedTo })
      else into.columns.push({ table: null, column: expression.name })
      return
    }
    case 'star':
      return
    case 'text':
    case 'number':
      into.values.push({ value: expression.value, kind: expression.kind, column: comparedTo })
      return
    case 'constant':
      return
    case 'aggregate': {
      const sign = aggregateSigns[expression.fn]
      if (sign !== null) into.signs.add(sign)
      if (expression.distinct) into.signs.add('distinct')
      if (expression.argument !== null) gather(expression.argument)
      if (expression.filter !== null) gather(expression.filter)
      return
    }
    case 'call':
      for (const input of expression.inputs) gather(input, comparedTo)
      return
    case 'window':
      gather(expression.call)
      for (const one of expression.partitionBy) gather(one)
      for (const one of expression.orderBy) gather(one.expression)
      return
    case 'arithmetic':
      gather(expression.left)
      gather(expression.right)
      return
    case 'compare': {
      const sign = comparisonSigns[expression.operator]
      if (sign !== null) into.signs.add(sign)
      if (expression.operator === 'not like') into.signs.add('negation')
      gather(expression.left, columnOf(expression.right, names))
      gather(expression.right, columnOf(expression.left, names))
      return
    }
    case 'and':
    case 'or':
      if (expression.kind === 'or') into.signs.add('or')
      for (const operand of expression.operands) gather(operand)
      return
    case 'not':
      into.signs.add('negation')
      gather(expression.operand)
      return
    case 'between': {
      into.signs.add('between')
      if (expression.negated) into.signs.add('negation')
      gather(expression.operand)
      const column = columnOf(expression.operand, names)
      gather(expression.low, column)
      gather(expression.high, column)
      return
    }
    case 'in': {
      if (expression.negated) into.signs.add('negation')
      const { among } = expression
      gather(expression.operand)
      if (!Array.isArray(among)) into.queries.push({ query: among as QueryTree, names })
      else {
        if (among.length > 1) into.signs.add('or')
        const column = columnOf(expression.operand, names)
        for (const item of among as readonly Expression[]) gather(item, column)
      }
      return
    }
    case 'null-test':
      // `IS NOT NULL` excludes nothing that anybody would speak of.
      if (!expression.negated) into.signs.add('missing')
      gather(expression.operand)
      return
    case 'exists':
      if (expression.negated) into.signs.add('negation')
      into.queries.push({ query: expression.query, names })
      return
    case 'subquery':
      into.queries.push({ query: expression.query, names })
      return
    case 'case':
      for (const { when, value } of expression.branches) {
        gather(when)
        gather(value)
      }
      if (expression.otherwise !== null) gather(expression.otherwise)
      return
    // A plain query has none of these.
    case 'moment':
    case 'truncate':
    case 'date-part':
    case 'shift':
    case 'elapsed':
    case 'ratio':
    case 'percentile':
    case 'fragment':
    case 'paren':
    case 'cast':
    case 'is':
    case 'truth-test':
    case 'interval':
    case 'field':
    case 'named':
    case 'lambda':
    case 'type':
    case 'group':
    case 'unclear':
      for (const one of childrenOf(expression)) gather(one)
      return
    default: {
      const never: never = expression
      throw new Error(`No kind of expression: ${String(never)}`)
    }
  }
}

/** The column that an expression is, also inside a function that keeps its value. */
const columnOf = (expression: Expression, names: NameScope): ColumnName | null => {
  if (expression.kind === 'call' && expression.inputs.length === 1)
    return columnOf(expression.inputs[0] as Expression, names)
  if (expression.kind !== 'column') return null
  const meaning = resolveName(expression, names, true)
  if (meaning.kind === 'column') return { table: meaning.table.name, column: meaning.column.name }
  if (meaning.kind === 'expression') return columnOf(meaning.expression, meaning.names)
  return meaning.kind === 'unknown' ? { table: null, column: expression.name } : null
}

const aggregateSigns: Readonly<Record<Extract<Expression, { kind: 'aggregate' }>['fn'], Sign | null>> = {
  count: 'count',
  sum: 'sum',
  avg: 'average',
  min: 'lowest',
  max: 'highest',
  median: 'average',
  deviation: null,
  listed: null,
}

const comparisonSigns: Readonly<Record<Extract<Expression, { kind: 'compare' }>['operator'], Sign | null>> = {
  '=': null,
  '<>': 'negation',
  '<': 'less',
  '<=': 'at-most',
  '>': 'more',
  '>=': 'at-least',
  like: 'pattern',
  'not like': 'pattern',
}
