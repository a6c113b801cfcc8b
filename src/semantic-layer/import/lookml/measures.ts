import type {
  Aggregation,
  Dimension,
  MetricDefinition,
  SimpleMetric,
  Unit,
} from '../../../domain/metrics/semantic-layer.ts'
import { type AggregateCall, readCalculation } from '../aggregate-sql.ts'
import { referencePath } from '../field-references.ts'
import { descriptionOf, identifier, isGeneric, metricLabel } from '../import-names.ts'
import { untranslatable } from '../imported-layer.ts'
import {
  calculatedMetric,
  type MetricItem,
  type MetricItems,
  makeMetricItems,
  metricOf,
  unitOfAggregate,
} from '../layer-draft.ts'
import {
  checkTemplates,
  columnOfParts,
  inBrackets,
  partsExpression,
  partsText,
  qualified,
} from '../sql-parts.ts'
import { lookmlType, lookmlUnit } from './fields.ts'
import type { LookmlContext } from './import-lookml.ts'
import { blocksOf, type LookmlBlock, pairsOf, textOf } from './project.ts'

/** Translates the measures of all views. */
export const translateLookmlMeasures = (context: LookmlContext): void => {
  const { draft, project } = context
  const all = [...project.views.values()]
    .filter(view => !project.templates.has(view.name))
    .flatMap(view => blocksOf(view, 'measure').map(measure => ({ view, measure })))
  const items: MetricItem[] = all.map(({ view, measure }) => {
    const plain = identifier(measure.name)
    const long = `${identifier(view.name)}_${plain}`
    const isCommon = isGeneric(plain) || all.filter(one => identifier(one.measure.name) === plain).length > 1
    return {
      key: `${view.name}.${measure.name}`,
      kind: 'measure',
      shown: `${view.name}.${measure.name}`,
      wanted: isCommon ? [long] : [plain, long],
      isSimple: aggregations[textOf(measure, 'type') ?? ''] !== undefined,
      build: name => {
        const { definition, unit } = definitionOf(view, measure, context, metrics)
        draft.addMetric(
          metricOf(
            {
              name,
              label: labelOf(view, measure, definition, context),
              description: textOf(measure, 'description'),
              unit,
            },
            definition,
          ),
        )
        return null
      },
    }
  })
  const metrics = makeMetricItems(draft, items)
  metrics.translateAll()
}

const labelOf = (
  view: LookmlBlock,
  measure: LookmlBlock,
  definition: MetricDefinition,
  { draft }: LookmlContext,
): string => {
  const given = descriptionOf(textOf(measure, 'label'))
  const plural = draft.models.get(identifier(view.name))?.plural ?? view.name.replaceAll('_', ' ')
  if (definition.kind === 'simple' && /^(count|number)$/i.test(given ?? measure.name))
    return `Number of ${plural}`
  if (given === null && isGeneric(identifier(measure.name)))
    return `${metricLabel(measure.name, null)} of ${plural}`
  return metricLabel(measure.name, given)
}

const aggregations: Readonly<Record<string, Aggregation>> = {
  count: 'count',
  count_distinct: 'count_distinct',
  sum: 'sum',
  average: 'avg',
  min: 'min',
  max: 'max',
  median: 'median',
  percentile: 'percentile',
  sum_distinct: 'sum',
  average_distinct: 'avg',
  median_distinct: 'median',
  percentile_distinct: 'percentile',
}

interface MeasureDefinition {
  readonly definition: MetricDefinition
  readonly unit: Unit | null
}

const definitionOf = (
  view: LookmlBlock,
  measure: LookmlBlock,
  context: LookmlContext,
  metrics: MetricItems,
): MeasureDefinition => {
  const type = textOf(measure, 'type') ?? 'string'
  const sql = textOf(measure, 'sql')
  const unit = lookmlUnit(measure)
  const aggregation = aggregations[type]
  if (sql !== null) checkTemplates(sql)
  if (aggregation !== undefined) {
    if (type.endsWith('_distinct') && type !== 'count_distinct') checkDistinctKey(view, measure, context)
    if (aggregation !== 'count' && sql === null)
      return untranslatable('It has no sql. Say what is aggregated.')
    const percentile = aggregation === 'percentile' ? Number(textOf(measure, 'percentile') ?? 50) / 100 : null
    const definition = simpleOf(
      view,
      {
        kind: 'aggregate',
        aggregation,
        argument: aggregation === 'count' ? null : sql,
        percentile,
        filter: null,
      },
      filtersOf(view, measure, context),
      context,
    )
    return { definition, unit: unitOfAggregate(aggregation, unit) }
  }
  switch (type) {
    case 'number':
    case 'date':
    case 'time':
    case 'yesno':
    case 'string':
    case 'int':
      return calculated(view, measure, context, metrics)
    case 'running_total': {
      const inner = sql === null ? null : measureNamed(view, sql, context, metrics)
      return inner === null
        ? untranslatable('It has no sql. Say which measure is summed up.')
        : { definition: { kind: 'cumulative', metric: inner, window: null, toDate: null }, unit }
    }
    case 'percent_of_total':
      return untranslatable(
        'It is a share of the total of what is shown. Ask for it in the question: "share of the total".',
      )
    case 'percent_of_previous':
    case 'period_over_period':
      return untranslatable(
        'It compares with another row. Ask for it in the question: "compared to last month".',
      )
    case 'list':
      return untranslatable('It is a list of values, not a figure. Ask for the list itself.')
    default:
      return untranslatable(`It is of type ${type}, which Querent does not know.`)
  }
}

const calculated = (
  view: LookmlBlock,
  measure: LookmlBlock,
  context: LookmlContext,
  metrics: MetricItems,
): MeasureDefinition => {
  const sql = textOf(measure, 'sql')
  if (sql === null) return untranslatable('It has no sql. Say how it is calculated.')
  const type = textOf(measure, 'type') ?? 'string'
  if (type !== 'number' && type !== 'int')
    untranslatable(
      `It is a ${type === 'yesno' ? 'yes or no' : type === 'string' ? 'text' : 'date'}, not a figure.`,
    )
  if (pairsOf(measure, 'filters').length > 0)
    untranslatable('It filters a calculated number. Put the filters on the measures that it is made of.')
  const unit = lookmlUnit(measure)
  const made = calculatedMetric(context.draft, readCalculation(sql), {
    metricNamed: reference => measureNamed(view, reference, context, metrics),
    simple: call => simpleOf(view, call, [], context),
  })
  return { definition: made.definition, unit: unit?.kind === 'currency' ? unit : (made.unit ?? unit) }
}

const measureNamed = (
  view: LookmlBlock,
  reference: string,
  { viewNamed }: LookmlContext,
  metrics: MetricItems,
): string => {
  if (!/[{}]/.test(reference))
    untranslatable(
      `It uses the column ${reference} without an aggregate. Give the measure a type such as sum.`,
    )
  const path = referencePath(reference.trim()).split('.')
  const field = path.at(-1) ?? ''
  const owner = path.length > 1 ? (viewNamed(path.at(-2) ?? '')?.name ?? path.at(-2)) : view.name
  const key = `${owner}.${field}`
  if (metrics.has(key)) return metrics.nameOf(key)
  return untranslatable(
    `It uses ${path.join('.')} without an aggregate, or it is in a file that is missing. Aggregate it, or pass the file.`,
  )
}

const simpleOf = (
  view: LookmlBlock,
  call: AggregateCall,
  filters: readonly string[],
  { draft, references }: LookmlContext,
): SimpleMetric => {
  const model = draft.models.get(identifier(view.name))
  if (model === undefined) return untranslatable(`Its view ${view.name} was skipped.`)
  const parts = call.argument === null ? null : references.rows(view.name, call.argument)
  const column = parts === null ? null : columnOfParts(parts)
  // Counting the primary key is counting rows.
  const isRows =
    parts === null ||
    (/^count/.test(call.aggregation) && model.primaryKey.length === 1 && column === model.primaryKey[0])
  return {
    kind: 'simple',
    model: model.name,
    aggregation: isRows ? 'count' : call.aggregation,
    expression: isRows || parts === null ? null : partsExpression(parts),
    percentile: call.percentile,
    filters: [
      ...filters,
      ...(call.filter === null ? [] : [partsText(references.rows(view.name, call.filter))]),
    ],
    timeDimension: null,
  }
}

const filtersOf = (
  view: LookmlBlock,
  measure: LookmlBlock,
  { draft, joins, references, viewNamed }: LookmlContext,
): readonly string[] =>
  pairsOf(measure, 'filters').map(({ name, value }) => {
    const path = name.split('.')
    const field = path.at(-1) ?? name
    const owner = path.length > 1 ? (path.at(-2) ?? view.name) : view.name
    const target = viewNamed(owner)
    if (target === undefined) return untranslatable(`Its filter is on ${owner}, which is not in the files.`)
    if (target !== view) {
      if (!draft.models.has(identifier(target.name)))
        untranslatable(`Its filter is on ${owner}, which was skipped.`)
      joins.checkReach(view.name, owner)
    }
    const own = references.field(target.name, field)
    const parts = target === view ? own : qualified(own, identifier(owner))
    return lookmlCondition(partsText(inBrackets(parts)), value, lookmlType(target, field))
  })

/** A sum over distinct keys is a plain sum if the key is the one of the view. */
const checkDistinctKey = (
  view: LookmlBlock,
  measure: LookmlBlock,
  { references, draft }: LookmlContext,
): void => {
  const key = textOf(measure, 'sql_distinct_key')
  const model = draft.models.get(identifier(view.name))
  const column = key === null ? null : columnOfParts(references.rows(view.name, key))
  if (key !== null && (model?.primaryKey.length !== 1 || model.primaryKey[0] !== column))
    untranslatable('It aggregates one row for each of another key. Define it in the view of that key.')
}

/**
 * A filter of a measure, in Looker's own language, as SQL: `complete,shipped`, `-cancelled`, `>10`, `NOT NULL`. `operand`
 * is the SQL of the field.
 */
export const lookmlCondition = (operand: string, value: string, type: Dimension['type']): string => {
  const whole = value.trim()
  if (/\{[{%]/.test(whole)) return untranslatable(`Its filter "${whole}" is a template. Write a fixed value.`)
  if (/^(-|not )null$/i.test(whole)) return `${operand} IS NOT NULL`
  if (/^null$/i.test(whole)) return `${operand} IS NULL`
  switch (type) {
    case 'boolean':
      if (/^(yes|true)$/i.test(whole)) return operand
      if (/^(no|false)$/i.test(whole)) return `NOT ${operand}`
      return untranslatable(`Its filter "${whole}" is neither yes nor no.`)
    case 'number':
      return numberCondition(operand, whole)
    case 'categorical':
      return textCondition(operand, whole)
    case 'date':
    case 'timestamp':
      return untranslatable(
        `Its filter "${whole}" is a period. Leave the period out of the measure, and name it in the question.`,
      )
    default: {
      const never: never = type
      return never
    }
  }
}

const number = String.raw`-?\d+(?:\.\d+)?`

const numberCondition = (operand: string, value: string): string => {
  const conditions = value.split(/\s+OR\s+|,(?![^[(]*[\])])/i).map(part => oneNumber(operand, part.trim()))
  return joined(conditions)
}

const oneNumber = (operand: string, part: string): string => {
  const compared = new RegExp(`^(>=|<=|<>|!=|>|<|=)\\s*(${number})$`).exec(part)
  if (compared) return `${operand} ${compared[1]} ${compared[2]}`
  if (new RegExp(`^${number}$`).test(part)) return `${operand} = ${part}`
  const not = new RegExp(`^not\\s+(${number})$`, 'i').exec(part)
  if (not) return `${operand} <> ${not[1]}`
  const range =
    new RegExp(`^([[(])\\s*(${number}|-?inf)?\\s*,\\s*(${number}|inf)?\\s*([\\])])$`, 'i').exec(part) ??
    new RegExp(`^()(${number})\\s+to\\s+(${number})()$`, 'i').exec(part)
  if (range) {
    const [, open, low, high, close] = range
    const bounds = [
      ...(low && !/inf/i.test(low) ? [`${operand} ${open === '(' ? '>' : '>='} ${low}`] : []),
      ...(high && !/inf/i.test(high) ? [`${operand} ${close === ')' ? '<' : '<='} ${high}`] : []),
    ]
    if (bounds.length > 0) return bounds.length > 1 ? `(${bounds.join(' AND ')})` : (bounds[0] ?? '')
  }
  const both = new RegExp(`^(>=|>)\\s*(${number})\\s+and\\s+(<=|<)\\s*(${number})$`, 'i').exec(part)
  if (both) return `(${operand} ${both[1]} ${both[2]} AND ${operand} ${both[3]} ${both[4]})`
  if (/^not\s+null$/i.test(part)) return `${operand} IS NOT NULL`
  return untranslatable(`Its filter "${part}" on a number is not understood. Use a comparison such as ">10".`)
}

const textCondition = (operand: string, value: string): string => {
  const words = splitList(value)
  const included = words.filter(word => !word.startsWith('-'))
  const excluded = words.filter(word => word.startsWith('-')).map(word => word.slice(1))
  const one = (word: string): string =>
    /^empty$/i.test(word)
      ? `(${operand} IS NULL OR ${operand} = '')`
      : /^null$/i.test(word)
        ? `${operand} IS NULL`
        : /(^|[^^])%/.test(word)
          ? `${operand} LIKE ${literal(word)}`
          : `${operand} = ${literal(word)}`
  const listed = (texts: readonly string[]): readonly string[] => {
    const plain = texts.filter(word => !/^(empty|null)$/i.test(word) && !/(^|[^^])%/.test(word))
    const rest = texts.filter(word => !plain.includes(word)).map(one)
    if (plain.length < 2) return [...plain.map(one), ...rest]
    return [`${operand} IN (${plain.map(literal).join(', ')})`, ...rest]
  }
  const conditions = [
    ...(included.length > 0 ? [joined(listed(included))] : []),
    ...listed(excluded).map(condition =>
      / = '[^']*'$/.test(condition)
        ? condition.replace(/ = ('[^']*')$/, ' <> $1')
        : condition.endsWith(' IS NULL')
          ? condition.replace(/ IS NULL$/, ' IS NOT NULL')
          : `NOT (${condition})`,
    ),
  ]
  return conditions.length > 1
    ? `(${conditions.join(' AND ')})`
    : (conditions[0] ?? untranslatable('Its filter is empty.'))
}

/** Words between commas; a word in double quotes can have a comma. */
const splitList = (value: string): readonly string[] =>
  (value.match(/\s*-?"(?:[^"\\]|\\.)*"\s*|[^,]+/g) ?? [])
    .map(word =>
      word
        .trim()
        .replace(/^(-?)"(.*)"$/s, '$1$2')
        .replace(/\^(.)/g, '$1'),
    )
    .filter(word => word !== '')

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const joined = (conditions: readonly string[]): string =>
  conditions.length > 1 ? `(${conditions.join(' OR ')})` : (conditions[0] ?? 'TRUE')
