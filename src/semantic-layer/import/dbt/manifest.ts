import { z } from 'zod'
import type { SourceFile } from '../imported-layer.ts'
import { type Problems, readJson, readShape } from '../source-files.ts'

/** What dbt's manifests say. Fields that are not used are not checked. */

const text = z.string().nullish()

const whereFilter = z
  .union([
    z.string().transform(template => [template]),
    z
      .object({
        where_filters: z.array(
          z.union([
            z.string(),
            z.object({ where_sql_template: z.string() }).transform(filter => filter.where_sql_template),
          ]),
        ),
      })
      .transform(filter => filter.where_filters),
    z.object({ where_sql_template: z.string() }).transform(filter => [filter.where_sql_template]),
    z.array(z.string()),
  ])
  .nullish()

const window = z.object({ count: z.number(), granularity: z.string() }).nullish()

const aggregationParameters = {
  agg: z.string(),
  agg_params: z.object({ percentile: z.number().nullish() }).nullish(),
  agg_time_dimension: text,
  non_additive_dimension: z.object({ name: z.string() }).nullish(),
}

const config = z.object({ meta: z.record(z.string(), z.unknown()).nullish() }).nullish()

const metricInput = z.object({
  name: z.string(),
  filter: whereFilter,
  alias: text,
  offset_window: z.unknown().optional(),
  offset_to_grain: z.unknown().optional(),
})

const measureInput = z.object({ name: z.string(), filter: whereFilter })

const measure = z.object({
  name: z.string(),
  ...aggregationParameters,
  expr: z.union([z.string(), z.number()]).nullish(),
  description: text,
  label: text,
  create_metric: z.boolean().nullish(),
  config,
})

const semanticModel = z.object({
  name: z.string(),
  label: text,
  description: text,
  node_relation: z.object({
    alias: z.string(),
    schema_name: z.string().nullish(),
    database: text,
    relation_name: text,
  }),
  defaults: z.object({ agg_time_dimension: text }).nullish(),
  primary_entity: text,
  entities: z
    .array(
      z.object({ name: z.string(), type: z.string(), expr: text, description: text, label: text, config }),
    )
    .default([]),
  dimensions: z
    .array(
      z.object({
        name: z.string(),
        type: z.string(),
        expr: text,
        description: text,
        label: text,
        type_params: z.object({ time_granularity: text }).nullish(),
        config,
      }),
    )
    .default([]),
  measures: z.array(measure).default([]),
  config,
})

const metric = z.object({
  name: z.string(),
  label: text,
  description: text,
  type: z.string(),
  filter: whereFilter,
  config,
  type_params: z.object({
    measure: measureInput.nullish(),
    expr: z.union([z.string(), z.number()]).nullish(),
    numerator: metricInput.nullish(),
    denominator: metricInput.nullish(),
    metrics: z.array(metricInput).nullish(),
    window,
    grain_to_date: text,
    cumulative_type_params: z
      .object({ window, grain_to_date: text, metric: metricInput.nullish(), period_agg: text })
      .nullish(),
    metric_aggregation_params: z.object({ semantic_model: z.string(), ...aggregationParameters }).nullish(),
    is_private: z.boolean().nullish(),
  }),
})

const savedQuery = z.object({ name: z.string() })

/** Lists in one of the manifests are records in the other. */
const listOf = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    value =>
      value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.values(value) : value,
    z.array(item),
  )

const manifestShape = z.object({
  semantic_models: listOf(semanticModel),
  metrics: listOf(metric),
  saved_queries: listOf(savedQuery).nullish(),
})

const columnsShape = z.object({
  nodes: z.record(
    z.string(),
    z.object({
      alias: text,
      name: text,
      schema: text,
      resource_type: text,
      columns: z.record(z.string(), z.object({ name: z.string(), description: text })).nullish(),
    }),
  ),
})

export type DbtModel = z.infer<typeof semanticModel>
export type DbtMeasure = z.infer<typeof measure>
export type DbtMetric = z.infer<typeof metric>
export type DbtMetricInput = z.infer<typeof metricInput>

export interface DbtManifest {
  readonly models: readonly DbtModel[]
  readonly metrics: readonly DbtMetric[]
  readonly savedQueries: readonly { readonly name: string }[]
  /** What manifest.json says about a column of a table; null if nothing. */
  readonly columnDescription: (table: string, column: string) => string | null
}

/** Reads `semantic_manifest.json`, and `manifest.json` if it is there. Null if they cannot be read. */
export const readDbtManifest = (files: readonly SourceFile[], problems: Problems): DbtManifest | null => {
  const values = files.map(file => ({ file, value: readJson(file, problems) }))
  problems.check()
  const has = (value: unknown, key: string): value is object =>
    typeof value === 'object' && value !== null && key in value
  const semantic =
    values.find(({ value }) => has(value, 'semantic_models') && !has(value, 'nodes')) ??
    values.find(({ value }) => has(value, 'semantic_models'))
  if (semantic === undefined) {
    problems.add(
      files[0]?.name ?? 'semantic_manifest.json',
      'has no "semantic_models". Run `dbt parse` and pass target/semantic_manifest.json.',
    )
    return null
  }
  const other = values.find(({ value }) => has(value, 'nodes'))
  const manifest = readShape(manifestShape, semantic.value, semantic.file.name, problems)
  const nodes = other && readShape(columnsShape, other.value, other.file.name, problems)
  if (manifest === null) return null
  const descriptions = new Map(
    Object.values(nodes?.nodes ?? {})
      .filter(node => node.resource_type === 'model')
      .flatMap(node =>
        Object.values(node.columns ?? {}).map(
          column =>
            [
              `${node.alias ?? node.name}.${column.name}`.toLowerCase(),
              column.description?.trim() || null,
            ] as const,
        ),
      ),
  )
  return {
    models: manifest.semantic_models,
    metrics: manifest.metrics,
    savedQueries: manifest.saved_queries ?? [],
    columnDescription: (table, column) => descriptions.get(`${table}.${column}`.toLowerCase()) ?? null,
  }
}
