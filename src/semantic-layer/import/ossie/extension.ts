import { z } from 'zod'

/**
 * What Ossie has no place for, in the extension of vendor `QUERENT`. A definition is only taken if the SQL that it was
 * exported with is still there: what a person edits in the file wins.
 */
export const OSSIE_VENDOR = 'QUERENT'

/** The draft of the specification that is written. */
export const OSSIE_VERSION = '0.2.0.dev0'

const text = z.string()
const readonlyTexts = z.array(text).readonly()

const durationUnit = z.enum(['second', 'minute', 'hour', 'day'])
const dateUnit = z.enum(['day', 'week', 'month', 'quarter', 'year'])
const status = z.enum(['accepted', 'proposed'])

const unit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('currency'), code: text.nullable(), scale: z.number() }),
  z.object({ kind: z.literal('percent'), scale: z.number() }),
  z.object({ kind: z.literal('duration'), unit: durationUnit }),
  z.object({ kind: z.literal('count') }),
  z.object({ kind: z.literal('other'), suffix: text, scale: z.number() }),
])

const expression = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('column'), column: text }),
  z.object({ kind: z.literal('sql'), text }),
  z.object({ kind: z.literal('duration'), from: text, until: text, unit: durationUnit }),
])

const definition = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('simple'),
    model: text,
    aggregation: z.enum(['sum', 'count', 'count_distinct', 'avg', 'min', 'max', 'median', 'percentile']),
    expression: expression.nullable(),
    percentile: z.number().nullable(),
    filters: readonlyTexts,
    timeDimension: text.nullable(),
  }),
  z.object({ kind: z.literal('ratio'), numerator: text, denominator: text }),
  z.object({ kind: z.literal('derived'), formula: text }),
  z.object({
    kind: z.literal('cumulative'),
    metric: text,
    window: z.object({ count: z.number(), unit: dateUnit }).nullable(),
    toDate: dateUnit.nullable(),
  }),
])

const naming = { name: text, label: text, synonyms: readonlyTexts, description: text.nullable() }

const condition = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sql'), text }),
  z.object({ kind: z.literal('past'), dimension: text }),
  z.object({
    kind: z.literal('related'),
    model: text,
    negated: z.boolean(),
    where: readonlyTexts,
    days: z.number().nullable(),
  }),
])

/** On a dataset. */
export const datasetExtension = z.object({
  label: text,
  plural: text,
  nameDimensions: readonlyTexts,
  timeDimension: text.nullable(),
  status,
})

/** On a relationship. */
export const relationshipExtension = z.object({ name: text })

/** On a field. */
export const fieldExtension = z.object({
  type: z.enum(['categorical', 'number', 'boolean', 'date', 'timestamp']),
  values: z
    .array(z.union([text, z.number(), z.boolean()]))
    .readonly()
    .nullable(),
  unit: unit.nullable(),
  isKey: z.boolean(),
  /** The SQL of the field, and what it stands for. */
  sql: text,
  expression,
})

/** On a metric. */
export const metricExtension = z.object({
  label: text,
  unit: unit.nullable(),
  goodDirection: z.enum(['up', 'down']).nullable(),
  status,
  sql: text,
  definition,
})

/** On a semantic model: what has no counterpart in Ossie at all. */
export const modelExtension = z.object({
  metrics: z
    .array(
      z
        .object({
          ...naming,
          unit: unit.nullable(),
          goodDirection: z.enum(['up', 'down']).nullable(),
          status,
        })
        .and(definition),
    )
    .readonly(),
  segments: z
    .array(z.object({ ...naming, model: text, conditions: z.array(condition).readonly(), status }))
    .readonly(),
})

export type DatasetExtension = z.infer<typeof datasetExtension>
export type FieldExtension = z.infer<typeof fieldExtension>
export type MetricExtension = z.infer<typeof metricExtension>
export type ModelExtension = z.infer<typeof modelExtension>
