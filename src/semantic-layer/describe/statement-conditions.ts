import type { AnswerCondition, AnswerPeriod, AnswerSubject } from '../../domain/metrics/answer-meaning.ts'
import type { Understanding } from '../../domain/question-context.ts'
import { addDays } from '../../lib/format-figure.ts'
import { conjunctsOf } from '../../sql/analyze/query-key.ts'
import { rowTable, splitJoins } from '../../sql/describe/joins.ts'
import { innerScope, type NameScope } from '../../sql/describe/name-scope.ts'
import type { Expression, QueryTree, SelectTree } from '../../sql/tree/query-tree.ts'
import type { LayerIndex } from '../compile/layer-index.ts'
import {
  comparisonWords,
  inSentence,
  isParticiple,
  matchWords,
  missingWords,
  relatedWords,
  valueWords,
} from './condition-words.ts'
import { columnMeaning, dimensionOf, grainOf } from './statement-columns.ts'

/** The conditions of a SELECT: a period by days of one date, and words for the others. */
export const conditionsOf = (
  select: SelectTree,
  {
    names,
    index,
    spans,
    isList,
  }: {
    readonly names: NameScope
    readonly index: LayerIndex
    readonly spans: Understanding['spans']
    readonly isList: boolean
  },
): Pick<AnswerSubject, 'conditions' | 'period' | 'isComplete'> => {
  const { filters, joined } = splitJoins(select, names)
  const all = [...filters.flatMap(conjunctsOf), ...joined.flatMap(({ condition }) => conjunctsOf(condition))]
  const bounds = new Map(all.map(one => [one, boundOf(one, names, index)] as const))
  const dated = [...bounds.values()].find(bound => bound !== null)
  const own = [...bounds].filter(([, bound]) => bound !== null && bound.key === dated?.key)
  const from = own.map(([, bound]) => bound?.from ?? null).findLast(day => day !== null) ?? null
  const until = own.map(([, bound]) => bound?.until ?? null).findLast(day => day !== null) ?? null
  const rest = all.filter(one => !own.some(([condition]) => condition === one))
  const having = conjunctsOf(select.having)
  const words = [...rest, ...having].map(one => wordsOf(one, names, index))
  const verb = isList && dated && isParticiple(dated.label) ? dated.label : null
  const period: AnswerPeriod | null = dated
    ? {
        from,
        until,
        verb,
        phrase: spans.find(span => span.from === from && span.until === until)?.phrase ?? null,
      }
    : null
  return {
    period,
    conditions: words.filter(one => one !== null),
    isComplete: !words.includes(null) && select.qualify === null,
  }
}

/** Days that a condition on a date keeps. */
interface Bound {
  readonly key: string
  readonly label: string
  readonly from: string | null
  readonly until: string | null
}

const boundOf = (condition: Expression, names: NameScope, index: LayerIndex): Bound | null => {
  if (condition.kind === 'between' && !condition.negated) {
    const column = momentOf(condition.operand, names, index)
    const [low, high] = [dayOf(condition.low), dayOf(condition.high)]
    return column && low && high ? { ...column, from: low, until: nextDay(high) } : null
  }
  if (condition.kind !== 'compare' || condition.quantifier !== null) return null
  const { left, right, operator } = condition
  const grain = grainOf(left)
  if (grain?.kind === 'period' && operator === '=' && left.kind === 'call') {
    const column = left.inputs.map(input => momentOf(input, names, index)).find(one => one !== null)
    const span = periodOf(right, grain.grain)
    if (column && span) return { ...column, ...span }
  }
  const column = momentOf(left, names, index)
  const day = dayOf(right)
  if (column === null || day === null) return null
  switch (operator) {
    case '>=':
      return { ...column, from: day, until: null }
    case '>':
      return { ...column, from: nextDay(day), until: null }
    case '<':
      return { ...column, from: null, until: day }
    case '<=':
      return { ...column, from: null, until: nextDay(day) }
    case '=':
      return { ...column, from: day, until: nextDay(day) }
    default:
      return null
  }
}

/** The date that an expression is about, also as a day of it or in a time zone. */
const momentOf = (
  expression: Expression,
  names: NameScope,
  index: LayerIndex,
): Pick<Bound, 'key' | 'label'> | null => {
  if (expression.kind === 'call' && /^(?:date|timezone|datetime|timestamp)$/.test(expression.name)) {
    const inner = expression.inputs.find(({ kind }) => kind !== 'text')
    return inner ? momentOf(inner, names, index) : null
  }
  const compared = dimensionOf(expression, names, index)
  if (compared === null || (compared.dimension.type !== 'date' && compared.dimension.type !== 'timestamp'))
    return null
  const { model, dimension } = compared
  return { key: `${model.model.name}.${dimension.name}`, label: inSentence(dimension.label) }
}

/** A day that is written out; midnight is its start. */
const dayOf = (expression: Expression): string | null => {
  if (expression.kind === 'call' && /^(?:date|timezone|datetime|timestamp)$/.test(expression.name)) {
    const [first, second] = expression.inputs
    const inner = expression.name === 'timezone' ? second : first
    return inner && expression.inputs.length <= 2 ? dayOf(inner) : null
  }
  if (expression.kind !== 'text') return null
  return (
    /^(\d{4}-\d{2}-\d{2})(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00(?::?00)?)?)?$/.exec(
      expression.value,
    )?.[1] ?? null
  )
}

const periodOf = (expression: Expression, grain: string): Pick<Bound, 'from' | 'until'> | null => {
  const text = expression.kind === 'text' || expression.kind === 'number' ? expression.value : ''
  const [, year, month] = /^(\d{4})(?:-(\d{2}))?(?:-01)?$/.exec(text) ?? []
  if (year === undefined) return null
  if (grain === 'year') return { from: `${year}-01-01`, until: `${Number(year) + 1}-01-01` }
  if (grain !== 'month' || month === undefined) return null
  const next =
    month === '12' ? `${Number(year) + 1}-01` : `${year}-${String(Number(month) + 1).padStart(2, '0')}`
  return { from: `${year}-${month}-01`, until: `${next}-01` }
}

const nextDay = (day: string): string => addDays(day, 1)

/** A condition in words; null if it has no short ones. */
const wordsOf = (condition: Expression, names: NameScope, index: LayerIndex): AnswerCondition | null => {
  const at = (expression: Expression) => dimensionOf(textual(expression), names, index)
  switch (condition.kind) {
    case 'column': {
      const compared = at(condition)
      return compared && valueWords(compared, [true], false)
    }
    case 'not': {
      const { operand } = condition
      if (operand.kind === 'column') {
        const compared = at(operand)
        return compared && valueWords(compared, [true], true)
      }
      const inner = wordsOf(operand, names, index)
      return inner && operand.kind === 'compare' && operand.operator === '='
        ? { words: `not ${inner.words}`, kind: 'value' }
        : null
    }
    case 'or': {
      const inner = condition.operands.map(one => wordsOf(one, names, index))
      return inner.includes(null) ? null : { words: inner.map(one => one?.words).join(' or '), kind: 'value' }
    }
    case 'compare':
      return comparedWords(condition, names, index)
    case 'between': {
      const compared = at(condition.operand)
      const [low, high] = [literalOf(condition.low), literalOf(condition.high)]
      if (!compared || low === null || high === null || condition.negated) return null
      const [least, most] = [comparisonWords(compared, '>=', low), comparisonWords(compared, '<=', high)]
      return {
        words: `${least.words} and ${most.words.replace(`${inSentence(compared.dimension.label)} `, '')}`,
        kind: 'measure',
      }
    }
    case 'in': {
      const { operand, among, negated } = condition
      if (!Array.isArray(among)) return partnerWords(among as QueryTree, negated, names, index)
      const compared = at(operand)
      const values = (among as readonly Expression[]).map(literalOf)
      return compared && !values.includes(null)
        ? valueWords(
            compared,
            values.filter(value => value !== null),
            negated,
          )
        : null
    }
    case 'null-test': {
      const compared = at(condition.operand)
      return compared && !compared.dimension.isKey ? missingWords(compared, condition.negated) : null
    }
    case 'exists':
      return partnerWords(condition.query, condition.negated, names, index)
    default:
      return null
  }
}

const comparedWords = (
  { operator, variant, quantifier, left, right }: Extract<Expression, { kind: 'compare' }>,
  names: NameScope,
  index: LayerIndex,
): AnswerCondition | null => {
  if (quantifier !== null || (variant !== null && variant !== 'no-case')) return null
  if (left.kind === 'aggregate') {
    const { label, unit } = columnMeaning(
      { expression: left, alias: null },
      { names, index, isGrouped: true },
    )
    const number = literalOf(right)
    if (typeof number !== 'number' || operator === 'like' || operator === 'not like') return null
    const dimension = { label, unit: unit?.kind === 'count' ? null : unit, type: 'number' as const }
    const { words } = comparisonWords({ dimension } as never, operator, number)
    return { words, kind: 'measure' }
  }
  const compared = dimensionOf(textual(left), names, index)
  if (compared === null) return null
  if (right.kind === 'subquery')
    return besideWords(inSentence(compared.dimension.label), operator, right.query)
  const value = literalOf(right)
  if (value === null) return null
  if (operator === 'like' || operator === 'not like') {
    const [, start, text, end] = /^(%?)([^%_]*)(%?)$/.exec(String(value)) ?? []
    if (text === undefined) return null
    const negated = operator === 'not like'
    if (start === '' && end === '') return valueWords(compared, [text], negated)
    const place = start !== '' && end !== '' ? 'anywhere' : start !== '' ? 'end' : 'start'
    return matchWords(compared, text, { place, negated })
  }
  return comparisonWords(compared, operator, value)
}

/** `price above the average`, `the highest price`. */
const besideWords = (label: string, operator: string, query: QueryTree): AnswerCondition | null => {
  const [output, ...others] = query.kind === 'select' && query.where === null ? query.outputs : []
  if (output?.expression.kind !== 'aggregate' || others.length > 0) return null
  const { fn } = output.expression
  if (operator === '=' && (fn === 'max' || fn === 'min'))
    return { words: `the ${fn === 'max' ? 'highest' : 'lowest'} ${label}`, kind: 'measure' }
  if (fn !== 'avg') return null
  const side = operator.startsWith('>') ? 'above' : operator.startsWith('<') ? 'below' : null
  return side && { words: `${label} ${side} average`, kind: 'measure' }
}

/** Rows that a subquery has, or does not have, a partner for. */
const partnerWords = (
  query: QueryTree,
  negated: boolean,
  outer: NameScope,
  index: LayerIndex,
): AnswerCondition | null => {
  if (query.kind !== 'select' || query.groupBy.length > 0 || query.limit !== null) return null
  const names = innerScope(query, outer)
  const table = rowTable(query, names)
  const model = table === null ? undefined : [...index.models.values()].find(one => one.table === table)
  if (model === undefined) return null
  const own = outer.sources.flatMap(source => (source.table === null ? [] : [source.table]))
  const { filters } = splitJoins(query, names)
  const inner = filters.flatMap(conjunctsOf).filter(one => !linksOut(one))
  const words = inner.map(one => wordsOf(one, names, index))
  return own.includes(model.table) || words.includes(null)
    ? null
    : relatedWords(
        model,
        words.filter(one => one !== null),
        negated,
      )
}

const linksOut = (condition: Expression): boolean =>
  condition.kind === 'compare' && condition.left.kind === 'column' && condition.right.kind === 'column'

/** `lower(name)` is compared as `name` is. */
const textual = (expression: Expression): Expression =>
  expression.kind === 'call' && /^(?:lower|upper|trim)$/.test(expression.name) && expression.inputs[0]
    ? expression.inputs[0]
    : expression

const literalOf = (expression: Expression): string | number | boolean | null => {
  if (expression.kind === 'text') return expression.value
  if (expression.kind === 'number') return Number(expression.value)
  if (expression.kind === 'constant' && expression.value !== 'null') return expression.value === 'true'
  return expression.kind === 'call' && expression.name === 'lower' && expression.inputs[0]
    ? literalOf(expression.inputs[0])
    : null
}
