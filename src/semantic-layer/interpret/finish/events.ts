import type { Dimension, SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { type QueryDraft, refOf, wordsAt } from '../draft/query-draft.ts'
import type { Build } from './build.ts'
import { isOfOrBy, labelOfUse, modelNamed, pathBetween } from './layer-facts.ts'

/** What speaks against something that happens to other rows than those the question says it of. */
const OTHERS_EVENT = 1.5

/** Events without a period: that they happened, or that they did not. Those with one must be of what is asked about. */
export const readEvents = (build: Build, home: SemanticModel): void => {
  const { draft } = build
  const whose = countedModel(build) ?? home
  for (const event of draft.events) {
    if (event.isUsed) {
      if (event.model.name !== whose.name && !isOfOrBy(event.model, whose, build.context))
        leaveOut(build, event)
    } else if (event.model.name === home.name) readOwnEvent(build, event)
    else readOtherEvent(build, event, home)
  }
}

type Event = QueryDraft['events'][number]

const leaveOut = (build: Build, { at, dimension }: Event): void => {
  build.lost.push(wordsAt(build.draft, at, dimension.label.toLowerCase()))
  build.score -= OTHERS_EVENT
}

/** What is counted by its key in other rows: the customers of orders. */
const countedModel = ({ metrics, context }: Build): SemanticModel | null => {
  const use = metrics[0]?.use
  if (use?.kind !== 'made' || use.aggregation !== 'count_distinct') return null
  const { of } = use
  if (of === null || !('dimension' in of)) return null
  const owner = modelNamed(context, of.model)
  const expression = owner?.dimensions.find(({ name }) => name === of.dimension)?.expression
  const join = owner?.joins.find(
    ({ columns }) => expression?.kind === 'column' && columns.some(({ from }) => from === expression.column),
  )
  return join ? modelNamed(context, join.to) : null
}

const readOwnEvent = (build: Build, event: Event): void => {
  const { draft } = build
  const at = refOf(event.model, event.dimension)
  // "Albums with their release dates".
  if (build.isRows && !event.negated && /\bdates?\b/i.test(draft.words)) build.show.push(at)
  else if (event.negated)
    build.filters.push({ filter: { kind: 'missing', at, negated: false }, at: event.at })
  else if (!event.isOwn && !isGrouped(build, event) && draft.periods.length === 0)
    build.filters.push({ filter: { kind: 'missing', at, negated: true }, at: event.at })
}

const readOtherEvent = (build: Build, event: Event, home: SemanticModel): void => {
  const { context } = build
  const at = refOf(event.model, event.dimension)
  if (event.negated) {
    build.filters.push({ filter: { kind: 'missing', at, negated: false }, at: event.at })
    return
  }
  if (isGrouped(build, event)) return
  const path = pathBetween(context, home.name, event.model.name)
  if (path === null || !canBeTheirs(build, event, home)) {
    leaveOut(build, event)
    return
  }
  build.score -= 0.3
  // "Accounts that canceled": those with a subscription that did.
  const isDeed = !/login|seen/i.test(event.dimension.name)
  if (path.some(step => !step.isToOne) && !event.isOwn && isDeed)
    build.filters.push({
      filter: {
        kind: 'related',
        model: event.model.name,
        filters: [{ kind: 'missing', at, negated: true }],
        negated: false,
      },
      at: event.at,
    })
  else if (!saysEvent(build, event.dimension))
    build.lost.push(wordsAt(build.draft, event.at, event.dimension.label.toLowerCase()))
}

/** Customers with discontinued products may be meant where products are named; "discontinued customers" are none. */
const canBeTheirs = ({ context, models }: Build, event: Event, home: SemanticModel): boolean => {
  const isToOne = (from: string, to: string): boolean =>
    pathBetween(context, from, to)?.every(step => step.isToOne) === true
  return (
    isToOne(home.name, event.model.name) ||
    isToOne(event.model.name, home.name) ||
    (isOfOrBy(event.model, home, context) &&
      (event.isOwn || models.some(({ model, at }) => at >= 0 && model.name === event.model.name)))
  )
}

/** Whether a series goes by the event. */
const isGrouped = ({ draft }: Build, event: Event): boolean =>
  draft.cues.some(({ cue, at }) => cue.kind === 'grain' && Math.abs(at - event.at) <= 5)

/** Whether a figure says by its name what happened: the units *shipped*. */
const saysEvent = ({ metrics, context }: Build, { label }: Dimension): boolean =>
  metrics.some(({ use }) => labelOfUse(use, context).toLowerCase().split(' ').includes(label.toLowerCase()))
