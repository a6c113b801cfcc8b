import type { Table } from '../../domain/catalog.ts'
import { type Comparison, compareOf, type Expression, type QueryTree } from '../tree/query-tree.ts'
import { describeExpression, isMoment, joinWords, kindOf, quoted } from './describe-expression.ts'
import { describeNested, describeRows } from './describe-query.ts'
import { innerScope, type NameScope, resolveName } from './name-scope.ts'
import { tableNoun } from './nouns.ts'

/** A condition as a clause: `the age is more than 20`. */
export const describeCondition = (condition: Expression, names: NameScope): string => {
  switch (condition.kind) {
    case 'and':
      if (condition.operands.length === 1)
        return describeCondition(condition.operands[0] as Expression, names)
      return joinWords(condition.operands.map(one => inside(one, names)))
    case 'or':
      return joinWords(
        condition.operands.map(one => inside(one, names)),
        'or',
      )
    case 'not':
      return `it is not so that ${describeCondition(condition.operand, names)}`
    case 'compare':
      return comparisonWords(condition, names)
    case 'between':
      return `${subject(condition.operand, names)} is ${condition.negated ? 'not ' : ''}between ${describeExpression(condition.low, names)} and ${describeExpression(condition.high, names)}`
    case 'in':
      return membershipWords(condition, names)
    case 'null-test':
      return `${subject(condition.operand, names)} is ${condition.negated ? 'known' : 'missing'}`
    case 'exists':
      return `there is ${condition.negated ? 'no' : 'a'} ${describeRows(condition.query, names)}`
    case 'constant':
      return condition.value === 'true' ? 'always' : 'never'
    default:
      return `${subject(condition, names)} is true`
  }
}

const inside = (condition: Expression, names: NameScope): string => {
  const words = describeCondition(condition, names)
  return condition.kind === 'and' || condition.kind === 'or' ? `(${words})` : words
}

/** A value takes no article. */
const subject = (expression: Expression, names: NameScope): string => {
  const words = describeExpression(expression, names)
  return /^[“\d-]|^(?:the|whether|now|today)\b/.test(words) ? words : `the ${words}`
}

const comparisonWords = (
  { operator, quantifier, left, right }: Extract<Expression, { kind: 'compare' }>,
  names: NameScope,
): string => {
  // `20 < age` reads better the other way round.
  if (isLiteral(left) && !isLiteral(right) && quantifier === null && operator in mirrored)
    return comparisonWords(compareOf(mirrored[operator as keyof typeof mirrored], right, left), names)
  const what = subject(left, names)
  if ((operator === 'like' || operator === 'not like') && right.kind === 'text')
    return `${what} ${patternWords(right.value, operator === 'not like')}`
  const moment = isMoment(kindOf(left, names))
  const value = right.kind === 'subquery' ? describeNested(right.query, names) : subject(right, names)
  const any = quantifier === null ? '' : quantifier === 'all' ? 'each of ' : 'any of '
  return `${what} ${(moment ? momentOperators : operators)[operator]} ${any}${value}`
}

const isLiteral = ({ kind }: Expression): boolean => kind === 'text' || kind === 'number'

const mirrored = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const

const operators: Readonly<Record<Comparison, string>> = {
  '=': 'is',
  '<>': 'is not',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is more than',
  '>=': 'is at least',
  like: 'looks like',
  'not like': 'does not look like',
}

const momentOperators: Readonly<Record<Comparison, string>> = {
  ...operators,
  '<': 'is before',
  '<=': 'is on or before',
  '>': 'is after',
  '>=': 'is on or after',
}

/** What a LIKE pattern asks for, in words. */
const patternWords = (pattern: string, negated: boolean): string => {
  const [, start, middle = '', end] = /^(%?)([^%_]*)(%?)$/.exec(pattern) ?? []
  const not = negated ? 'does not ' : ''
  if (start === undefined) return `${negated ? 'does not look' : 'looks'} like ${quoted(pattern)}`
  if (start !== '' && end !== '') return `${negated ? `${not}contain` : 'contains'} ${quoted(middle)}`
  if (start !== '') return `${negated ? `${not}end` : 'ends'} with ${quoted(middle)}`
  if (end !== '') return `${negated ? `${not}begin` : 'begins'} with ${quoted(middle)}`
  return `is ${negated ? 'not ' : ''}${quoted(middle)}`
}

const membershipWords = (
  { operand, among, negated }: Extract<Expression, { kind: 'in' }>,
  names: NameScope,
): string => {
  const what = subject(operand, names)
  if (!isQuery(among)) {
    const items = joinWords(
      among.map(item => describeExpression(item, names)),
      'or',
    )
    return `${what} is ${negated ? 'not ' : ''}${items}`
  }
  const keyed = keyedSubquery(operand, among, names)
  if (keyed !== null)
    return `the ${tableNoun(keyed.table, names)} has ${negated ? 'no' : 'a'} ${describeRows(among, names)}`
  return `${what} is ${negated ? 'not ' : ''}among ${describeNested(among, names)}`
}

const isQuery = (among: readonly Expression[] | QueryTree): among is QueryTree => !Array.isArray(among)

/**
 * Whether `x IN (SELECT y ...)` asks for rows that have partners: x is its table's key, and y a column of one other
 * table that is not grouped. Null where it does not, else the table of x.
 */
const keyedSubquery = (
  operand: Expression,
  query: QueryTree,
  names: NameScope,
): { readonly table: Table } | null => {
  if (
    operand.kind !== 'column' ||
    query.kind !== 'select' ||
    query.groupBy.length > 0 ||
    query.limit !== null
  )
    return null
  const outer = resolveName(operand, names)
  const inside = innerScope(query, names)
  const [output, ...others] = query.outputs
  if (output?.expression.kind !== 'column' || others.length > 0 || inside.sources.length !== 1) return null
  const inner = resolveName(output.expression, inside)
  if (outer.kind !== 'column' || inner.kind !== 'column' || outer.table === inner.table) return null
  const { primaryKey } = outer.table
  return primaryKey.length === 1 && primaryKey[0] === outer.column.name ? { table: outer.table } : null
}
