import type {
  Aggregation,
  Dimension,
  ModelJoin,
  SemanticModel,
  SimpleMetric,
} from '../../../domain/metrics/semantic-layer.ts'
import { descriptionOf, identifier } from '../import-names.ts'
import { type ImportedLayer, type SourceFile, untranslatable } from '../imported-layer.ts'
import { type LayerDraft, makeLayerDraft } from '../layer-draft.ts'
import { dimensionOf, makeModel } from '../make-model.ts'
import { makeProblems } from '../source-files.ts'
import {
  checkRowLevel,
  checkTemplates,
  columnOfParts,
  partsExpression,
  type SqlPart,
  sqlParts,
} from '../sql-parts.ts'
import { type DbtManifest, type DbtMeasure, type DbtModel, readDbtManifest } from './manifest.ts'
import { translateDbtMetrics } from './metrics.ts'

/**
 * Imports a dbt project from its `semantic_manifest.json`. Both generations of the specification are read: measures in
 * semantic models with metrics over them, and metrics that have their own aggregation (dbt 1.12 and Fusion). A
 * `manifest.json` adds the descriptions of columns.
 */
export const importDbt = (files: readonly SourceFile[]): ImportedLayer => {
  const problems = makeProblems('dbt manifests')
  const manifest = readDbtManifest(files, problems)
  problems.check()
  const draft = makeLayerDraft()
  if (manifest === null) return draft.finish()
  const context = makeDbtContext(manifest, draft)
  for (const model of manifest.models) addModel(model, context)
  translateDbtMetrics(context)
  for (const { name } of manifest.savedQueries)
    draft.skip(
      'saved query',
      name,
      'A layer has no saved queries. Ask its question in Slack and pin the answer as a verified query.',
    )
  return draft.finish()
}

/** What is known while a project is translated. */
export interface DbtContext {
  readonly manifest: DbtManifest
  readonly draft: LayerDraft
  readonly modelNamed: (name: string) => DbtModel | undefined
  /** Where an entity of a model leads to. */
  readonly joins: ReadonlyMap<DbtModel, readonly DbtJoin[]>
}

export interface DbtJoin {
  readonly entity: string
  readonly join: ModelJoin
  readonly target: DbtModel
}

const makeDbtContext = (manifest: DbtManifest, draft: LayerDraft): DbtContext => ({
  manifest,
  draft,
  modelNamed: name => manifest.models.find(model => model.name === name),
  joins: new Map(manifest.models.map(model => [model, joinsOf(model, manifest)])),
})

/** Parts of an expression; dbt leaves it out if the column has the name of the item. */
export const dbtParts = (expr: string | number | null | undefined, name: string): readonly SqlPart[] => {
  const text = expr === null || expr === undefined || expr === '' ? name : String(expr)
  checkTemplates(text)
  return checkRowLevel(sqlParts(text))
}

const columnOf = (expr: string | null | undefined, name: string): string | null => {
  try {
    return columnOfParts(dbtParts(expr, name))
  } catch {
    return null
  }
}

const isUnique = (type: string): boolean => type === 'primary' || type === 'unique'

const joinsOf = (model: DbtModel, { models }: DbtManifest): readonly DbtJoin[] => {
  const own = models.indexOf(model)
  return model.entities.flatMap(entity => {
    const from = columnOf(entity.expr, entity.name)
    if (from === null || entity.type === 'natural') return []
    const targets = models.flatMap((target, at) => {
      const key = target.entities.find(other => other.name === entity.name && isUnique(other.type))
      const to = key && columnOf(key.expr, key.name)
      // Two models with the same key are joined once; from the second to the first.
      if (!to || target === model || (isUnique(entity.type) && at > own)) return []
      return [{ target, to, isPrimary: key.type === 'primary' }]
    })
    return targets
      .toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
      .map(({ target, to }, at) => ({
        entity: entity.name,
        target,
        join: {
          name: at === 0 ? roleOf(entity.name) : identifier(target.name),
          to: identifier(target.name),
          columns: [{ from, to }],
        },
      }))
  })
}

/** The entity `order_id` is the order. */
const roleOf = (entity: string): string => identifier(entity).replace(/(?<=.)_(id|key|sk|uuid|pk|fk)$/, '')

const addModel = (model: DbtModel, context: DbtContext): void => {
  const { draft, manifest } = context
  const dimensions: Dimension[] = []
  const children: (() => void)[] = []
  const table = model.node_relation.alias
  const describe = (column: string | null, own: string | null | undefined): string | null =>
    descriptionOf(own) ?? (column === null ? null : manifest.columnDescription(table, column))
  for (const entity of model.entities)
    children.push(() =>
      draft.item('entity', `${model.name}.${entity.name}`, () => {
        const parts = dbtParts(entity.expr, entity.name)
        const column = columnOfParts(parts)
        const known = dimensions.find(
          ({ expression }) => expression.kind === 'column' && expression.column === column,
        )
        // A foreign key is named by its column; the entity is the name of the join.
        const name = column ?? entity.name
        if (!known)
          dimensions.push(
            dimensionOf({
              name,
              label: entity.label,
              description: describe(column, entity.description),
              synonyms: synonymsOfMeta(entity.config),
              type: 'categorical',
              expression: partsExpression(parts),
              isKey: true,
            }),
          )
        return entityNote(model, entity, column, context)
      }),
    )
  for (const dimension of model.dimensions)
    children.push(() =>
      draft.item('dimension', `${model.name}.${dimension.name}`, () => {
        const parts = dbtParts(dimension.expr, dimension.name)
        dimensions.push(
          dimensionOf({
            name: dimension.name,
            label: dimension.label,
            description: describe(columnOfParts(parts), dimension.description),
            synonyms: synonymsOfMeta(dimension.config),
            type: typeOfDimension(dimension),
            expression: partsExpression(parts),
          }),
        )
        return null
      }),
    )
  for (const child of children) child()
  // A table of figures alone has them as its dimensions.
  if (dimensions.length === 0) dimensions.push(...figuresOf(model))
  draft.item('semantic model', model.name, () => {
    if (dimensions.length === 0)
      untranslatable('It has no entities, dimensions or measures, so there is nothing to ask for.')
    const made = makeModel({
      name: model.name,
      label: model.label,
      synonyms: synonymsOfMeta(model.config),
      description: model.description,
      table: { schema: model.node_relation.schema_name ?? null, name: table },
      primaryKey: model.entities
        .filter(({ type }) => type === 'primary')
        .flatMap(({ expr, name }) => columnOf(expr, name) ?? []),
      timeDimension: timeDimensionOf(model, dimensions),
      dimensions,
      joins: (context.joins.get(model) ?? []).map(({ join }) => join),
    })
    draft.models.set(made.name, made)
    return null
  })
}

const figuresOf = ({ measures }: DbtModel): readonly Dimension[] =>
  [
    ...new Set(
      measures.flatMap(({ expr, name }) => columnOf(expr === null ? null : String(expr ?? name), name) ?? []),
    ),
  ].map(column =>
    dimensionOf({ name: column, type: 'number', expression: { kind: 'column', column }, isKey: false }),
  )

const timeDimensionOf = (model: DbtModel, dimensions: readonly Dimension[]): string | null => {
  const wanted = model.defaults?.agg_time_dimension
  return dimensions.find(({ name }) => wanted && name === identifier(wanted))?.name ?? null
}

const typeOfDimension = ({ type, type_params }: DbtModel['dimensions'][number]): Dimension['type'] => {
  if (type.toLowerCase() !== 'time') return 'categorical'
  return /second|minute|hour/i.test(type_params?.time_granularity ?? 'day') ? 'timestamp' : 'date'
}

const entityNote = (
  model: DbtModel,
  entity: DbtModel['entities'][number],
  column: string | null,
  { joins }: DbtContext,
): string | null => {
  if (column === null && entity.type !== 'natural')
    return 'It is calculated, so nothing is joined by it. Add it as a column to join by it.'
  if (entity.type === 'natural') return 'It is a dimension. Joins by validity periods are not translated.'
  const leads = joins.get(model)?.some(join => join.entity === entity.name)
  return entity.type === 'foreign' && !leads
    ? 'No model has it as its primary entity, so nothing is joined by it.'
    : null
}

/** Synonyms have no place of their own in dbt; projects keep them in `config.meta`. */
export const synonymsOfMeta = (
  config: { readonly meta?: Record<string, unknown> | null | undefined } | null | undefined,
): readonly string[] => {
  const synonyms = config?.meta?.synonyms
  return Array.isArray(synonyms) ? synonyms.filter(word => typeof word === 'string') : []
}

const aggregations: Readonly<Record<string, Aggregation>> = {
  sum: 'sum',
  sum_boolean: 'sum',
  count: 'count',
  count_distinct: 'count_distinct',
  average: 'avg',
  avg: 'avg',
  min: 'min',
  max: 'max',
  median: 'median',
  percentile: 'percentile',
}

/** The aggregation of a measure, or of a metric of the newer specification. */
export const dbtAggregate = (
  { draft, modelNamed }: DbtContext,
  modelName: string,
  {
    name,
    agg,
    agg_params,
    agg_time_dimension,
    non_additive_dimension,
    expr,
  }: Pick<
    DbtMeasure,
    'name' | 'agg' | 'agg_params' | 'agg_time_dimension' | 'non_additive_dimension' | 'expr'
  >,
): SimpleMetric => {
  const source = modelNamed(modelName)
  const model = draft.models.get(identifier(modelName))
  if (source === undefined || model === undefined)
    return untranslatable(`Its semantic model ${modelName} was not translated.`)
  if (non_additive_dimension)
    untranslatable(
      `It must not be added up over ${non_additive_dimension.name}, which Querent cannot do yet. Use a table with one row for each period.`,
    )
  const aggregation = aggregations[agg.toLowerCase()]
  if (aggregation === undefined) return untranslatable(`Querent does not know the aggregation ${agg}.`)
  const text = expr === null || expr === undefined ? null : String(expr).trim()
  const isRows = text === '1' || text === '*'
  if (isRows && (aggregation === 'count' || aggregation === 'sum'))
    return simpleMetric(model, 'count', null, agg_time_dimension)
  const parts = dbtParts(text, name)
  const counted: readonly SqlPart[] =
    agg.toLowerCase() === 'sum_boolean' ? ['CASE WHEN ', ...parts, ' THEN 1 ELSE 0 END'] : parts
  return {
    ...simpleMetric(model, aggregation, partsExpression(counted), agg_time_dimension),
    percentile: aggregation === 'percentile' ? (agg_params?.percentile ?? 0.5) : null,
  }
}

const simpleMetric = (
  model: SemanticModel,
  aggregation: Aggregation,
  expression: SimpleMetric['expression'],
  timeDimension: string | null | undefined,
): SimpleMetric => ({
  kind: 'simple',
  model: model.name,
  aggregation,
  expression,
  percentile: null,
  filters: [],
  timeDimension:
    timeDimension && identifier(timeDimension) !== model.timeDimension
      ? (model.dimensions.find(({ name }) => name === identifier(timeDimension))?.name ?? null)
      : null,
})
