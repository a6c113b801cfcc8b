import type { MetricUse } from '../../../domain/metrics/metric-query.ts'
import type { SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { type Build, cueOf } from './build.ts'
import { baseOf, eventsOf, isSomebody } from './layer-facts.ts'

/** What speaks for it: those who are active today have not been so in every month. */
const FITS = 0.4

/** "Monthly active customers": how many did something in each month, such as order. "MAU" does not say who; users or customers. */
export const readActiveUsers = (build: Build): void => {
  const cue = cueOf(build, 'active-in')
  const named = build.models.filter(({ at }) => at >= 0).map(({ model }) => model)
  const person = cue && (named.length === 0 ? usersOf(build) : named.find(isSomebody))
  const events = person && eventsOf(person, build.context)
  const model = events && baseOf(events, build.context)
  const [key] = person?.primaryKey ?? []
  if (!cue || !person || !model || key === undefined) return
  const use: MetricUse = {
    kind: 'made',
    label: `Active ${person.plural}`,
    model: model.name,
    aggregation: 'count_distinct',
    of: { model: person.name, dimension: key, via: null },
    percentile: null,
    filters: [],
  }
  build.metrics = [{ use, isOrder: false, at: cue.at }]
  build.used.add('active-in')
  build.score += FITS
}

const usersOf = ({ context }: Build): SemanticModel | null =>
  ['user', 'customer', 'client', 'member', 'account'].flatMap(word =>
    context.layer.models.filter(({ name }) => name === word),
  )[0] ?? null
