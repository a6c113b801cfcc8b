import { Document } from 'yaml'
import type { Catalog, Table } from '../../domain/catalog.ts'
import type {
  Dimension,
  LayerExpression,
  Metric,
  ModelJoin,
  Naming,
  Segment,
  SemanticLayer,
  SemanticModel,
  Unit,
} from '../../domain/metrics/semantic-layer.ts'
import type { Dialect } from '../../domain/sql.ts'
import { quoteIdentifier } from '../../sql/render/quote.ts'
import { columnLabel, columnWords, labelOf } from '../propose/names.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * A layer as the text of a file for one database. Tables and columns are spelled as in the database: other tools may
 * write them in capitals.
 */
export const layerFileText = (
  { models, metrics, segments }: SemanticLayer,
  {
    database,
    catalog,
    comment,
  }: { readonly database: string; readonly catalog: Catalog; readonly comment: string },
): string => {
  const document = new Document()
  const onOneLine = (fields: unknown) => document.createNode(fields, { flow: true })
  /** On one line, unless a sentence makes the line too long to read. */
  const entry = (fields: Fields) =>
    fields.description === undefined ? onOneLine(fields) : document.createNode(inBlock(fields))
  const inBlock = (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [
        key,
        typeof value === 'object' ? onOneLine(value) : value,
      ]),
    )
  const list = (key: string, entries: readonly unknown[]): Fields =>
    entries.length === 0 ? {} : { [key]: entries }
  const tables = new Map(models.map(model => [model.name, tableOf(model, catalog)]))
  const isInside = (metric: Metric): boolean => metric.kind === 'simple' && tables.has(metric.model)
  const metricEntry = (metric: Metric) => {
    const columnOf = columnNames(metric.kind === 'simple' ? tables.get(metric.model) : null)
    const definition = {
      ...(metric.kind === 'simple' && !isInside(metric) && { model: identifier(metric.model) }),
      ...metricFields(metric, catalog.dialect, columnOf),
    }
    return entry({
      name: identifier(metric.name),
      ...wordFields(metric, labelOf(columnWords(metric.name))),
      ...definition,
    })
  }
  document.contents = document.createNode({
    database,
    ...list(
      'semantic_models',
      models.map(model => {
        const table = tables.get(model.name) ?? null
        const own = metrics.filter(metric => metric.kind === 'simple' && metric.model === model.name)
        return document.createNode({
          ...inBlock(modelFields(model, table, catalog)),
          ...list(
            'dimensions',
            model.dimensions.map(one => entry(dimensionFields(one, catalog.dialect, columnNames(table)))),
          ),
          ...list(
            'joins',
            model.joins.map(join =>
              onOneLine(joinFields(join, columnNames(table), columnNames(tables.get(join.to)))),
            ),
          ),
          ...list('metrics', own.map(metricEntry)),
        })
      }),
    ),
    ...list('metrics', metrics.filter(metric => !isInside(metric)).map(metricEntry)),
    ...list(
      'segments',
      segments.map(segment =>
        entry({
          name: identifier(segment.name),
          model: identifier(segment.model),
          ...wordFields(segment, null),
          ...segmentFields(segment),
        }),
      ),
    ),
  })
  document.commentBefore = comment
  return document.toString({ lineWidth: 0 })
}

/** A name as files have it. */
export const identifier = (name: string): string =>
  name.replace(/[^\p{L}\p{N}_]+/gu, '_').replace(/^(?=\d)/, '_')

/** The words of something; its label is left out if the name says the same. */
const wordFields = (
  { label, synonyms, description }: Omit<Naming, 'name'>,
  usual: string | null,
): Fields => ({
  ...(label !== usual && { label }),
  ...(synonyms.length > 0 && { synonyms }),
  ...(description !== null && { description }),
})

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const tableOf = ({ table: { schema, name } }: SemanticModel, { tables }: Catalog): Table | null => {
  const named = tables.filter(table => isSame(table.name, name))
  return named.find(table => schema !== null && isSame(table.schema ?? '', schema)) ?? named[0] ?? null
}

/** The column of a table with a name, in the spelling of the database. */
const columnNames =
  (table: Table | null | undefined) =>
  (name: string): string =>
    table?.columns.some(column => column.name === name)
      ? name
      : (table?.columns.find(column => isSame(column.name, name))?.name ?? name)

const modelFields = (model: SemanticModel, table: Table | null, { tables }: Catalog): Fields => {
  const { schema, name } = table ?? model.table
  const isAmbiguous = table === null || tables.filter(other => isSame(other.name, name)).length > 1
  return {
    name: identifier(model.name),
    table: schema !== null && isAmbiguous ? `${schema}.${name}` : name,
    ...wordFields(model, null),
    plural: model.plural,
    ...(model.primaryKey.length > 0 && { primary_key: model.primaryKey.map(columnNames(table)) }),
    name_dimensions: model.nameDimensions,
    ...(model.timeDimension !== null && { agg_time_dimension: model.timeDimension }),
  }
}

const dimensionFields = (
  dimension: Dimension,
  dialect: Dialect,
  columnOf: (name: string) => string,
): Fields => {
  const { name, type, expression, values, unit, isKey } = dimension
  const isColumn = expression.kind === 'column'
  const isOwnColumn = isColumn && columnOf(expression.column) === name
  const isTime = type === 'date' || type === 'timestamp'
  return {
    name: identifier(name),
    ...wordFields(dimension, isOwnColumn ? columnLabel(name) : labelOf(columnWords(name))),
    ...(isOwnColumn ? {} : expressionField(expression, dialect, columnOf)),
    // What a column holds is known from the database.
    ...(isTime ? { type: 'time' } : !isColumn && type !== 'categorical' && { type }),
    ...(type === 'timestamp' && { granularity: 'second' }),
    ...(values !== null && { values }),
    ...(unit !== null && { unit: unitField(unit) }),
    ...(isKey && { key: true }),
  }
}

const joinFields = (
  { name, to, columns }: ModelJoin,
  columnOf: (name: string) => string,
  columnThere: (name: string) => string,
): Fields => ({
  name: identifier(name),
  to: identifier(to),
  on: Object.fromEntries(columns.map(pair => [columnOf(pair.from), columnThere(pair.to)])),
})

/** The keys of a metric in a file, besides its words: how it is calculated. */
export const metricFields = (
  metric: Metric,
  dialect: Dialect,
  columnOf: (name: string) => string = name => name,
): Fields => {
  const shared = {
    ...(metric.unit !== null && { unit: unitField(metric.unit) }),
    ...(metric.goodDirection !== null && { better: metric.goodDirection }),
  }
  switch (metric.kind) {
    case 'simple': {
      const { aggregation, expression, percentile, filters, timeDimension } = metric
      return {
        agg: aggregation,
        ...expressionField(expression, dialect, columnOf),
        ...(percentile !== null && { percentile }),
        ...(filters.length > 0 && { filter: filters.length === 1 ? filters[0] : filters }),
        ...(timeDimension !== null && { agg_time_dimension: timeDimension }),
        ...shared,
      }
    }
    case 'ratio':
      return {
        type: 'ratio',
        numerator: identifier(metric.numerator),
        denominator: identifier(metric.denominator),
        ...shared,
      }
    case 'derived':
      return { type: 'derived', expr: metric.formula, ...shared }
    case 'cumulative': {
      const { window, toDate } = metric
      return {
        type: 'cumulative',
        metric: identifier(metric.metric),
        ...(window !== null && { window: `${window.count} ${window.unit}s` }),
        ...(toDate !== null && { grain_to_date: toDate }),
        ...shared,
      }
    }
    default: {
      const never: never = metric
      return never
    }
  }
}

const expressionField = (
  expression: LayerExpression | null,
  dialect: Dialect,
  columnOf: (name: string) => string,
): Fields => {
  switch (expression?.kind) {
    case undefined:
      return {}
    case 'column':
      return { expr: quoteIdentifier(columnOf(expression.column), dialect) }
    case 'sql':
      return { expr: expression.text }
    case 'duration': {
      const { from, until, unit } = expression
      return { duration: { from, until, unit } }
    }
    default: {
      const never: never = expression
      return never
    }
  }
}

const unitField = (unit: Unit): unknown => {
  switch (unit.kind) {
    case 'currency':
      return unit.scale === 1
        ? (unit.code ?? 'money')
        : { currency: unit.code ?? 'unknown', scale: unit.scale }
    case 'percent':
      return unit.scale === 1 ? 'percent' : 'fraction'
    case 'duration':
      return unit.unit
    case 'count':
      return 'count'
    case 'other':
      return unit.scale === 1 ? { suffix: unit.suffix } : { suffix: unit.suffix, scale: unit.scale }
    default: {
      const never: never = unit
      return never
    }
  }
}

/** The keys of a segment in a file, besides its words: its conditions. */
export const segmentFields = ({ conditions }: Segment): Fields => {
  const where = conditions.flatMap(one => (one.kind === 'sql' ? [one.text] : []))
  const past = conditions.flatMap(one => (one.kind === 'past' ? [one.dimension] : []))
  const relations = (negated: boolean): readonly unknown[] =>
    conditions.flatMap(one =>
      one.kind === 'related' && one.negated === negated
        ? [
            {
              model: identifier(one.model),
              ...(one.where.length > 0 && { where: one.where }),
              ...(one.days !== null && { within_days: one.days }),
            },
          ]
        : [],
    )
  const plain = (list: readonly unknown[]): unknown => (list.length === 1 ? list[0] : list)
  const [has, hasNot] = [relations(false), relations(true)]
  return {
    ...(where.length > 0 && { where: plain(where) }),
    ...(past.length > 0 && { past: plain(past) }),
    ...(has.length > 0 && { has: plain(has) }),
    ...(hasNot.length > 0 && { has_not: plain(hasNot) }),
  }
}
