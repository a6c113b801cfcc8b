import { stringify } from 'yaml'
import type {
  Dimension,
  LayerExpression,
  Metric,
  ModelJoin,
  SemanticLayer,
  SemanticModel,
  SimpleMetric,
} from '../../domain/metrics/semantic-layer.ts'
import {
  type DatasetExtension,
  type FieldExtension,
  type MetricExtension,
  type ModelExtension,
  OSSIE_VENDOR,
  OSSIE_VERSION,
} from '../import/ossie/extension.ts'
import { partsText, replaceNames, sqlParts } from '../import/sql-parts.ts'

/** A layer as an Ossie document. */
export interface OssieExport {
  /** YAML. */
  readonly text: string
  /** What Ossie cannot say, which other tools will not see. An import of the document has it again. */
  readonly hidden: readonly {
    readonly kind: 'metric' | 'segment'
    readonly name: string
    readonly why: string
  }[]
}

/**
 * Writes a layer as an Apache Ossie document. What Ossie has no place for (units, values, labels, segments, cumulative
 * metrics) is in extensions of vendor `QUERENT`.
 */
export const exportOssie = (layer: SemanticLayer, name = 'querent'): OssieExport => {
  const context: SqlContext = {
    metrics: new Map(layer.metrics.map(metric => [metric.name, metric])),
    models: new Map(layer.models.map(model => [model.name, model])),
  }
  const written: { metric: Metric; sql: string }[] = []
  const hidden: OssieExport['hidden'][number][] = []
  for (const metric of layer.metrics) {
    const sql = metricSql(metric, context, [])
    if (sql === null)
      hidden.push({ kind: 'metric', name: metric.name, why: 'Ossie has no totals that run over time.' })
    else written.push({ metric, sql })
  }
  for (const segment of layer.segments)
    hidden.push({ kind: 'segment', name: segment.name, why: 'Ossie has no named filters.' })
  const others = layer.metrics.filter(metric => !written.some(one => one.metric === metric))
  const own: ModelExtension = {
    metrics: others.map(
      ({ kind: _kind, ...metric }) => ({ ...metric, kind: _kind }) as ModelExtension['metrics'][number],
    ),
    segments: layer.segments,
  }
  const document = {
    version: OSSIE_VERSION,
    semantic_model: [
      {
        name,
        datasets: layer.models.map(datasetOf),
        relationships: layer.models.flatMap(model => model.joins.map(join => relationshipOf(model, join))),
        metrics: written.map(({ metric, sql }) => metricOf(metric, sql)),
        ...(own.metrics.length + own.segments.length > 0 ? extension(own) : {}),
      },
    ],
  }
  return { text: stringify(document, { lineWidth: 0 }), hidden }
}

const extension = (data: object) => ({
  custom_extensions: [{ vendor_name: OSSIE_VENDOR, data: JSON.stringify(data) }],
})

const described = (description: string | null) => (description === null ? {} : { description })

const synonymsIn = (synonyms: readonly string[]) =>
  synonyms.length === 0 ? {} : { ai_context: { synonyms } }

const inSql = (sql: string) => ({ expression: { dialects: [{ dialect: 'ANSI_SQL', expression: sql }] } })

const datasetOf = (model: SemanticModel) => {
  const { label, plural, nameDimensions, timeDimension, status, table } = model
  const own: DatasetExtension = { label, plural, nameDimensions, timeDimension, status }
  return {
    name: model.name,
    source: [table.schema, table.name]
      .filter(part => part !== null)
      .map(nameSql)
      .join('.'),
    ...(model.primaryKey.length > 0 ? { primary_key: model.primaryKey } : {}),
    ...described(model.description),
    ...synonymsIn(model.synonyms),
    fields: model.dimensions.map(dimension => fieldOf(dimension, model)),
    ...extension(own),
  }
}

const dataTypes = {
  categorical: 'String',
  number: 'Decimal',
  boolean: 'Boolean',
  date: 'Date',
  timestamp: 'DateTime',
} as const

const fieldOf = (dimension: Dimension, model: SemanticModel) => {
  const sql = expressionSql(dimension.expression, model)
  const { type, values, unit, isKey, expression } = dimension
  const own: FieldExtension = { type, values, unit, isKey, sql, expression }
  return {
    name: dimension.name,
    ...inSql(sql),
    dimension: { is_time: type === 'date' || type === 'timestamp' },
    label: dimension.label,
    ...described(dimension.description),
    datatype: dataTypes[type],
    ...synonymsIn(dimension.synonyms),
    ...extension(own),
  }
}

const relationshipOf = (model: SemanticModel, join: ModelJoin) => ({
  // Names of joins are unique in their model, names of relationships in the document.
  name: `${model.name}_${join.name}`,
  from: model.name,
  to: join.to,
  from_columns: join.columns.map(({ from }) => from),
  to_columns: join.columns.map(({ to }) => to),
  ...extension({ name: join.name }),
})

const metricOf = (metric: Metric, sql: string) => {
  const { name, label, synonyms, description, unit, goodDirection, status, ...definition } = metric
  const own: MetricExtension = {
    label,
    unit,
    goodDirection,
    status,
    sql,
    definition: definition as MetricExtension['definition'],
  }
  return {
    name,
    ...inSql(sql),
    ...described(description),
    datatype: 'Decimal',
    ...synonymsIn(synonyms),
    ...extension(own),
  }
}

/** Words that a model is likely to be named and that SQL keeps for itself. */
const reserved =
  /^(order|user|group|table|column|select|from|where|check|case|end|date|time|row|rows|value|values|references|session)$/i

/** A name, quoted if it needs it. */
const nameSql = (name: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reserved.test(name) ? name : `"${name.replaceAll('"', '""')}"`

const expressionSql = (expression: LayerExpression, model: SemanticModel): string => {
  switch (expression.kind) {
    case 'column':
      return nameSql(expression.column)
    case 'sql':
      return expression.text
    case 'duration': {
      const [from, until] = [expression.from, expression.until].map(name => {
        const dimension = model.dimensions.find(one => one.name === name)
        return dimension ? expressionSql(dimension.expression, model) : name
      })
      return `DATEDIFF('${expression.unit}', ${from}, ${until})`
    }
    default: {
      const never: never = expression
      return never
    }
  }
}

interface SqlContext {
  readonly metrics: ReadonlyMap<string, Metric>
  readonly models: ReadonlyMap<string, SemanticModel>
}

/** SQL of a metric over the datasets; null if Ossie cannot say it. */
const metricSql = (metric: Metric, context: SqlContext, within: readonly string[]): string | null => {
  const inner = (name: string): string | null => {
    const other = context.metrics.get(name)
    return other === undefined || within.includes(name)
      ? null
      : metricSql(other, context, [...within, metric.name])
  }
  switch (metric.kind) {
    case 'simple':
      return aggregateSql(metric, context.models.get(metric.model))
    case 'ratio': {
      const [numerator, denominator] = [inner(metric.numerator), inner(metric.denominator)]
      return numerator === null || denominator === null
        ? null
        : `${bracketed(numerator)} / NULLIF(${denominator}, 0)`
    }
    case 'derived': {
      let isComplete = true
      const sql = metric.formula.replace(/[\p{L}_][\p{L}\p{N}_]*/gu, name => {
        const found = inner(name)
        isComplete &&= found !== null
        return found === null ? name : bracketed(found)
      })
      return isComplete ? sql : null
    }
    case 'cumulative':
      return null
    default: {
      const never: never = metric
      return never
    }
  }
}

const bracketed = (sql: string): string => (/^[A-Z_]+\((?:[^()]|\([^()]*\))*\)$/.test(sql) ? sql : `(${sql})`)

const aggregateSql = (metric: SimpleMetric, of: SemanticModel | undefined): string => {
  const { aggregation, expression, filters, model, percentile } = metric
  const value =
    expression === null
      ? null
      : expression.kind === 'column'
        ? `${nameSql(model)}.${nameSql(expression.column)}`
        : expression.kind === 'sql'
          ? overDataset(expression.text, model)
          : `DATEDIFF('${expression.unit}', ${nameSql(model)}.${nameSql(expression.from)}, ${nameSql(model)}.${nameSql(expression.until)})`
  const conditions = filters.map(filter => overDataset(filter, model))
  const condition = conditions.map(one => (conditions.length > 1 ? `(${one})` : one)).join(' AND ')
  const counted = condition === '' ? value : `CASE WHEN ${condition} THEN ${value ?? '1'} END`
  switch (aggregation) {
    case 'count':
      return `COUNT(${counted ?? rowsOf(of)})`
    case 'count_distinct':
      return `COUNT(DISTINCT ${counted ?? '1'})`
    case 'median':
    case 'percentile':
      return `PERCENTILE_CONT(${percentile ?? 0.5}) WITHIN GROUP (ORDER BY ${counted ?? '1'})`
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return `${aggregation.toUpperCase()}(${counted ?? '1'})`
    default: {
      const never: never = aggregation
      return never
    }
  }
}

/** What is counted to count rows: the key, which says of which dataset. */
const rowsOf = (model: SemanticModel | undefined): string => {
  const [key] = model?.primaryKey ?? []
  return model === undefined || key === undefined ? '*' : `${nameSql(model.name)}.${nameSql(key)}`
}

/** SQL over a model's columns with the name of the dataset in front of them. */
const overDataset = (sql: string, model: string): string =>
  partsText(
    replaceNames(sqlParts(sql), name =>
      name.qualifier === null ? [{ ...name, qualifier: nameSql(model) }] : null,
    ),
  )
