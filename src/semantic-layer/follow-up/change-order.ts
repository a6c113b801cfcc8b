import type { MetricOrder, MetricQuery } from '../../domain/metrics/metric-query.ts'
import type { SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import { parseNumber } from '../../lib/parse-number.ts'
import { refOf } from '../interpret/draft/query-draft.ts'
import { speeds } from '../interpret/finish/duration.ts'
import { columnOfFigure, sameKey } from '../interpret/finish/layer-facts.ts'
import { type Change, dimensionAt, figureLabel, isSamePlace, keyLabel, saysCue } from './changed-query.ts'

const descending =
  /\b(?:descending|desc|highest|largest|biggest|most|best|newest|latest|z (?:to|-) a|down)\b/i

const ascending =
  /\b(?:ascending|asc|lowest|smallest|fewest|least|worst|oldest|earliest|alphabetical(?:ly)?|a (?:to|-) z|chronological(?:ly)?|up)\b/i

const reversing = /\b(?:reverse[ds]?|(?:in )?reverse order|the other way (?:a)?round|upside down|flip)\b/i

const ordering =
  /^(?:(?:sort|order|rank|sorted|ordered|ranked|arrange|list)\b.*\b(?:by|alphabetically|descending|ascending|chronologically|from|highest|lowest|largest|smallest|newest|oldest)\b.*|(?:alphabetical(?:ly)?|in alphabetical order|chronological(?:ly)?|descending|ascending)(?: order)?|.*\bfirst|(?:sort |order |in )?(?:it |that |them )?(?:the )?(?:reverse[ds]?\b.*|flip\b.*|other way (?:a)?round))$/i

/** Whether a text asks for another order of the same rows. */
export const asksForOrder = (text: string): boolean =>
  ordering.test(text) && !/^(?:their |the )?first$/i.test(text)

/** Another order of the rows: by a figure, a group or a column, or the other way round. Whether there is such. */
export const changeOrder = (change: Change, said: string, home: SemanticModel): boolean => {
  const { query, context } = change
  change.used.add('order')
  if (reversing.test(said)) return reverse(change)
  const wanted = descending.test(said) ? 'desc' : ascending.test(said) ? 'asc' : null
  const figure = figureNamed(change)
  if (query.limit !== null && figure === null && wanted === null) return false
  const byName = /\b(?:names?|titles?|alphabetical(?:ly)?|a (?:to|-) z)\b/i.test(said)
  const key =
    query.groupBy.find(one => change.draft.groups.some(({ key: own }) => sameKey(own, one))) ??
    query.groupBy.find(one => isNamed(change, one)) ??
    (/\b(?:dates?|days?|weeks?|months?|quarters?|years?|time|chronological(?:ly)?|newest|oldest|latest|earliest)\b/i.test(
      said,
    )
      ? query.groupBy.find(({ kind }) => kind === 'grain')
      : undefined) ??
    (byName ? query.groupBy.find(({ kind }) => kind === 'model' || kind === 'dimension') : undefined)
  const order: MetricOrder | null =
    figure !== null
      ? { kind: 'metric', metric: figure, direction: wanted ?? 'desc' }
      : key !== undefined
        ? { kind: 'key', key, direction: wanted ?? 'asc' }
        : query.rowsOf !== null
          ? rowOrder(change, home, byName, wanted)
          : query.metrics[0] && query.groupBy.length > 0 && wanted !== null
            ? { kind: 'metric', metric: query.metrics[0], direction: wanted }
            : null
  if (order === null) return false
  change.query = { ...query, order: [order] }
  if (order.kind === 'metric') change.figureIsAsked = true
  const by =
    order.kind === 'metric'
      ? figureLabel(order.metric, context)
      : order.kind === 'key'
        ? keyLabel(order.key, context)
        : order.kind === 'dimension'
          ? (dimensionAt(order.at, context)?.label.toLowerCase() ?? order.at.dimension)
          : null
  change.said.push({ kind: 'order', by, direction: order.direction, count: null })
  return true
}

/** A figure that the order names: one of those that are shown, or another one that is then shown too. */
const figureNamed = (change: Change) => {
  const named = change.draft.metrics.at(-1)?.use
  if (named === undefined || change.query.rowsOf !== null) return null
  const shown = change.query.metrics.find(use => JSON.stringify(use) === JSON.stringify(named))
  if (shown === undefined) change.query = { ...change.query, metrics: [...change.query.metrics, named] }
  return named
}

const isNamed = ({ draft }: Change, key: MetricQuery['groupBy'][number]): boolean =>
  key.kind === 'dimension'
    ? draft.dimensions.some(({ model, dimension }) => isSamePlace(refOf(model, dimension), key.at))
    : key.kind === 'model'
      ? draft.models.some(({ model, at }) => at >= 0 && model.name === key.model)
      : false

const rowOrder = (
  change: Change,
  home: SemanticModel,
  byName: boolean,
  wanted: 'asc' | 'desc' | null,
): MetricOrder | null => {
  const { draft, query, context } = change
  const named = draft.dimensions.find(({ model }) => model.name === home.name) ?? draft.dimensions[0]
  const event = draft.events.find(({ model }) => model.name === home.name)
  const figure = draft.metrics.map(({ use }) => columnOfFigure(use, home, context)).find(one => one !== null)
  const [name] = home.nameDimensions
  if (figure) return { kind: 'dimension', at: refOf(home, figure), direction: wanted ?? 'desc' }
  if (named && !byName) {
    const isNumber = named.dimension.type === 'number'
    return {
      kind: 'dimension',
      at: refOf(named.model, named.dimension),
      direction: wanted ?? (isNumber ? 'desc' : 'asc'),
    }
  }
  if (byName && name !== undefined)
    return {
      kind: 'dimension',
      at: { model: home.name, dimension: name, via: null },
      direction: wanted ?? 'asc',
    }
  if (event)
    return { kind: 'dimension', at: refOf(event.model, event.dimension), direction: wanted ?? 'desc' }
  const [first] = query.order
  return first && wanted ? { ...first, direction: wanted } : null
}

const reverse = (change: Change): boolean => {
  const { query, context } = change
  const [first] = query.order
  const [metric] = query.metrics
  const order: MetricOrder | null = first
    ? { ...first, direction: first.direction === 'asc' ? 'desc' : 'asc' }
    : metric && query.groupBy.length > 0
      ? query.groupBy[0]?.kind === 'grain'
        ? { kind: 'key', key: query.groupBy[0], direction: 'desc' }
        : { kind: 'metric', metric, direction: 'asc' }
      : null
  if (order === null) return false
  change.query = { ...query, order: [order] }
  const by = order.kind === 'metric' ? figureLabel(order.metric, context) : null
  change.said.push({ kind: 'order', by, direction: order.direction, count: null })
  return true
}

const bareCount =
  /^(?:(?:show|list|give|make|take|keep|want)(?: (?:me|us|it|that|them))? )?(?:only |just )?(?:the )?(?:top |first |best )?([\w-]+?)(?: (?:ones|rows|results|entries|of them|of those|instead|only|please))*$/i

/** How many are wanted, if a text says nothing else: "show me ten". */
export const bareNumber = (text: string): number | null => {
  const said = bareCount.exec(text)?.[1]
  const number =
    said === undefined || /^(?:first|second|third|last|(?:19|20)\d\d)$/i.test(said) ? null : parseNumber(said)
  return number !== null && Number.isInteger(number) && number > 0 ? number : null
}

/** How many are shown of "the top ones". */
const TOP_COUNT = 10

/** "Top 3", "bottom 5", "and the least?": how many, and from which end. */
export const changeRank = (change: Change, count: number | null): void => {
  const { draft, query, context } = change
  const [rank] = draft.ranks
  if (rank === undefined && count === null) return
  // "And the slowest?"
  const [ranked] = query.order
  const isTime =
    ranked?.kind === 'metric' &&
    ranked.metric.kind === 'made' &&
    ranked.metric.of !== null &&
    'from' in ranked.metric.of
  const speed = isTime ? speeds[rank?.adjective?.forms.base ?? ''] : undefined
  if (rank?.adjective && speed === undefined) {
    change.score -= 1
    change.unused.push(rank.text)
    return
  }
  const many = rank?.count ?? count
  const [before] = query.order
  if (query.rowsOf === null && query.groupBy.length === 0) {
    change.score -= 1
    change.unused.push(rank?.text ?? 'top')
    return
  }
  const figure = draft.metrics.find(({ isOrder }) => isOrder)?.use ?? query.metrics[0]
  // "Top 3" of what is ranked from below is still from below.
  const keeps =
    before !== undefined &&
    query.limit !== null &&
    (rank === undefined || (!rank.isMost && rank.direction === 'desc' && many !== null))
  const direction = keeps ? before.direction : (speed ?? rank?.direction ?? 'desc')
  const order: MetricOrder | null =
    before && before.kind !== 'key'
      ? { ...before, direction }
      : query.rowsOf === null && figure
        ? { kind: 'metric', metric: figure, direction }
        : (before ?? null)
  const limit = many ?? query.limit ?? (rank?.isPlural ? TOP_COUNT : 1)
  change.query = { ...query, order: order === null ? [] : [order], limit }
  if (saysCue(change, 'share')) change.used.add('share')
  const by = order?.kind === 'metric' || order?.kind === 'change' ? figureLabel(order.metric, context) : null
  change.said.push(
    by === null ? { kind: 'limit', count: limit } : { kind: 'order', by, direction, count: limit },
  )
}
