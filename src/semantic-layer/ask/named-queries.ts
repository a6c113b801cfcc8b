import { assumptionText } from '../../domain/answer-wording/assumptions.ts'
import type { Database } from '../../domain/database.ts'
import type {
  CompileNamedQuery,
  LayerListing,
  ListLayer,
  NamedQuery,
} from '../../domain/metrics/named-query.ts'
import type { Dimension, Unit } from '../../domain/metrics/semantic-layer.ts'
import type { Understanding } from '../../domain/question-context.ts'
import { explainReading } from '../interpret/explain-reading.ts'
import { type PreparedLayer, prepareLayer } from '../read-metric-question.ts'
import { describeMetric, describeSegment, describeUnit } from '../review/describe-item.ts'
import { type LayerCut, modelsOfMetric, wholeLayer } from './layer-cut.ts'
import { type ReadReply, readReply } from './read-reply.ts'

/**
 * Compiles a query that a program wrote in the names of the layer. Texts to compare with are the program's own: one that
 * the database is not known to have is used as it is, and said, with what is nearest to it.
 */
export const compileNamedQuery: CompileNamedQuery = ({ query, database, today, timeZone }) => {
  const prepared = prepareLayer(database)
  const cut = wholeLayer(prepared.index)
  const understanding: Understanding = { kind: 'data', text: '', spans: [], today, timeZone }
  const strict = read(query, { prepared, cut, understanding, database, said: '' })
  const loose = strict.ok
    ? strict
    : read(query, { prepared, cut, understanding, database, said: textsIn(query).join('\n') })
  if (!loose.ok) return loose
  const compiled = prepared.compile(loose.query, { timeZone, today })
  if (!compiled.ok) return { ok: false, problems: [compiled.problem] }
  const taken = explainReading(
    { query: loose.query, corrected: [], unused: [] },
    prepared.index,
    understanding,
  )
  return {
    ok: true,
    sql: compiled.sql,
    meaning: { query: loose.query, sql: compiled.sql, columns: compiled.columns, isYesNo: false },
    assumptions: [
      ...taken.map(assumptionText),
      ...(strict.ok ? [] : strict.problems.map(problem => `${problem.replace(/[.?]$/, '')}.`)),
    ],
  }
}

const read = (
  query: NamedQuery,
  given: {
    readonly prepared: PreparedLayer
    readonly cut: LayerCut
    readonly understanding: Understanding
    readonly database: Pick<Database, 'findValues'>
    /** The texts that count as said. */
    readonly said: string
  },
): ReadReply =>
  readReply(
    { ...query, missing: '', assumptions: [] },
    {
      cut: given.cut,
      index: given.prepared.index,
      understanding: given.understanding,
      texts: { question: given.said, matches: [], findValues: given.database.findValues },
    },
  )

/** Every text that a query compares with. */
const textsIn = (part: unknown): readonly string[] => {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]) =>
    name === 'values' && Array.isArray(value) ? value.filter(one => typeof one === 'string') : textsIn(value),
  )
}

/** Values of a dimension are listed if there are at most so many. */
const MOST_VALUES = 20

/** A profile knows the values of every small column; those of numbers and times say nothing of others that there may be. */
const valuesOf = ({ type, values }: Dimension): readonly (string | number | boolean)[] =>
  (type === 'categorical' || type === 'boolean') && values !== null && values.length <= MOST_VALUES
    ? values
    : []

/** A unit as numbers are shown and compared with it, whatever is stored. */
const unitName = (unit: Unit | null): string | null =>
  unit?.kind === 'currency' ? (unit.code ?? 'money') : describeUnit(unit)

/** Lists what the layer of a database has, by name. */
export const listLayer: ListLayer = (database): LayerListing => {
  const { index, layer } = prepareLayer(database)
  const cut = wholeLayer(index)
  return {
    metrics: [...cut.metrics.values()].map(metric => {
      const { name, label, synonyms, description, status } = metric
      const meaning = describeMetric(metric, layer)
      return {
        ...{ name, label, synonyms, description, status, meaning },
        unit: unitName(metric.unit),
        models: modelsOfMetric(metric, index),
      }
    }),
    models: [...cut.models.values()].map(
      ({ model: { name, label, description, timeDimension, joins }, dimensions }) => ({
        ...{ name, label, description, timeDimension },
        joins: joins.filter(({ to }) => cut.models.has(to)).map(join => ({ name: join.name, to: join.to })),
        dimensions: [...dimensions.values()].map(dimension => ({
          name: dimension.name,
          label: dimension.label,
          description: dimension.description,
          type: dimension.type,
          unit: unitName(dimension.unit),
          values: valuesOf(dimension),
        })),
      }),
    ),
    segments: [...cut.segments.values()].map(segment => {
      const { name, label, description, model } = segment
      return { name, label, description, model, meaning: describeSegment(segment, layer) }
    }),
  }
}
