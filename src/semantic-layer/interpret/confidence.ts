import type { MetricUse } from '../../domain/metrics/metric-query.ts'
import type { SemanticLayer } from '../../domain/metrics/semantic-layer.ts'
import type { MetricInterpretation } from './interpret-metrics.ts'

/**
 * What the probability of a reading is estimated from, by name: how well its words fit, how far it leads (`margin`), and
 * what kind of query it is. All from 0 to about 3.
 */
export const readingFeatures = (
  { query, evidence, unused, corrected, isYesNo }: MetricInterpretation,
  {
    layer,
    margin,
    question,
  }: { readonly layer: SemanticLayer; readonly margin: number; readonly question: string },
): Readonly<Record<string, number>> => {
  const flag = (is: boolean): number => (is ? 1 : 0)
  const uses = query.metrics.flatMap(partsOf)
  const named = uses.flatMap(use =>
    use.kind === 'named' ? [layer.metrics.find(({ name }) => name === use.metric)] : [],
  )
  const made = uses.flatMap(use => (use.kind === 'made' ? [use.aggregation] : []))
  const filters = query.filters.map(({ kind }) => kind)
  const text = question.toLowerCase()
  return {
    one: 1,
    tied: flag(margin < 0.1),
    near: flag(margin >= 0.1 && margin < 0.3),
    margin: Math.min(margin, 2),
    quality: evidence.quality,
    weak: flag(evidence.weakest < 0.7),
    middling: flag(evidence.weakest >= 0.7 && evidence.weakest < 0.9),
    fit: Math.max(-2, Math.min(1, evidence.fit)),
    unused: Math.min(unused.length, 3),
    corrected: Math.min(corrected.length, 2),
    rows: flag(query.rowsOf !== null),
    shown: Math.min(query.show.length, 3),
    filters: Math.min(filters.filter(kind => kind === 'values' || kind === 'compare').length, 3),
    segments: flag(filters.includes('segment')),
    related: flag(filters.includes('related')),
    measured: flag(filters.includes('measured') || query.having.length > 0),
    period: flag(query.period !== null),
    named: flag(named.length > 0),
    money: flag(named.some(metric => metric?.unit?.kind === 'currency')),
    counted: flag(made.includes('count')),
    distinct: flag(made.includes('count_distinct')),
    aggregated: flag(made.some(fn => fn !== 'count' && fn !== 'count_distinct')),
    figures: Math.min(query.metrics.length, 3),
    groups: Math.min(query.groupBy.length, 3),
    series: flag(query.groupBy.some(({ kind }) => kind === 'grain' || kind === 'part' || kind === 'cohort')),
    ranked: flag(query.order.length > 0),
    limited: flag(query.limit !== null),
    compared: flag(
      query.compare !== null ||
        query.share !== null ||
        query.running !== null ||
        query.metrics.some(({ kind }) => kind === 'ratio'),
    ),
    perGroup: flag(query.limitPer.length > 0),
    selfJoined: flag(
      filters.includes('compare-dimensions') || query.show.some(({ via }) => via !== null && via.length > 0),
    ),
    cohort: flag(query.groupBy.some(({ kind }) => kind === 'cohort')),
    asksEach: flag(/\b(?:each|every|per)\b/.test(text)),
    yesNo: flag(isYesNo),
    accepted: flag(named.some(metric => metric?.status === 'accepted')),
    names: flag(/\b(?:names?|ids?|titles?)\b/.test(text)),
    request: flag(/^(?:find|list|show|return|give|what (?:is|are) the|display)\b/.test(text)),
    long: Math.min(question.split(/\s+/).length / 10, 3),
    clauses: Math.min((text.match(/\b(?:and|or|who|that|which|whose|with|have|has)\b/g) ?? []).length, 4) / 2,
    namesRows: flag(evidence.namesRows),
    asksFigure: flag(figureWords.test(text)),
    asksWhen: flag(dateWords.test(text)),
    dated: flag(layer.models.some(({ timeDimension }) => timeDimension !== null)),
  }
}

const figureWords =
  /\b(?:how (?:many|much|long|often|quickly|fast)|average|avg|mean|median|total|sum|number of|count|percentage|percent|share|rate)\b/

const dateWords =
  /\b(?:when|dates?|days?|months?|years?|quarters?|weeks?|times?|hours?|since|start\w*|began|end\w*|due|born|births?|birthdays?|opened|closed|created)\b/

const partsOf = (use: MetricUse): readonly MetricUse[] =>
  use.kind === 'ratio' ? [...partsOf(use.numerator), ...partsOf(use.denominator)] : [use]
