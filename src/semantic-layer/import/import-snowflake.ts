import { z } from 'zod'
import type { Dimension, ModelJoin } from '../../domain/metrics/semantic-layer.ts'
import { readCalculation } from './aggregate-sql.ts'
import { descriptionOf, identifier, metricLabel, synonymsOf, unitOfDescription } from './import-names.ts'
import { type ImportedLayer, type SourceFile, untranslatable } from './imported-layer.ts'
import {
  calculatedMetric,
  type LayerDraft,
  type MetricItem,
  makeLayerDraft,
  makeMetricItems,
  metricOf,
  unitOfAggregate,
} from './layer-draft.ts'
import { type LogicalTable, type LogicalTables, makeLogicalTables } from './logical-tables.ts'
import { dimensionOf, makeModel } from './make-model.ts'
import { readYamlFiles } from './source-files.ts'
import { partsExpression, partsText } from './sql-parts.ts'

const text = z.string().nullish()

const naming = {
  name: z.coerce.string(),
  description: text,
  synonyms: z.array(z.coerce.string()).nullish(),
}

const column = z.object({
  ...naming,
  expr: z.coerce.string(),
  data_type: text,
  sample_values: z.array(z.unknown()).nullish(),
  is_enum: z.boolean().nullish(),
  default_aggregation: text,
})

const metric = z.object({
  ...naming,
  expr: z.coerce.string(),
  non_additive_dimensions: z.array(z.unknown()).nullish(),
  using_relationships: z.array(z.unknown()).nullish(),
})

const filter = z.object({ ...naming, expr: z.coerce.string() })

const columns = z.array(column).nullish()

const table = z.object({
  ...naming,
  base_table: z.object({
    database: text,
    schema: text,
    table: z.coerce.string().nullish(),
    definition: text,
  }),
  primary_key: z.object({ columns: z.array(z.coerce.string()) }).nullish(),
  unique_keys: z.array(z.object({ columns: z.array(z.coerce.string()) })).nullish(),
  dimensions: columns,
  time_dimensions: columns,
  facts: columns,
  measures: columns,
  metrics: z.array(metric).nullish(),
  filters: z.array(filter).nullish(),
})

const relationship = z.object({
  name: z.string(),
  left_table: z.string(),
  right_table: z.string(),
  relationship_columns: z
    .array(z.object({ left_column: z.coerce.string(), right_column: z.coerce.string() }))
    .nullish(),
  relationship_type: text,
})

const view = z.object({
  name: z.coerce.string(),
  description: text,
  tables: z.array(table).min(1),
  relationships: z.array(relationship).nullish(),
  metrics: z.array(metric).nullish(),
  verified_queries: z.array(z.object({ name: z.coerce.string() })).nullish(),
  custom_instructions: text,
  module_custom_instructions: z.record(z.string(), z.unknown()).nullish(),
})

type View = z.infer<typeof view>
type ViewTable = z.infer<typeof table>
type ViewColumn = z.infer<typeof column>
type ViewMetric = z.infer<typeof metric>

/** Imports semantic views and semantic models of Snowflake, as YAML. */
export const importSemanticViews = (files: readonly SourceFile[]): ImportedLayer => {
  const draft = makeLayerDraft()
  for (const one of readYamlFiles(files, 'a semantic view', view)) addView(one, draft)
  return draft.finish()
}

/** Row-level columns of a table, with the tool's word for each. */
const columnsOf = (own: ViewTable): readonly (readonly [string, ViewColumn])[] => [
  ...(own.dimensions ?? []).map(one => ['dimension', one] as const),
  ...(own.time_dimensions ?? []).map(one => ['time dimension', one] as const),
  ...(own.facts ?? []).map(one => ['fact', one] as const),
  ...(own.measures ?? []).map(one => ['fact', one] as const),
]

const addView = (one: View, draft: LayerDraft): void => {
  const tables = one.tables.map(
    (own): LogicalTable => ({
      name: own.name,
      physical: own.base_table.table ?? own.name,
      fields: new Map(columnsOf(own).map(([, { name, expr }]) => [name, expr])),
    }),
  )
  const logical = makeLogicalTables(
    tables,
    (one.relationships ?? []).map(relation => {
      const { from, to } = directionOf(relation)
      return [from, to]
    }),
    draft,
  )
  for (const [at, own] of one.tables.entries()) addTable(own, tables[at]!, { view: one, draft, logical })
  for (const relation of one.relationships ?? []) noteRelationship(relation, draft)
  addMetrics(one, tables, draft, logical)
  for (const [at, own] of one.tables.entries())
    for (const condition of own.filters ?? [])
      draft.item('filter', `${own.name}.${condition.name}`, () => {
        const model = modelNamed(draft, own.name)
        const label = metricLabel(condition.name, null)
        draft.addSegment({
          wanted: identifier(condition.name),
          label,
          synonyms: synonymsOf(condition.synonyms, label),
          description: descriptionOf(condition.description),
          model,
          conditions: [{ kind: 'sql', text: partsText(logical.rows(tables[at]!, condition.expr)) }],
        })
        return null
      })
  draft.translate('semantic view', one.name)
  for (const { name } of one.verified_queries ?? [])
    draft.skip(
      'verified query',
      name,
      'A layer has no queries. Ask its question in Slack and save the answer as a verified query.',
    )
  if (one.custom_instructions || one.module_custom_instructions)
    draft.skip(
      'instructions',
      one.name,
      'Instructions are prose. Put what is still true into a file in knowledge/.',
    )
}

const modelNamed = (draft: LayerDraft, name: string): string =>
  draft.models.get(identifier(name))?.name ?? untranslatable(`Its table ${name} was skipped.`)

interface TableContext {
  readonly view: View
  readonly draft: LayerDraft
  readonly logical: LogicalTables
}

const addTable = (
  own: ViewTable,
  logicalTable: LogicalTable,
  { view: one, draft, logical }: TableContext,
): void => {
  const { base_table: base } = own
  const dimensions: Dimension[] = []
  const isQuery = Boolean(base.definition) || !base.table
  for (const [kind, source] of columnsOf(own))
    draft.item(kind, `${own.name}.${source.name}`, () => {
      if (isQuery) untranslatable(`Its table ${own.name} was skipped.`)
      dimensions.push(dimensionFrom(kind, source, logicalTable, logical))
      return null
    })
  draft.item('table', own.name, () => {
    if (isQuery)
      untranslatable(
        'Its rows come from a query. Make a view of the query in the database and point the table to it.',
      )
    const columnOf = (name: string): string => {
      const parts = logical.field(logicalTable, name)
      const found = partsExpression(parts)
      return found.kind === 'column' ? found.column : name
    }
    const made = makeModel({
      name: own.name,
      synonyms: own.synonyms,
      description: own.description,
      table: { schema: base.schema ?? null, name: base.table ?? own.name },
      primaryKey: (own.primary_key?.columns ?? own.unique_keys?.[0]?.columns ?? []).map(columnOf),
      timeDimension: null,
      dimensions,
      joins: joinsOf(own.name, one, logical),
    })
    draft.models.set(made.name, made)
    return null
  })
}

const dimensionFrom = (
  kind: string,
  source: ViewColumn,
  logicalTable: LogicalTable,
  logical: LogicalTables,
): Dimension => {
  const type = typeOf(source, kind)
  return dimensionOf({
    name: source.name,
    synonyms: source.synonyms,
    description: source.description,
    type,
    expression: partsExpression(logical.field(logicalTable, source.name)),
    // Samples are only some of the values, unless the file says that they are all.
    values: source.is_enum === true ? valuesOf(source) : null,
    unit: type === 'number' && kind === 'fact' ? unitOfDescription(source.description) : null,
  })
}

const typeOf = ({ data_type: type }: ViewColumn, kind: string): Dimension['type'] => {
  const name = (type ?? '').toUpperCase()
  if (/^(DATE)\b/.test(name)) return 'date'
  if (/^(TIMESTAMP|DATETIME)/.test(name)) return 'timestamp'
  if (/^BOOL/.test(name)) return 'boolean'
  if (/^(NUMBER|NUMERIC|DECIMAL|INT|BIGINT|SMALLINT|TINYINT|FLOAT|DOUBLE|REAL)/.test(name)) return 'number'
  if (kind === 'fact') return 'number'
  return kind === 'time dimension' && name === '' ? 'date' : 'categorical'
}

const valuesOf = ({ sample_values: samples }: ViewColumn): Dimension['values'] => {
  const known = (samples ?? []).filter(
    value => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
  )
  return known.length > 0 ? known : null
}

const joinsOf = (name: string, one: View, logical: LogicalTables): readonly ModelJoin[] =>
  (one.relationships ?? []).flatMap(relation => {
    const { from, to, pairs } = directionOf(relation)
    if (from.toLowerCase() !== name.toLowerCase() || pairs.length === 0) return []
    const [left, right] = [logical.named(from), logical.named(to)]
    if (left === undefined || right === undefined) return []
    const columns = pairs.map(pair => {
      const [own, other] = [
        partsExpression(logical.field(left, pair.from)),
        partsExpression(logical.field(right, pair.to)),
      ]
      return own.kind === 'column' && other.kind === 'column' ? { from: own.column, to: other.column } : null
    })
    return columns.every(pair => pair !== null)
      ? [{ name: identifier(relation.name), to: identifier(right.name), columns }]
      : []
  })

type Relationship = z.infer<typeof relationship>

/** The left table has many rows for one of the right, unless it says the opposite. */
const directionOf = (relation: Relationship) => {
  const isReversed = relation.relationship_type?.toLowerCase() === 'one_to_many'
  const pairs = (relation.relationship_columns ?? []).map(({ left_column: left, right_column: right }) =>
    isReversed ? { from: right, to: left } : { from: left, to: right },
  )
  return isReversed
    ? { from: relation.right_table, to: relation.left_table, pairs }
    : { from: relation.left_table, to: relation.right_table, pairs }
}

const noteRelationship = (relation: Relationship, draft: LayerDraft): void =>
  draft.item('relationship', relation.name, () => {
    if (relation.relationship_type?.toLowerCase() === 'many_to_many')
      untranslatable('It joins many rows to many. Add the table between them as a table of its own.')
    if (!relation.relationship_columns?.length)
      untranslatable('It has no columns. List the columns in pairs.')
    const { from, to } = directionOf(relation)
    const model = draft.models.get(modelNamed(draft, from))
    modelNamed(draft, to)
    if (!model?.joins.some(join => join.to === identifier(to)))
      untranslatable('It joins by a calculated value. Add the value as a column to both tables.')
    return null
  })

const aggregationNames: Readonly<Record<string, string>> = {
  sum: 'Total',
  avg: 'Average',
  min: 'Lowest',
  max: 'Highest',
  median: 'Median',
  count: 'Number of',
  count_distinct: 'Number of different',
}

const addMetrics = (
  one: View,
  tables: readonly LogicalTable[],
  draft: LayerDraft,
  logical: LogicalTables,
): void => {
  const entries: readonly (readonly [LogicalTable | null, ViewMetric])[] = [
    ...one.tables.flatMap((own, at) => (own.metrics ?? []).map(metric => [tables[at]!, metric] as const)),
    ...(one.metrics ?? []).map(metric => [null, metric] as const),
  ]
  const keyOf = (own: LogicalTable | null, name: string): string =>
    `${own === null ? '' : `${own.name}.`}${name}`.toLowerCase()
  const items = makeMetricItems(
    draft,
    entries.map(
      ([own, metric]): MetricItem => ({
        key: keyOf(own, metric.name),
        kind: 'metric',
        shown: own === null ? metric.name : `${own.name}.${metric.name}`,
        wanted: [
          identifier(metric.name),
          ...(own === null ? [] : [`${identifier(own.name)}_${identifier(metric.name)}`]),
        ],
        isSimple: isAggregate(metric.expr),
        build: name => {
          buildMetric(name, metric, own)
          return metric.using_relationships?.length
            ? 'The relationship that it names is not kept; Querent takes the shortest one.'
            : null
        },
      }),
    ),
  )
  const metricNamed = (reference: string, own: LogicalTable | null): string => {
    const plain = reference.replaceAll('"', '').toLowerCase()
    const last = plain.split('.').at(-1) ?? plain
    const found = [
      plain,
      ...(own ? [keyOf(own, last)] : []),
      ...tables.map(other => keyOf(other, last)),
      last,
    ].find(key => items.has(key))
    if (found) return items.nameOf(found)
    return untranslatable(
      logical.isField(plain, own)
        ? `It uses ${reference} without an aggregate. Write SUM(${reference}) or another aggregate.`
        : `It uses ${reference}, which is no metric of the file.`,
    )
  }
  const buildMetric = (name: string, metric: ViewMetric, own: LogicalTable | null): void => {
    if (metric.non_additive_dimensions?.length)
      untranslatable(
        'It must not be added up over some dimensions, which Querent cannot do yet. Use a table with one row for each period.',
      )
    const { definition, unit } = calculatedMetric(draft, readCalculation(metric.expr), {
      metricNamed: reference => metricNamed(reference, own),
      simple: call => logical.aggregate(call, own),
    })
    const said = unitOfDescription(metric.description)
    draft.addMetric(
      metricOf(
        {
          name,
          label: metricLabel(metric.name, null),
          synonyms: metric.synonyms,
          description: metric.description,
          unit: definition.kind === 'simple' ? unitOfAggregate(definition.aggregation, said) : (unit ?? said),
        },
        definition,
      ),
    )
  }
  items.translateAll()
  for (const [at, own] of one.tables.entries())
    for (const [, source] of columnsOf(own)) addDefaultMetric(source, tables[at]!, draft, logical)
}

/** A fact with a default aggregation is a metric as well. */
const addDefaultMetric = (
  source: ViewColumn,
  own: LogicalTable,
  draft: LayerDraft,
  logical: LogicalTables,
): void => {
  const aggregation = source.default_aggregation?.toLowerCase()
  const word = aggregation === undefined ? undefined : aggregationNames[aggregation]
  const model = draft.models.get(identifier(own.name))
  if (!aggregation || !word || !model?.dimensions.some(({ name }) => name === identifier(source.name))) return
  const call = readCalculation(
    aggregation === 'count_distinct' ? `COUNT(DISTINCT ${source.name})` : `${aggregation}(${source.name})`,
  )
  if (call.kind !== 'aggregate') return
  const label = metricLabel(source.name, null)
  const isNamed = /^(total|average|sum|number|count|avg|median|max|min)\b/i.test(label)
  const definition = logical.aggregate(call, own)
  draft.metricFor(definition, {
    wanted: isNamed ? source.name : `${word} ${label}`,
    label: isNamed ? label : `${word} ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
    unit: unitOfAggregate(definition.aggregation, unitOfDescription(source.description)),
  })
}

const isAggregate = (sql: string): boolean => {
  try {
    return readCalculation(sql).kind === 'aggregate'
  } catch {
    return false
  }
}
