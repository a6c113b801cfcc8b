import { countOf, wordsAt } from '../draft/query-draft.ts'
import { type Build, hasCue } from './build.ts'
import {
  areShared,
  baseOf,
  countsRows,
  definedCount,
  isAdditive,
  labelOfUse,
  modelNamed,
  pathBetween,
  wholeOf,
} from './layer-facts.ts'

/** What speaks against a figure of each of many people who share it. */
const SHARED = 1

/**
 * "Revenue per employee", where orders belong to a store and no order to an employee: the figure over how many there are.
 * A row for each would give everybody in the store all of its revenue. "Ad spend per order" has nothing else in common, and
 * "freight per shipment" is the mean of them.
 */
export const divideByCount = (build: Build): void => {
  const { context, draft } = build
  const [metric, ...others] = build.metrics
  const base = metric && baseOf(metric.use, context)
  const key = build.groupBy.find(one => one.kind === 'model')
  const person = key?.kind === 'model' ? modelNamed(context, key.model) : null
  if (!metric || !base || !person || build.isRows) return
  const place = draft.groups.find(group => group.key === key)?.at ?? -1
  const isPer = /^per$/i.test(wordsAt(draft, place - 1, '')) && draft.ranks.length === 0
  const isPlain = isPer && others.length === 0 && isAdditive(metric.use, context)
  const isApart = pathBetween(context, base.name, person.name) === null && person.timeDimension !== null
  const isOwn =
    [base.name, wholeOf(base, context).name].includes(person.name) &&
    isPlain &&
    !countsRows(metric.use, context)
  if (!isApart && !isOwn && !areShared(base, person, context)) return
  // Who works here today says nothing of how many worked here in a period.
  const isTimeless =
    isApart || (draft.periods.length === 0 && !hasCue(build, 'grain', 'part', 'growth', 'active-in'))
  if (!isOwn && !(isPlain && isTimeless && build.groupBy.length === 1)) {
    build.score -= SHARED
    build.lost.push(person.label.toLowerCase())
    return
  }
  const label = `${labelOfUse(metric.use, context)} per ${person.label.toLowerCase()}`
  const denominator = definedCount(person, context) ?? countOf(person)
  build.metrics = [
    { ...metric, use: { kind: 'ratio', label, numerator: metric.use, denominator, isShare: false } },
  ]
  build.groupBy = build.groupBy.filter(one => one !== key)
}
