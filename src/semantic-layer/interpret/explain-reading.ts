import type { Assumption } from '../../domain/interpretation.ts'
import type { DimensionRef, MetricQuery, MetricUse } from '../../domain/metrics/metric-query.ts'
import type { SemanticLayer, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import type { Understanding } from '../../domain/question-context.ts'
import { capitalize } from '../../lib/capitalize.ts'
import { formatDays } from '../../lib/format-figure.ts'
import { type LayerIndex, timeDimensionOf } from '../compile/layer-index.ts'
import type { MetricInterpretation } from './interpret-metrics.ts'

/** What a reading takes for granted: proposed definitions, the date that periods go by, spelling, and ignored words. */
export const explainReading = (
  { query, corrected, unused }: Pick<MetricInterpretation, 'query' | 'corrected' | 'unused'>,
  index: LayerIndex,
  { timeZone }: Pick<Understanding, 'timeZone'>,
): readonly Assumption[] => [
  ...definitionsOf(query, index.layer),
  ...datesOf(query, index, timeZone),
  ...corrected.map(({ from, to }): Assumption => ({ kind: 'spelling', from, to: asStored(to, query) })),
  ...(unused.length > 0 ? [{ kind: 'ignored', words: unused } as const] : []),
]

/** A corrected word as the database writes it, if rows are filtered by it: "Germany" instead of "germany". */
const asStored = (word: string, { filters }: MetricQuery): string =>
  filters
    .flatMap(filter => (filter.kind === 'values' ? filter.values : []))
    .find(
      (value): value is string => typeof value === 'string' && value.toLowerCase() === word.toLowerCase(),
    ) ?? word

/** Metrics that were only proposed and whose name does not say what they are: revenue. */
const definitionsOf = ({ metrics }: MetricQuery, layer: SemanticLayer): readonly Assumption[] => {
  const names = new Set(metrics.flatMap(namesIn))
  return layer.metrics
    .filter(
      metric =>
        names.has(metric.name) &&
        metric.status === 'proposed' &&
        metric.description !== null &&
        metric.synonyms.includes('revenue'),
    )
    .map(
      ({ label, description }): Assumption => ({
        kind: 'definition',
        label,
        meaning: (description ?? '').replace(/^Sum/, 'sum'),
      }),
    )
}

const namesIn = (use: MetricUse): readonly string[] => {
  if (use.kind === 'ratio') return [...namesIn(use.numerator), ...namesIn(use.denominator)]
  return use.kind === 'named' ? [use.metric] : []
}

/** Which rows a period counts, by which of their dates: those of each figure. */
const datesOf = (
  { period, metrics, rowsOf }: MetricQuery,
  index: LayerIndex,
  timeZone: string,
): readonly Assumption[] => {
  if (period === null) return []
  const bases = rowsOf === null ? metrics.map(use => baseOf(use, index)) : [rowsOf]
  return [...new Set(bases)].flatMap((name): readonly Assumption[] => {
    const base = index.models.get(name ?? '')
    const at = period.at ?? (base ? timeDimensionOf(index, base, base.model.timeDimension) : null)
    const dimension = at && index.models.get(at.model)?.dimensions.get(at.dimension)
    if (!base || !at || !dimension) return []
    return [
      {
        kind: 'counted-by',
        what: capitalize(base.model.plural),
        date: dateWords(at, dimension.label, index.models.get(at.model)?.model ?? base.model, base.model),
        days: formatDays(period.from, period.until),
        timeZone: dimension.type === 'timestamp' ? timeZone : null,
      },
    ]
  })
}

const baseOf = (use: MetricUse, index: LayerIndex): string | null => {
  if (use.kind === 'made') return use.model
  if (use.kind === 'ratio') return baseOf(use.numerator, index)
  const metric = index.metrics.get(use.metric)
  if (metric?.kind === 'simple') return metric.model
  return metric?.kind === 'ratio'
    ? baseOf({ kind: 'named', metric: metric.numerator, filters: [] }, index)
    : null
}

/** "date placed", "date of the order". */
const dateWords = (at: DimensionRef, label: string, model: SemanticModel, base: SemanticModel): string => {
  const said = label.toLowerCase()
  const plain = /(?:ed|en|left|sent|paid|sold|made)(?: \w+)?$/.test(said)
    ? `date ${said}`
    : /\bdate\b/.test(said)
      ? said
      : `${said} date`
  return at.model === base.name ? plain : `${plain} of the ${model.label.toLowerCase()}`
}
