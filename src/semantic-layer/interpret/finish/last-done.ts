import type { DimensionRef, MetricUse } from '../../../domain/metrics/metric-query.ts'
import type { SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { liftClause, ownDate, type QueryDraft, refOf } from '../draft/query-draft.ts'
import { type Build, hasCue } from './build.ts'
import { baseOf, type FinishContext, modelNamed, pathBetween, somebodyOf } from './layer-facts.ts'

/** What somebody did, when, and how the question says so. */
interface Action {
  readonly model: SemanticModel
  readonly date: DimensionRef
  readonly isSaid: (build: Build) => void
}

/**
 * "Who made the latest booking", "which guest checked in last": those whom the last rows of another model belong to, by
 * the date of those rows. Says whether the question is of this kind.
 */
export const readLastDone = (build: Build, rank: QueryDraft['ranks'][number], count: number): boolean => {
  const { context, models } = build
  if (!isByDate(rank) || hasCue(build, 'grain', 'cohort') || build.groupBy.length > 0) return false
  if (/^\W*when\b/i.test(build.draft.words)) return readLastTime(build, rank)
  if (build.metrics.length > 0) return false
  const named = models.filter(({ at, role }) => at >= 0 && role !== 'group')
  const [behind] = named.filter(({ at }) => at > rank.at).toSorted((a, b) => a.at - b.at)
  const asked = named.find(({ model }) => somebodyOf(model, context) === model)
  if (!asked && !hasCue(build, 'who')) return false
  // "Our newest customers": they are ranked by their own date, unless they are the newest "to order".
  if (asked && behind === asked && !/\b\w+ to \w+/.test(wordsBehind(build, rank))) return false
  const action = findAction(build, asked?.model ?? null)
  const person = action && (asked?.model ?? somebodyOf(action.model, context))
  if (!person || !pathBetween(context, action.model.name, person.name)?.every(step => step.isToOne))
    return false
  action.isSaid(build)
  const names = person.nameDimensions.flatMap(name => person.dimensions.filter(one => one.name === name))
  build.isRows = true
  build.subject = action.model
  build.metrics = []
  build.show = [...names.map(name => refOf(person, name)), action.date]
  build.order = [{ kind: 'dimension', at: action.date, direction: isEarly(rank) ? 'asc' : 'desc' }]
  build.limit = rank.isSort ? null : count
  build.score += 0.5
  return true
}

/** "When was the last time that a customer canceled", "when was our last refund": the last date of what was done. */
const readLastTime = (build: Build, rank: QueryDraft['ranks'][number]): boolean => {
  const { context, models } = build
  const person = models.find(({ model, at }) => at >= 0 && somebodyOf(model, context) === model)?.model
  const action = eventAction(build, null) ?? measuredAction(build) ?? findAction(build, person ?? null)
  if (!action) return false
  action.isSaid(build)
  const isLast = !isEarly(rank)
  const use: MetricUse = {
    kind: 'made',
    label: `${isLast ? 'Last' : 'First'} ${actionLabel(action, context)}`,
    model: action.model.name,
    aggregation: isLast ? 'max' : 'min',
    of: action.date,
    percentile: null,
    filters: [],
  }
  build.isRows = false
  build.subject = action.model
  build.metrics = [{ use, isOrder: false, at: -1 }]
  build.score += 0.5
  return true
}

/** What the date is the date of: an order, a subscription canceled, a renewal date. */
const actionLabel = ({ model, date }: Action, context: FinishContext): string => {
  const own = ownDate(model)
  if (own.model === date.model && own.dimension === date.dimension) return model.label.toLowerCase()
  const dimension = modelNamed(context, date.model)?.dimensions.find(({ name }) => name === date.dimension)
  const label = (dimension?.label ?? date.dimension).toLowerCase()
  return label.includes(' ') ? label : `${model.label.toLowerCase()} ${label}`
}

/** "Latest", "first", "most recently". */
const isByDate = ({ adjective }: QueryDraft['ranks'][number]): boolean =>
  [...(adjective?.more ?? []), ...(adjective?.less ?? [])].includes('date')

/** The oldest is the first by its date. */
const isEarly = ({ adjective }: QueryDraft['ranks'][number]): boolean =>
  adjective?.less.includes('date') === true

const wordsBehind = ({ draft }: Build, { text }: QueryDraft['ranks'][number]): string =>
  draft.words.slice(Math.max(0, draft.words.toLowerCase().lastIndexOf(text.toLowerCase())))

/** What was done: an event, a condition on other rows, or a model that is named beside the person. */
const findAction = (build: Build, person: SemanticModel | null): Action | null => {
  const { draft, models } = build
  const event = eventAction(build, person)
  if (event) return event
  const clause = draft.clauses.find(({ negated }) => !negated)
  const model =
    clause?.model ?? models.find(one => one.at >= 0 && one.role !== 'group' && one.model !== person)?.model
  if (!model || model.timeDimension === null) return null
  return {
    model,
    date: clause?.date ?? ownDate(model),
    isSaid: () => {
      if (clause) liftClause(draft, clause)
    },
  }
}

/** An event that nothing has used yet, of anything but the person. */
const eventAction = ({ draft }: Build, person: SemanticModel | null): Action | null => {
  const event = draft.events.find(({ model, isUsed, negated }) => model !== person && !isUsed && !negated)
  if (!event) return null
  return {
    model: event.model,
    date: refOf(event.model, event.dimension),
    isSaid: () => {
      event.isUsed = true
    },
  }
}

/** What a figure was read of: a refund, whose rows have a date. */
const measuredAction = ({ context, metrics }: Build): Action | null => {
  const [measure] = metrics
  const model = measure ? baseOf(measure.use, context) : null
  if (!model || model.timeDimension === null) return null
  return { model, date: ownDate(model), isSaid: () => undefined }
}
