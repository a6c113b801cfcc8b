import type {
  LayerExpression,
  Metric,
  Segment,
  SegmentCondition,
  SemanticLayer,
  SemanticModel,
  SimpleMetric,
  Unit,
} from '../../domain/metrics/semantic-layer.ts'
import { columnLabel } from '../propose/names.ts'

/** What a metric is, in words: “sum of order value of orders where status is not cancelled”. */
export const describeMetric = (metric: Metric, layer: SemanticLayer): string => {
  const labelOf = (name: string): string => layer.metrics.find(one => one.name === name)?.label ?? name
  switch (metric.kind) {
    case 'ratio':
      return `${labelOf(metric.numerator)} divided by ${labelOf(metric.denominator)}`
    case 'derived':
      return metric.formula.replace(/[\p{L}_][\p{L}\p{N}_]*/gu, labelOf)
    case 'cumulative': {
      const { window, toDate } = metric
      const since =
        toDate !== null
          ? `since the start of the ${toDate}`
          : window !== null
            ? `over the last ${window.count} ${window.unit}${window.count === 1 ? '' : 's'}`
            : 'over all time'
      return `${labelOf(metric.metric)}, added up ${since}`
    }
    case 'simple': {
      const model = layer.models.find(({ name }) => name === metric.model)
      const rows = model?.plural ?? metric.model
      const of = metric.expression && expressionWords(metric.expression, model)
      const figure = of === null ? `number of ${rows}` : `${aggregationWords(metric)} ${of} of ${rows}`
      const filters = metric.filters.map(one => sqlCondition(one, model)).join(' and ')
      const time = metric.timeDimension === null ? '' : `, by ${dimensionLabel(metric.timeDimension, model)}`
      return `${figure}${filters === '' ? '' : ` where ${filters}`}${time}`
    }
    default: {
      const never: never = metric
      return never
    }
  }
}

/** An aggregation in words, as they stand before what is aggregated: “average”. */
export const aggregationWords = ({
  aggregation,
  percentile,
}: Pick<SimpleMetric, 'aggregation' | 'percentile'>): string => {
  switch (aggregation) {
    case 'sum':
      return 'sum of'
    case 'count':
      return 'number of known'
    case 'count_distinct':
      return 'number of different'
    case 'avg':
      return 'average'
    case 'min':
      return 'lowest'
    case 'max':
      return 'highest'
    case 'median':
      return 'median'
    case 'percentile':
      return `${Math.round((percentile ?? 0.5) * 100)}th percentile of`
    default: {
      const never: never = aggregation
      return never
    }
  }
}

const dimensionLabel = (name: string, model: SemanticModel | undefined): string =>
  model?.dimensions.find(one => one.name === name)?.label.toLowerCase() ?? name

const expressionWords = (expression: LayerExpression, model: SemanticModel | undefined): string => {
  switch (expression.kind) {
    case 'column':
      return (
        model?.dimensions
          .find(one => one.expression.kind === 'column' && one.expression.column === expression.column)
          ?.label.toLowerCase() ?? expression.column
      )
    case 'sql':
      return arithmeticWords(expression.text, model) ?? expression.text
    case 'duration':
      return `${expression.unit}s from ${dimensionLabel(expression.from, model)} to ${dimensionLabel(expression.until, model)}`
    default: {
      const never: never = expression
      return never
    }
  }
}

/** Names, numbers, brackets and the signs of arithmetic: what can be read aloud as it is. */
const arithmetic = /^(?:[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)?|[\d.]+|[-+*/()]|\s)+$/u

/** Arithmetic over columns with the columns in words: `quantity * product.price` as “quantity × product price”. */
const arithmeticWords = (text: string, model: SemanticModel | undefined): string | null =>
  !arithmetic.test(text) || /[\p{L}_]\s*\(/u.test(text)
    ? null
    : text
        .replace(/[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)?/gu, name => columnWordsIn(name, model))
        .replace(/\*/g, '×')

const columnWordsIn = (name: string, model: SemanticModel | undefined): string => {
  const [own = name, other] = name.split('.')
  return other === undefined
    ? expressionWords({ kind: 'column', column: own }, model)
    : columnLabel(`${own}_${other}`).toLowerCase()
}

/** A condition in words if it is a plain one, else its SQL: `closed_at IS NULL` as “closed is empty”. */
const sqlCondition = (text: string, model: SemanticModel | undefined): string => {
  const [, column = '', rest = ''] = /^([\p{L}_][\p{L}\p{N}_]*)\s+(.+)$/su.exec(text.trim()) ?? []
  const said = columnWordsIn(column, model)
  if (/^IS\s+NULL$/i.test(rest)) return `${said} is empty`
  if (/^IS\s+NOT\s+NULL$/i.test(rest)) return `${said} is not empty`
  const value = `'(?:[^']|'')*'|-?\\d+(?:\\.\\d+)?`
  const [, sign, one] = new RegExp(`^(=|<>|!=)\\s*(${value})$`, 'u').exec(rest) ?? []
  if (one !== undefined) return `${said} is ${sign === '=' ? '' : 'not '}${plainValue(one)}`
  const [, not, list] =
    new RegExp(`^(NOT\\s+)?IN\\s*\\(\\s*((?:${value})(?:\\s*,\\s*(?:${value}))*)\\s*\\)$`, 'iu').exec(rest) ??
    []
  if (list === undefined) return text
  const values = (list.match(new RegExp(value, 'gu')) ?? []).map(plainValue)
  const all = values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
  return `${said} is ${not === undefined ? '' : 'not '}${all}`
}

const plainValue = (sql: string): string =>
  sql === "''" ? 'empty' : sql.startsWith("'") ? sql.slice(1, -1).replaceAll("''", "'") : sql

/** Which rows a segment is, in words: “customers where segment is club”. */
export const describeSegment = ({ model: name, conditions }: Segment, layer: SemanticLayer): string => {
  const model = layer.models.find(one => one.name === name)
  return `${model?.plural ?? name} ${conditions.map(one => conditionWords(one, model, layer)).join(' and ')}`
}

const conditionWords = (
  condition: SegmentCondition,
  model: SemanticModel | undefined,
  { models }: SemanticLayer,
): string => {
  switch (condition.kind) {
    case 'sql':
      return `where ${sqlCondition(condition.text, model)}`
    case 'past':
      return `whose ${dimensionLabel(condition.dimension, model)} is past`
    case 'related': {
      const other = models.find(one => one.name === condition.model)
      const conditions = condition.where.map(one => sqlCondition(one, other)).join(' and ')
      const where = conditions === '' ? '' : ` where ${conditions}`
      const days = condition.days === null ? '' : ` of the last ${condition.days} days`
      return `${condition.negated ? 'without' : 'with'} ${other?.plural ?? condition.model}${days}${where}`
    }
    default: {
      const never: never = condition
      return never
    }
  }
}

/** What a model is, in words: “a row of orders; dated by placed; named by number”. */
export const describeModel = (model: SemanticModel): string => {
  const table = model.table.schema === null ? model.table.name : `${model.table.schema}.${model.table.name}`
  const names = model.nameDimensions.map(name => dimensionLabel(name, model)).join(' and ')
  return [
    `a row of ${table}`,
    ...(model.timeDimension === null ? [] : [`dated by ${dimensionLabel(model.timeDimension, model)}`]),
    ...(names === '' ? [] : [`named by ${names}`]),
  ].join('; ')
}

/** A unit in words; null if a number is just a number. */
export const describeUnit = (unit: Unit | null): string | null => {
  switch (unit?.kind) {
    case undefined:
    case 'count':
      return null
    case 'currency':
      return unit.scale === 1
        ? (unit.code ?? 'an amount')
        : `${unit.code ?? 'an amount'} (stored times ${unit.scale})`
    case 'percent':
      return 'percent'
    case 'duration':
      return `${unit.unit}s`
    case 'other':
      return unit.suffix
    default: {
      const never: never = unit
      return never
    }
  }
}
