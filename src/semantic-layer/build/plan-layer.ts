import type { Database } from '../../domain/database.ts'
import { SqlError } from '../../domain/errors.ts'
import type { KnowledgeProblem } from '../../domain/knowledge.ts'
import { type DateUnit, emptyMetricQuery, type MetricQuery } from '../../domain/metrics/metric-query.ts'
import type { Metric } from '../../domain/metrics/semantic-layer.ts'
import { makeCompileMetricQuery } from '../compile/compile-metric-query.ts'
import { didYouMean } from '../files/nearest-name.ts'
import { type BuiltLayer, buildLayer, inOrder, type LayerSources } from './build-layer.ts'
import type { LayerItem } from './layer-item.ts'
import { referencesOf } from './merge-metrics.ts'

/** Figures that are planned in one statement. */
const FIGURES_AT_ONCE = 12

type PlannedOn = Pick<Database, 'catalog' | 'guard' | 'estimate'>

/**
 * Makes the semantic layer of a database and lets the database plan everything that files and terms say, so that a
 * wrong expression is found before anyone asks. What does not plan is left out and reported. Nothing is run.
 */
export const buildPlannedLayer = async (
  sources: LayerSources,
  database: PlannedOn,
  options: { readonly today: string; readonly timeZone: string; readonly signal?: AbortSignal },
): Promise<BuiltLayer> => {
  const built = buildLayer(sources, database.catalog)
  const broken = await findBroken(built, database, options)
  if (broken.size === 0) return built
  const again = buildLayer(sources, database.catalog, new Set([...broken.keys()].map(({ key }) => key)))
  const reports = [...broken].map(([{ at, key, isTerm }, why]) => ({
    isTerm,
    problem: { at, message: `the ${key} does not run: ${why}` } satisfies KnowledgeProblem,
  }))
  return {
    ...again,
    problems: inOrder([
      ...again.problems,
      ...reports.flatMap(({ isTerm, problem }) => (isTerm ? [] : [problem])),
    ]),
    notes: inOrder([...again.notes, ...reports.flatMap(({ isTerm, problem }) => (isTerm ? [problem] : []))]),
  }
}

const findBroken = async (
  { layer, items }: BuiltLayer,
  database: PlannedOn,
  {
    today,
    timeZone,
    signal,
  }: { readonly today: string; readonly timeZone: string; readonly signal?: AbortSignal },
): Promise<ReadonlyMap<LayerItem, string>> => {
  const compile = makeCompileMetricQuery(layer, database.catalog)
  const metrics = new Map(layer.metrics.map(metric => [metric.name, metric]))
  /** The periods that a total over the last few needs: there is none without them. */
  const grainOf = ({ use }: LayerItem): DateUnit | null =>
    use.kind === 'named' ? windowOf(metrics, use.metric) : null
  const problemOf = async (some: readonly LayerItem[]): Promise<string | null> => {
    const grain = some.map(grainOf).find(one => one !== null) ?? null
    const query: MetricQuery = {
      ...emptyMetricQuery,
      metrics: some.map(({ use }) => use),
      groupBy: grain === null ? [] : [{ kind: 'grain', at: null, grain }],
    }
    const compiled = compile(query, { today, timeZone })
    if (!compiled.ok) return compiled.problem
    const verdict = database.guard(compiled.sql)
    if (verdict.verdict === 'refuse') return verdict.reason
    try {
      await database.estimate?.(verdict.guarded, signal ? { signal } : {})
      return null
    } catch (error) {
      signal?.throwIfAborted()
      // A database that is busy or away says nothing about the expression.
      if (!(error instanceof SqlError) || passing.has(error.errorClass)) return null
      return withHint(firstSentence(error.message), database)
    }
  }
  const broken = new Map<LayerItem, string>()
  /** Whether a metric is made of one that is broken: then that one is to be corrected. */
  const needsBroken = ({ use }: LayerItem): boolean => {
    const metric = use.kind === 'named' ? metrics.get(use.metric) : undefined
    const needed = new Set(metric ? referencesOf(metric) : [])
    for (const name of needed) for (const other of referencesIn(metrics, name)) needed.add(other)
    return [...broken.keys()].some(item => item.use.kind === 'named' && needed.has(item.use.metric))
  }
  // A metric that was left out is not in the layer. Metrics over others come last.
  const inLayer = items
    .filter(({ use }) => use.kind !== 'named' || metrics.has(use.metric))
    .toSorted((a, b) => Number(isOverOthers(a, metrics)) - Number(isOverOthers(b, metrics)))
  const [plain, windowed] = [inLayer.filter(one => grainOf(one) === null), inLayer.filter(grainOf)]
  const portions = Array.from({ length: Math.ceil(plain.length / FIGURES_AT_ONCE) }, (_, at) =>
    plain.slice(at * FIGURES_AT_ONCE, (at + 1) * FIGURES_AT_ONCE),
  )
  for (const some of [...portions, ...windowed.map(one => [one])]) {
    if ((await problemOf(some)) === null) continue
    for (const item of some) {
      if (needsBroken(item)) continue
      const problem = await problemOf([item])
      if (problem !== null) broken.set(item, problem)
    }
  }
  return broken
}

const referencesIn = (metrics: ReadonlyMap<string, Metric>, name: string): readonly string[] => {
  const metric = metrics.get(name)
  return metric ? referencesOf(metric) : []
}

const windowOf = (metrics: ReadonlyMap<string, Metric>, name: string): DateUnit | null => {
  const metric = metrics.get(name)
  if (metric?.kind === 'cumulative' && metric.window !== null) return metric.window.unit
  return referencesIn(metrics, name).reduce<DateUnit | null>(
    (found, one) => found ?? windowOf(metrics, one),
    null,
  )
}

const isOverOthers = ({ use }: LayerItem, metrics: ReadonlyMap<string, Metric>): boolean =>
  use.kind === 'named' && referencesIn(metrics, use.metric).length > 0

const passing: ReadonlySet<string> = new Set([
  'timeout',
  'cancelled',
  'connection',
  'over-budget',
  'too-heavy',
])

/** Adds the nearest column to a message about one that is not there. */
const withHint = (message: string, { catalog }: PlannedOn): string => {
  const [, named] = /columns?[\s"'`:]+(?:\w+\.)?["'`]?(\w+)/i.exec(message) ?? []
  const columns = new Set(catalog.tables.flatMap(table => table.columns.map(({ name }) => name)))
  return named === undefined || columns.has(named) ? message : `${message}${didYouMean(named, columns)}`
}

const firstSentence = (message: string): string => message.split('\n')[0]?.trim() ?? message
