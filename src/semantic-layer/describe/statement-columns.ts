import type { ColumnMeaning } from '../../domain/metrics/answer-meaning.ts'
import type { DateUnit } from '../../domain/metrics/metric-query.ts'
import type { Dimension, SemanticModel, Unit } from '../../domain/metrics/semantic-layer.ts'
import { capitalize } from '../../lib/capitalize.ts'
import { expressionKey } from '../../sql/analyze/query-key.ts'
import { describeExpression } from '../../sql/describe/describe-expression.ts'
import { rowTable } from '../../sql/describe/joins.ts'
import { type NameScope, resolveName } from '../../sql/describe/name-scope.ts'
import { readQueryTree } from '../../sql/rewrite/plain-query.ts'
import { childrenOf } from '../../sql/tree/children.ts'
import { mapParts } from '../../sql/tree/map-parts.ts'
import type { Expression, Output } from '../../sql/tree/query-tree.ts'
import type { IndexedModel, LayerIndex } from '../compile/layer-index.ts'
import { columnLabel } from '../propose/names.ts'
import { type ComparedDimension, inSentence, pluralOf } from './condition-words.ts'

/** The dimension that an expression shows, looked up through subqueries; null if it is more than a column. */
export const dimensionOf = (
  expression: Expression,
  names: NameScope,
  index: LayerIndex,
): ComparedDimension | null => {
  if (expression.kind !== 'column') return null
  const found = resolveName(expression, names, true)
  if (found.kind === 'expression') return dimensionOf(found.expression, found.names, index)
  if (found.kind !== 'column') return null
  for (const model of index.models.values()) {
    if (model.table !== found.table) continue
    const dimension = model.model.dimensions.find(
      one => one.expression.kind === 'column' && one.expression.column === found.column.name,
    )
    if (dimension) return { model, dimension }
  }
  return null
}

/** Whether an expression puts several rows together, also inside of a subquery that it comes from. */
export const holdsAggregate = (expression: Expression): boolean =>
  expression.kind === 'aggregate' ||
  (expression.kind !== 'window' && childrenOf(expression).some(holdsAggregate))

/** Follows a name to the expression of the subquery that gives it. */
const followed = (
  expression: Expression,
  names: NameScope,
): { readonly expression: Expression; readonly names: NameScope; readonly label: string | null } => {
  if (expression.kind !== 'column') return { expression, names, label: null }
  const found = resolveName(expression, names, true)
  if (found.kind !== 'expression') return { expression, names, label: null }
  const inner = followed(found.expression, found.names)
  return { ...inner, label: found.label }
}

/** What a column of a statement's result means. `isGrouped`: its rows stand for several others. */
export const columnMeaning = (
  { expression: written, alias }: Output,
  {
    names: outer,
    index,
    isGrouped,
  }: { readonly names: NameScope; readonly index: LayerIndex; readonly isGrouped: boolean },
): ColumnMeaning => {
  const { expression, names, label } = followed(unwrapped(written), outer)
  const called = alias ?? label
  const grain = grainOf(expression)
  if (grain !== null)
    return grain.kind === 'period'
      ? { label: capitalize(grain.grain), role: grain, unit: null }
      : { label: grain.part === 'hour' ? 'Hour' : 'Month', role: grain, unit: null }
  const compared = dimensionOf(expression, names, index)
  if (compared !== null) return dimensionMeaning(compared, isGrouped)
  const said = called === null || !isTelling(columnLabel(called)) ? null : columnLabel(called)
  if (expression.kind === 'window') {
    const isRank = expression.call.kind === 'call' && /rank|row_number/.test(expression.call.name)
    return isRank
      ? { label: 'Rank', role: { kind: 'detail' }, unit: null }
      : figure(said ?? described(expression, names), unitOfExpression(expression.call, names, index), false)
  }
  if (expression.kind === 'aggregate') {
    const own = aggregateLabel(expression, said, names, index)
    const isAdditive = !expression.distinct && (expression.fn === 'sum' || expression.fn === 'count')
    const unit = unitOfExpression(expression, names, index)
    const type = extremeType(expression, names, index)
    if (type === 'categorical')
      return {
        label: said ?? `${expression.fn === 'min' ? 'First' : 'Last'} in the alphabet`,
        role: { kind: 'detail' },
        unit: null,
      }
    if (type === 'date' || type === 'timestamp')
      return { label: own ?? said ?? 'Date', role: { kind: 'moment' }, unit: null }
    return figure(own ?? said ?? described(expression, names), unit, isAdditive)
  }
  if (holdsAggregate(expression) || (!isGrouped && isNumeric(expression)))
    return figure(said ?? described(expression, names), unitOfExpression(expression, names, index), false)
  return {
    label: said ?? described(expression, names),
    role: isGrouped ? { kind: 'category', isOrdered: false } : { kind: 'detail' },
    unit: null,
  }
}

/** Rounding and casts leave what a number means. */
const unwrapped = (expression: Expression): Expression => {
  if (expression.kind !== 'call') return expression
  const [first] = expression.inputs
  return transparent.has(expression.name) && first ? unwrapped(first) : expression
}

const transparent: ReadonlySet<string> = new Set(['round', 'coalesce', 'ifnull', 'trim', 'truncate', 'trunc'])

const figure = (label: string, unit: Unit | null, isAdditive: boolean): ColumnMeaning => ({
  label,
  role: { kind: 'figure', of: 'value', goodDirection: null, isAdditive },
  unit,
})

const isNumeric = ({ kind }: Expression): boolean => kind === 'arithmetic'

const dimensionMeaning = ({ model, dimension }: ComparedDimension, isGrouped: boolean): ColumnMeaning => {
  const { label, nameDimensions } = model.model
  const isName = nameDimensions.includes(dimension.name) && !dimension.isKey
  const isAlone = isName && nameDimensions.length === 1
  const isMoment = dimension.type === 'date' || dimension.type === 'timestamp'
  const role = isName
    ? ({ kind: 'name' } as const)
    : isMoment && !(isGrouped && dimension.type === 'date')
      ? ({ kind: 'moment' } as const)
      : isGrouped
        ? dimension.type === 'date'
          ? ({ kind: 'period', grain: 'day' } as const)
          : dimension.type === 'boolean'
            ? ({ kind: 'flag' } as const)
            : ({ kind: 'category', isOrdered: dimension.type === 'number' } as const)
        : ({ kind: 'detail' } as const)
  return {
    label: isAlone ? label : dimension.label,
    role,
    unit: role.kind === 'name' ? null : dimension.unit,
  }
}

/** Aliases such as `n`, `c1` or `count` tell a reader nothing. */
const isTelling = (alias: string): boolean =>
  alias.length > 2 && !/^(?:count|sum|avg|min|max|total|value|result|num|cnt|expr)\d*$/i.test(alias)

const LONGEST_LABEL = 40

const described = (expression: Expression, names: NameScope): string => {
  const words = describeExpression(expression, names)
  return words.length <= LONGEST_LABEL ? capitalize(words) : 'Value'
}

type Aggregate = Extract<Expression, { kind: 'aggregate' }>

/** What a lowest or highest value is of; null for any other aggregate. */
const extremeType = (
  { fn, argument }: Aggregate,
  names: NameScope,
  index: LayerIndex,
): Dimension['type'] | null =>
  (fn === 'min' || fn === 'max') && argument
    ? (dimensionOf(argument, names, index)?.dimension.type ?? null)
    : null

/** An aggregate by the metric of the layer that it is, else by what it aggregates; null if nothing short says it. */
const aggregateLabel = (
  aggregate: Aggregate,
  said: string | null,
  names: NameScope,
  index: LayerIndex,
): string | null => {
  const { fn, distinct, argument, filter } = aggregate
  if (filter !== null) return null
  if (fn === 'count') return countLabel(argument, distinct, names, index)
  const metric = argument && metricOf(aggregate, names, index)
  if (metric ?? said) return metric ?? said
  const compared = argument && dimensionOf(argument, names, index)
  if (!compared) return null
  const { dimension } = compared
  const isMoment = dimension.type === 'date' || dimension.type === 'timestamp'
  const head = isMoment && fn === 'min' ? 'First' : isMoment && fn === 'max' ? 'Latest' : heads[fn]
  return head === undefined ? null : `${head} ${inSentence(dimension.label)}`
}

const heads: Readonly<Partial<Record<Aggregate['fn'], string>>> = {
  sum: 'Total',
  avg: 'Average',
  min: 'Lowest',
  max: 'Highest',
  median: 'Median',
  deviation: 'Standard deviation of',
}

/** What is counted: `Orders`, `Different cities`. */
const countLabel = (
  argument: Expression | null,
  distinct: boolean,
  names: NameScope,
  index: LayerIndex,
): string | null => {
  const table = names.select === null ? null : rowTable(names.select, names)
  const rows = table === null ? undefined : modelOfTable(index, table)
  const ofRows = rows ? capitalize(rows.plural) : null
  if (argument === null || argument.kind === 'number' || argument.kind === 'star') return ofRows
  const compared = dimensionOf(argument, names, index)
  if (compared === null) return null
  const { model, dimension } = compared
  const column = dimension.expression.kind === 'column' ? dimension.expression.column : null
  if (column !== null && model.model.primaryKey.length === 1 && model.model.primaryKey[0] === column)
    return capitalize(model.model.plural)
  const join = model.model.joins.find(({ columns }) => columns.length === 1 && columns[0]?.from === column)
  const target = join && index.models.get(join.to)
  if (target && distinct) return capitalize(target.model.plural)
  if (distinct) return `Different ${pluralOf(inSentence(dimension.label))}`
  return ofRows
}

/** The model of a table of the catalog. */
export const modelOfTable = (index: LayerIndex, table: IndexedModel['table']): SemanticModel | undefined =>
  [...index.models.values()].find(model => model.table === table)?.model

/** The label of a metric without filters that aggregates the same. */
const metricOf = ({ fn, argument }: Aggregate, names: NameScope, index: LayerIndex): string | null => {
  if (argument === null) return null
  const key = plainKey(argument)
  const read = new Set([...names.sources].flatMap(({ table }) => (table === null ? [] : [table])))
  for (const metric of index.metrics.values()) {
    if (metric.kind !== 'simple' || metric.filters.length > 0 || metric.expression === null) continue
    if (metric.aggregation !== fn) continue
    const model = index.models.get(metric.model)
    if (model === undefined || !read.has(model.table)) continue
    const { expression } = metric
    const own =
      expression.kind === 'column'
        ? expression.column.toLowerCase()
        : expression.kind === 'sql'
          ? textKey(expression.text, names)
          : null
    const compared = dimensionOf(argument, names, index)
    // A metric that is called as its column does not say how it is aggregated.
    const isNamed = metric.label !== compared?.dimension.label
    if (own === key && isNamed && (compared === null || compared.model === model)) return metric.label
  }
  return null
}

/** The key of an expression without whose its columns are. */
const plainKey = (expression: Expression): string => {
  const bare = (part: Expression): Expression =>
    part.kind === 'column'
      ? { ...part, outer: [], qualifier: null, name: part.name.toLowerCase() }
      : mapParts(part, bare, query => query)
  const plain = bare(expression)
  return plain.kind === 'column' ? plain.name : expressionKey(plain)
}

const textKey = (text: string, { catalog }: NameScope): string | null => {
  const query = readQueryTree(`SELECT ${text}`, catalog.dialect)
  const output = query?.kind === 'select' ? query.outputs[0] : undefined
  return output ? plainKey(output.expression) : null
}

/** What a number is measured in, as far as the columns that it is made of say so. */
export const unitOfExpression = (written: Expression, names: NameScope, index: LayerIndex): Unit | null => {
  const { expression, names: own } = followed(unwrapped(written), names)
  const of = (part: Expression): Unit | null => unitOfExpression(part, own, index)
  switch (expression.kind) {
    case 'column':
      return dimensionOf(expression, own, index)?.dimension.unit ?? null
    case 'aggregate':
      if (expression.fn === 'count') return { kind: 'count' }
      return expression.argument === null || expression.fn === 'listed' ? null : of(expression.argument)
    case 'arithmetic': {
      const { operator, left, right } = expression
      if (operator === '+' || operator === '-') return of(left) ?? of(right)
      if (operator === '*') return scaled(of(left), right, false) ?? scaled(of(right), left, false)
      if (operator !== '/') return null
      const percent = percentOf(left, right, of)
      if (percent) return percent
      return right.kind === 'number' ? scaled(of(left), right, true) : ratioUnit(of(left), of(right))
    }
    case 'call':
      return expression.name === 'nullif' && expression.inputs[0] ? of(expression.inputs[0]) : null
    default:
      return null
  }
}

/** `100.0 * a / b` of two numbers of a kind. */
const percentOf = (
  left: Expression,
  right: Expression,
  of: (part: Expression) => Unit | null,
): Unit | null => {
  if (left.kind !== 'arithmetic' || left.operator !== '*') return null
  const [factor, part] = left.left.kind === 'number' ? [left.left, left.right] : [left.right, left.left]
  if (factor.kind !== 'number' || Number(factor.value) !== 100) return null
  return of(part)?.kind === of(right)?.kind ? { kind: 'percent', scale: 1 } : null
}

/** A unit whose numbers were multiplied or divided by a constant: cents by 100 are whole units. */
const scaled = (unit: Unit | null, by: Expression, divides: boolean): Unit | null => {
  if (unit === null || unit.kind === 'count') return null
  if (by.kind !== 'number')
    return by.kind === 'column' || by.kind === 'aggregate' || by.kind === 'arithmetic' ? unit : null
  const factor = Number(by.value)
  if (factor === 1) return unit
  if (!('scale' in unit) || factor === 0) return null
  return { ...unit, scale: divides ? Math.round(unit.scale * factor * 1e9) / 1e9 : unit.scale / factor }
}

/** Money per thing is money; of two equal units, the ratio has none. */
const ratioUnit = (left: Unit | null, right: Unit | null): Unit | null =>
  left === null || left.kind === 'count' || left.kind === right?.kind ? null : left

/** The cut of a moment that an expression makes. */
export const grainOf = (
  expression: Expression,
):
  | { readonly kind: 'period'; readonly grain: DateUnit }
  | { readonly kind: 'date-part'; readonly part: 'hour' | 'month-of-year' }
  | null => {
  if (expression.kind !== 'call') return null
  const { name, inputs } = expression
  const texts = inputs.flatMap(input => (input.kind === 'text' ? [input.value] : []))
  const [text = ''] = texts
  const period = (grain: DateUnit) => ({ kind: 'period', grain }) as const
  if (name === 'date_trunc')
    return isGrain(text.toLowerCase()) ? period(text.toLowerCase() as DateUnit) : null
  if (name === 'year' || name === 'years') return period('year')
  if (name === 'date') {
    if (inputs.length === 1) return period('day')
    const start = texts.find(one => one.startsWith('start of '))?.slice('start of '.length) ?? ''
    if (texts.some(one => one.startsWith('weekday '))) return period('week')
    return inputs.length === 2 && isGrain(start) ? period(start as DateUnit) : null
  }
  if (name === 'month') return { kind: 'date-part', part: 'month-of-year' }
  if (name === 'hour') return { kind: 'date-part', part: 'hour' }
  if (name === 'substring' || name === 'substr' || name === 'left') {
    const length = inputs.at(-1)
    return length?.kind === 'number' ? (grainOfLength[length.value] ?? null) : null
  }
  if (name !== 'strftime' && name !== 'date_format' && name !== 'to_char') return null
  // A cut moment that is written out as a day stays what it is.
  const inner = inputs.map(grainOf).find(one => one !== null)
  if (inner) return inner
  return grainOfFormat.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

const grainOfLength: Readonly<Record<string, { readonly kind: 'period'; readonly grain: DateUnit }>> = {
  4: { kind: 'period', grain: 'year' },
  7: { kind: 'period', grain: 'month' },
  10: { kind: 'period', grain: 'day' },
}

const grainOfFormat = [
  [/^(?:%Y|YYYY)$/, { kind: 'period', grain: 'year' }],
  [/^(?:%Y-%m(?:-01)?|YYYY-MM(?:-01)?)$/, { kind: 'period', grain: 'month' }],
  [/^(?:%Y-%m-%d|YYYY-MM-DD|%F)$/, { kind: 'period', grain: 'day' }],
  [/^(?:%m|MM)$/, { kind: 'date-part', part: 'month-of-year' }],
  [/^(?:%H|HH24)$/, { kind: 'date-part', part: 'hour' }],
] as const

const isGrain = (text: string): boolean => ['day', 'week', 'month', 'quarter', 'year'].includes(text)
