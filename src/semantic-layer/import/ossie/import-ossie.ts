import { z } from 'zod'
import type { Dimension, ModelJoin } from '../../../domain/metrics/semantic-layer.ts'
import { type Calculation, readCalculation } from '../aggregate-sql.ts'
import { identifier, metricLabel } from '../import-names.ts'
import { type ImportedLayer, type SourceFile, untranslatable } from '../imported-layer.ts'
import {
  calculatedMetric,
  type LayerDraft,
  type MetricItem,
  makeLayerDraft,
  makeMetricItems,
  metricOf,
  unitOfAggregate,
} from '../layer-draft.ts'
import { type LogicalTable, type LogicalTables, makeLogicalTables } from '../logical-tables.ts'
import { dimensionOf, makeModel } from '../make-model.ts'
import { readYamlFiles } from '../source-files.ts'
import { partsExpression, tableOf, tableOfQuery } from '../sql-parts.ts'
import {
  datasetExtension,
  fieldExtension,
  metricExtension,
  modelExtension,
  OSSIE_VENDOR,
  relationshipExtension,
} from './extension.ts'

const text = z.string().nullish()

const context = z
  .preprocess(
    value => (typeof value === 'string' ? { instructions: value } : value),
    z.looseObject({ instructions: text, synonyms: z.array(z.string()).nullish() }),
  )
  .nullish()

const extensions = z.array(z.object({ vendor_name: z.string(), data: z.string() })).nullish()

const expression = z.object({
  dialects: z.array(z.object({ dialect: z.string(), expression: z.string() })).min(1),
})

const field = z.object({
  name: z.string(),
  expression,
  dimension: z.object({ is_time: z.boolean().nullish() }).nullish(),
  label: text,
  description: text,
  datatype: text,
  ai_context: context,
  custom_extensions: extensions,
})

const dataset = z.object({
  name: z.string(),
  source: z.string(),
  primary_key: z.array(z.string()).nullish(),
  unique_keys: z.array(z.array(z.string())).nullish(),
  description: text,
  ai_context: context,
  fields: z.array(field).nullish(),
  custom_extensions: extensions,
})

const relationship = z.object({
  name: z.string(),
  from: z.string(),
  to: z.string(),
  from_columns: z.array(z.string()).min(1),
  to_columns: z.array(z.string()).min(1),
  custom_extensions: extensions,
})

const metric = z.object({
  name: z.string(),
  expression,
  description: text,
  datatype: text,
  ai_context: context,
  custom_extensions: extensions,
})

const semanticModel = z.object({
  name: z.string(),
  description: text,
  ai_context: context,
  datasets: z.array(dataset).min(1),
  relationships: z.array(relationship).nullish(),
  metrics: z.array(metric).nullish(),
  custom_extensions: extensions,
})

const document = z.object({
  version: z.union([z.string(), z.number()]).nullish(),
  semantic_model: z.preprocess(value => (Array.isArray(value) ? value : [value]), z.array(semanticModel)),
})

type OssieDataset = z.infer<typeof dataset>
type OssieField = z.infer<typeof field>
type OssieMetric = z.infer<typeof metric>
type OssieModel = z.infer<typeof semanticModel>
type OssieExpression = z.infer<typeof expression>

/** Imports Apache Ossie documents (draft 0.2.0.dev0, and 0.1 documents of the same shape). */
export const importOssie = (files: readonly SourceFile[]): ImportedLayer => {
  const draft = makeLayerDraft()
  for (const { semantic_model: models } of readYamlFiles(files, 'Ossie', document))
    for (const model of models) addSemanticModel(model, draft)
  return draft.finish()
}

const addSemanticModel = (model: OssieModel, draft: LayerDraft): void => {
  const tables = model.datasets.map(
    (one): LogicalTable => ({
      name: one.name,
      physical: one.source.split('.').at(-1) ?? one.source,
      fields: new Map((one.fields ?? []).flatMap(own => fieldEntry(own))),
    }),
  )
  const logical = makeLogicalTables(
    tables,
    (model.relationships ?? []).map(one => [one.from, one.to]),
    draft,
  )
  const summed = summedFields(model)
  for (const [at, one] of model.datasets.entries())
    addDataset(one, tables[at]!, { model, draft, logical, summed })
  for (const one of model.relationships ?? []) noteRelationship(one, draft)
  addMetrics(model, draft, logical)
  draft.translate('semantic model', model.name)
  if (model.ai_context?.instructions)
    draft.skip(
      'instructions',
      model.name,
      'Instructions for a model are prose. Put what is still true into a file in knowledge/.',
    )
  addOwnItems(model, draft)
  noteExtensions(model, draft)
}

/** Dialects of SQL in the order in which they are taken; the others are not SQL. */
const dialects = ['ANSI_SQL', 'OSSIE_SQL_2026', 'SNOWFLAKE', 'DATABRICKS', 'BIGQUERY']

const sqlOf = ({ dialects: given }: OssieExpression): string => {
  const own = dialects
    .map(dialect => given.find(one => one.dialect.toUpperCase() === dialect)?.expression)
    .find(sql => sql !== undefined)
  return (
    own ??
    untranslatable(
      `It is only written in ${given.map(one => one.dialect).join(', ')}. Add an expression in ANSI_SQL.`,
    )
  )
}

const fieldEntry = ({ name, expression: own }: OssieField): readonly (readonly [string, string])[] => {
  try {
    return [[name, sqlOf(own)]]
  } catch {
    return []
  }
}

/** Fields without a data type that metrics add up or average: they are numbers. */
const summedFields = ({ metrics, datasets }: OssieModel): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { expression: own } of metrics ?? []) {
    for (const { expression: sql } of own.dialects)
      for (const match of sql.matchAll(/\b(?:sum|avg|median)\s*\(\s*(?:(\w+)\.)?(\w+)\s*\)/gi))
        for (const one of datasets)
          if (match[1] === undefined || match[1].toLowerCase() === one.name.toLowerCase())
            found.add(`${one.name}.${match[2]}`.toLowerCase())
  }
  return found
}

const extensionOf = <T>(
  schema: z.ZodType<T>,
  given: { readonly vendor_name: string; readonly data: string }[] | null | undefined,
): T | null => {
  const own = given?.find(one => one.vendor_name === OSSIE_VENDOR)
  if (own === undefined) return null
  try {
    const read = schema.safeParse(JSON.parse(own.data))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

interface DatasetContext {
  readonly model: OssieModel
  readonly draft: LayerDraft
  readonly logical: LogicalTables
  readonly summed: ReadonlySet<string>
}

const addDataset = (one: OssieDataset, table: LogicalTable, context: DatasetContext): void => {
  const { draft, model, logical } = context
  let source: ReturnType<typeof tableOf> | null = null
  draft.item('dataset', one.name, () => {
    source = /\s/.test(one.source.trim()) ? tableOfQuery(one.source) : tableOf(one.source)
    return null
  })
  if (source === null) {
    for (const own of one.fields ?? [])
      draft.skip('field', `${one.name}.${own.name}`, `Its dataset ${one.name} was skipped.`)
    return
  }
  const dimensions: Dimension[] = []
  for (const own of one.fields ?? [])
    draft.item('field', `${one.name}.${own.name}`, () => {
      const sql = sqlOf(own.expression)
      const extension = extensionOf(fieldExtension, own.custom_extensions)
      const parts = logical.field(table, own.name)
      dimensions.push({
        ...dimensionOf({
          name: own.name,
          label: own.label,
          description: own.description,
          synonyms: own.ai_context?.synonyms,
          type:
            extension?.type ?? typeOfField(own, context.summed.has(`${one.name}.${own.name}`.toLowerCase())),
          expression: extension?.sql === sql ? extension.expression : partsExpression(parts),
          ...(extension ? { values: extension.values, unit: extension.unit, isKey: extension.isKey } : {}),
        }),
        ...(extension ? { synonyms: own.ai_context?.synonyms ?? [] } : {}),
      })
      return null
    })
  const joins = (model.relationships ?? [])
    .filter(relation => relation.from === one.name && isSound(relation, model))
    .map(
      (relation): ModelJoin => ({
        name:
          extensionOf(relationshipExtension, relation.custom_extensions)?.name ?? identifier(relation.name),
        to: identifier(relation.to),
        columns: relation.from_columns.map((from, at) => ({ from, to: relation.to_columns[at] ?? from })),
      }),
    )
  const extension = extensionOf(datasetExtension, one.custom_extensions)
  const made = makeModel({
    name: one.name,
    label: extension?.label,
    description: one.description ?? one.ai_context?.instructions,
    synonyms: one.ai_context?.synonyms,
    table: source,
    primaryKey: one.primary_key ?? one.unique_keys?.[0] ?? [],
    timeDimension: null,
    dimensions: dimensions.length > 0 ? dimensions : keyDimensions(model, one.name),
    joins,
  })
  draft.models.set(made.name, {
    ...made,
    ...(extension === null
      ? {}
      : {
          ...extension,
          synonyms: one.ai_context?.synonyms ?? [],
          dimensions: kept(made.dimensions, dimensions),
        }),
  })
}

/** Dimensions of an export keep what they were exported with. */
const kept = (made: readonly Dimension[], own: readonly Dimension[]): readonly Dimension[] =>
  made.map(dimension => own.find(({ name }) => name === dimension.name) ?? dimension)

/** A dataset without fields is known by the columns that relationships use. */
const keyDimensions = ({ relationships }: OssieModel, name: string): readonly Dimension[] =>
  [
    ...new Set(
      (relationships ?? []).flatMap(one => [
        ...(one.from === name ? one.from_columns : []),
        ...(one.to === name ? one.to_columns : []),
      ]),
    ),
  ].map(column =>
    dimensionOf({ name: column, type: 'categorical', expression: { kind: 'column', column }, isKey: true }),
  )

const typeOfField = ({ datatype, dimension, name }: OssieField, isSummed: boolean): Dimension['type'] => {
  switch (datatype?.toLowerCase()) {
    case 'integer':
    case 'decimal':
    case 'float':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'date':
      return 'date'
    case 'datetime':
    case 'datetimetz':
      return 'timestamp'
    case undefined:
      if (isSummed) return 'number'
      if (!dimension?.is_time) return 'categorical'
      // A year or the name of a month is about time, but is no moment.
      return /year|month|quarter|week|hour|name|num/i.test(name) ? 'categorical' : 'date'
    default:
      return 'categorical'
  }
}

type OssieRelationship = NonNullable<OssieModel['relationships']>[number]

const isSound = (relation: OssieRelationship, { datasets }: OssieModel): boolean =>
  relation.from_columns.length === relation.to_columns.length &&
  datasets.some(one => one.name === relation.to)

const noteRelationship = (relation: OssieRelationship, draft: LayerDraft): void =>
  draft.item('relationship', relation.name, () => {
    for (const side of [relation.from, relation.to])
      if (!draft.models.has(identifier(side))) untranslatable(`Its dataset ${side} was not translated.`)
    if (relation.from_columns.length !== relation.to_columns.length)
      untranslatable('It has more columns on one side than on the other. List them in pairs.')
    return null
  })

const addMetrics = (model: OssieModel, draft: LayerDraft, logical: LogicalTables): void => {
  const items: MetricItem[] = (model.metrics ?? []).map(one => {
    const read = readOf(one)
    return {
      key: one.name.toLowerCase(),
      kind: 'metric',
      shown: one.name,
      wanted: [identifier(one.name)],
      isSimple: read?.kind === 'aggregate' || extensionOf(metricExtension, one.custom_extensions) !== null,
      build: name => {
        const sql = sqlOf(one.expression)
        const extension = extensionOf(metricExtension, one.custom_extensions)
        const naming = { name, description: one.description, synonyms: one.ai_context?.synonyms }
        if (extension && extension.sql === sql) {
          const { label, unit, goodDirection, status, definition } = extension
          draft.addMetric({
            ...metricOf({ ...naming, label, unit }, definition),
            goodDirection,
            status,
            synonyms: naming.synonyms ?? [],
          })
          return null
        }
        const { definition, unit } = calculatedMetric(draft, readCalculation(sql), {
          metricNamed: reference => metrics.nameOf(reference.toLowerCase()),
          simple: call => logical.aggregate(call, null),
        })
        const label = metricLabel(one.name, extension?.label ?? null)
        draft.addMetric(
          metricOf(
            {
              ...naming,
              label,
              unit:
                definition.kind === 'simple'
                  ? unitOfAggregate(definition.aggregation, extension?.unit ?? null)
                  : unit,
            },
            definition,
          ),
        )
        const isUnclear = definition.kind === 'simple' && model.datasets.length > 1 && !sql.includes('.')
        return isUnclear ? `It names no dataset; taken as ${definition.model}.` : null
      },
    }
  })
  const metrics = makeMetricItems(draft, items)
  metrics.translateAll()
}

const readOf = ({ expression: own }: OssieMetric): Calculation | null => {
  try {
    return readCalculation(sqlOf(own))
  } catch {
    return null
  }
}

/** Segments and cumulative metrics of an export of Querent. */
const addOwnItems = (model: OssieModel, draft: LayerDraft): void => {
  const own = extensionOf(modelExtension, model.custom_extensions)
  for (const one of own?.metrics ?? []) {
    draft.addMetric({ ...one, name: draft.nameMetric(one.name) })
    draft.translate('metric', one.name)
  }
  for (const { name, status, ...segment } of own?.segments ?? []) {
    draft.addSegment({ ...segment, wanted: name, status })
    draft.translate('segment', name)
  }
}

/** Extensions of other vendors, which only their tools can read. */
const noteExtensions = (model: OssieModel, draft: LayerDraft): void => {
  const places = [
    model,
    ...model.datasets,
    ...model.datasets.flatMap(one => one.fields ?? []),
    ...(model.relationships ?? []),
    ...(model.metrics ?? []),
  ]
  const counts = new Map<string, number>()
  for (const { custom_extensions: given } of places)
    for (const { vendor_name: vendor } of given ?? [])
      if (vendor !== OSSIE_VENDOR && vendor !== 'COMMON') counts.set(vendor, (counts.get(vendor) ?? 0) + 1)
  for (const [vendor, count] of counts)
    draft.skip(
      'extension',
      `${model.name}: ${vendor} (${count} ${count === 1 ? 'place' : 'places'})`,
      'Extensions mean something to their own tool only. Check whether one of them changes a definition.',
    )
}
