import type { Catalog } from '../domain/catalog.ts'
import type { Database } from '../domain/database.ts'
import type { MetricReading, ReadMetricQuestion } from '../domain/metrics/metric-reading.ts'
import type { SemanticLayer } from '../domain/metrics/semantic-layer.ts'
import type { Understanding } from '../domain/question-context.ts'
import { oncePerObject } from '../lib/once.ts'
import { type CompileMetricQuery, makeCompileMetricQuery } from './compile/compile-metric-query.ts'
import { readingFeatures } from './interpret/confidence.ts'
import { explainReading } from './interpret/explain-reading.ts'
import {
  type MetricInterpretation,
  type MetricReader,
  makeMetricReader,
} from './interpret/interpret-metrics.ts'
import { proposeLayer } from './propose/propose-layer.ts'

/** Readings that are compiled; the rest is far behind. */
const MOST_READINGS = 6

/** Readings with other statements that are returned. */
const MOST_RETURNED = 4

/** Readings this far behind the best in score have no share. */
const WIDEST_MARGIN = 3

/** Everything that is prepared once for a layer. */
export interface PreparedLayer extends MetricReader {
  readonly layer: SemanticLayer
  readonly compile: CompileMetricQuery
}

const prepare = (layer: SemanticLayer, catalog: Catalog): PreparedLayer => ({
  layer,
  ...makeMetricReader(layer, catalog),
  compile: makeCompileMetricQuery(layer, catalog),
})

/** The layer of a database that has none of its own: what its catalog suggests. */
const prepareProposed = oncePerObject((catalog: Catalog) => prepare(proposeLayer(catalog), catalog))

const prepareOwn = oncePerObject((layer: SemanticLayer) =>
  oncePerObject((catalog: Catalog) => prepare(layer, catalog)),
)

/** The layer of a database; without one of its own, what its catalog suggests. */
export const prepareLayer = ({
  catalog,
  semanticLayer,
}: Pick<Database, 'catalog' | 'semanticLayer'>): PreparedLayer =>
  semanticLayer ? prepareOwn(semanticLayer)(catalog) : prepareProposed(catalog)

/** Reads questions by the layer of their database; without one, by what its catalog suggests. */
export const readMetricQuestion: ReadMetricQuestion = ({ understanding, database }) => {
  const prepared = prepareLayer(database)
  const readings = prepared.interpret({ understanding, findValues: database.findValues })
  return compileReadings(readings, prepared, understanding)
}

/** A query but for the names of its metrics. */
const shapeOf = ({ query }: MetricInterpretation): string =>
  JSON.stringify(query).replaceAll(/"metric":"[^"]*"/g, '')

const usesProposed = ({ query }: MetricInterpretation, { metrics }: SemanticLayer): boolean =>
  query.metrics.some(
    use => use.kind === 'named' && metrics.find(({ name }) => name === use.metric)?.status === 'proposed',
  )

/** The statements of the best readings. One that says the same as a better one is left out. */
export const compileReadings = (
  readings: readonly MetricInterpretation[],
  { layer, index, compile }: PreparedLayer,
  understanding: Pick<Understanding, 'text' | 'timeZone' | 'today'>,
): readonly MetricReading[] => {
  const asked = { timeZone: understanding.timeZone, today: understanding.today }
  const compiled = new Map<
    string,
    {
      readonly reading: MetricInterpretation
      readonly made: Omit<MetricReading, 'score' | 'confidence' | 'decisions' | 'features'>
    }
  >()
  const tried = readings.slice(0, MOST_READINGS).flatMap(reading => {
    const shown = compile(reading.query, asked)
    return shown.ok ? [{ reading, shown }] : []
  })
  for (const { reading, shown } of tried) {
    // Anyone who says "revenue" means the metric of that name, if it can be had: before one that nobody has accepted in any case.
    const own = reading.isRival
      ? tried.find(other => !other.reading.isRival && shapeOf(other.reading) === shapeOf(reading))
      : undefined
    if (own && (compiled.has(own.shown.sql) || usesProposed(reading, layer))) continue
    if (compiled.has(shown.sql)) continue
    const drafted = reading.figureIsAsked ? shown : compile({ ...reading.query, metrics: [] }, asked)
    const sql = drafted.ok ? drafted.sql : shown.sql
    const meaning = { query: reading.query, sql: shown.sql, columns: shown.columns, isYesNo: reading.isYesNo }
    compiled.set(shown.sql, {
      reading,
      made: {
        sql,
        meaning,
        unused: reading.unused,
        assumptions: explainReading(reading, index, understanding),
      },
    })
  }
  const found = [...compiled.values()].slice(0, MOST_RETURNED)
  const [best, second] = found
  if (best === undefined) return []
  const margin = second ? best.reading.score - second.reading.score : WIDEST_MARGIN
  const features = readingFeatures(best.reading, { layer, margin, question: understanding.text })
  return found.map(({ reading, made }) => ({
    ...made,
    score: reading.score,
    decisions: [],
    features,
    // How likely it is beside the first; what the first is worth is weighed against the parser's.
    confidence: Math.exp(reading.score - best.reading.score),
  }))
}
