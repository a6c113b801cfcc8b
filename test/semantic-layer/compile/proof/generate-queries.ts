import {
  type DateUnit,
  type DimensionRef,
  emptyMetricQuery,
  type GroupKey,
  type MetricFilter,
  type MetricPeriod,
  type MetricQuery,
  type MetricUse,
} from '../../../../src/domain/metrics/metric-query.ts'
import { makeRandom } from '../../../../src/lib/random.ts'
import { type Subject, subjects } from './query-parts.ts'

/** Chances and choices that depend on the seed alone. */
export interface Dice {
  readonly chance: (probability: number) => boolean
  readonly pick: <Item>(items: readonly Item[]) => Item
  readonly some: <Item>(items: readonly Item[], most: number) => readonly Item[]
}

const makeDice = (seed: number): Dice => {
  const random = makeRandom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  return {
    chance: probability => random() < probability,
    pick,
    some: (items, most) => {
      const left = [...items]
      return Array.from({ length: Math.min(left.length, Math.floor(random() * (most + 1))) }, () => {
        const item = pick(left)
        left.splice(left.indexOf(item), 1)
        return item
      })
    },
  }
}

/** Metric queries of every kind over the shop, the same for the same seed. */
export const generateQueries = (count: number, seed: number): readonly MetricQuery[] => {
  const dice = makeDice(seed)
  return Array.from({ length: count }, () => {
    const subject = dice.pick(subjects)
    const kinds: readonly ((subject: Subject, dice: Dice) => MetricQuery)[] = [
      plainQuery,
      plainQuery,
      ...(subject.hasDate ? [comparedQuery, seriesQuery, runningQuery, meanQuery] : []),
      sharedQuery,
      topOfEachQuery,
      listQuery,
    ]
    return dice.pick(kinds)(subject, dice)
  })
}

const named = (metric: string, filters: readonly MetricFilter[] = []): MetricUse => ({
  kind: 'named',
  metric,
  filters,
})

const periods: readonly (readonly [string | null, string | null])[] = [
  ['2024-01-01', '2025-01-01'],
  ['2024-01-01', '2024-03-01'],
  ['2023-12-31', '2024-01-02'],
  ['2024-02-15', '2024-07-20'],
  ['2023-04-01', null],
  [null, '2024-06-01'],
]

const periodOf = (dice: Dice, at: DimensionRef | null = null): MetricPeriod => {
  const [from, until] = dice.pick(periods)
  return { from, until, at, phrase: 'then' }
}

/** Metrics of a subject: its own, with filters of their own, made ones, and ratios of two. */
const usesOf = (subject: Subject, dice: Dice, most: number): readonly MetricUse[] => {
  const own = dice.some(subject.metrics, most - 1).map(metric => named(metric))
  const first = dice.pick(subject.metrics)
  const special: readonly MetricUse[] = dice.chance(0.4)
    ? [
        dice.pick<MetricUse>([
          named(first, dice.some(subject.filters, 1)),
          ...subject.made,
          {
            kind: 'ratio',
            label: 'Special part',
            numerator: named(first, [dice.pick(subject.filters)]),
            denominator: named(first),
            isShare: true,
          },
        ]),
      ]
    : []
  const uses = [...own, ...special]
  return uses.length > 0 ? uses : [named(first)]
}

const filtersOf = (subject: Subject, dice: Dice): readonly MetricFilter[] => {
  const filters = dice.some(subject.filters, 2)
  if (!dice.chance(0.2)) return filters
  return [...filters, { kind: 'any', filters: [dice.pick(subject.filters), dice.pick(subject.filters)] }]
}

const plainQuery = (subject: Subject, dice: Dice): MetricQuery => {
  const metrics = usesOf(subject, dice, 3)
  const groupBy = dice.some(subject.keys, 2)
  const [first] = groupBy
  // Days have no hours.
  const hasHours = groupBy.some(key => key.kind === 'part' && key.part === 'hour')
  const dates = subject.dates.filter(({ dimension }) => !hasHours || dimension.endsWith('_at'))
  return {
    ...emptyMetricQuery,
    metrics,
    groupBy,
    filters: filtersOf(subject, dice),
    period: subject.hasDate && dice.chance(0.5) ? periodOf(dice, dice.pick([null, null, ...dates])) : null,
    having:
      first && dice.chance(0.3)
        ? [{ metric: dice.pick(metrics), operator: dice.pick(['>', '<=', '<>'] as const), value: 3 }]
        : [],
    order:
      first && dice.chance(0.5)
        ? [{ kind: 'metric', metric: dice.pick(metrics), direction: dice.pick(['asc', 'desc'] as const) }]
        : first && first.kind !== 'model' && dice.chance(0.3)
          ? [{ kind: 'key', key: first, direction: dice.pick(['asc', 'desc'] as const) }]
          : [],
    limit: first && dice.chance(0.3) ? 4 : null,
  }
}

const isTimed = ({ kind }: GroupKey): boolean => kind === 'grain' || kind === 'cohort'

const comparedQuery = (subject: Subject, dice: Dice): MetricQuery => {
  const metrics = usesOf(subject, dice, 2)
  const [from, until, label] = dice.pick([
    ['2024-01-01', '2024-04-01', 'first quarter'],
    ['2023-01-01', '2024-01-01', 'year before'],
    ['2023-03-01', '2023-07-01', 'spring before'],
  ] as const)
  const groupBy = dice.some(
    subject.keys.filter(key => key.kind !== 'grain'),
    2,
  )
  return {
    ...emptyMetricQuery,
    metrics,
    groupBy,
    filters: filtersOf(subject, dice),
    period: { from: '2024-04-01', until: '2024-07-01', at: null, phrase: 'this quarter' },
    compare: { kind: 'period', from, until, label, isSameStretch: false },
    order:
      groupBy.length > 0 && dice.chance(0.5)
        ? [{ kind: 'change', metric: metrics[0]!, isRelative: dice.chance(0.5), direction: 'desc' }]
        : [],
    limit: groupBy.length > 0 && dice.chance(0.3) ? 3 : null,
  }
}

const units: readonly DateUnit[] = ['day', 'week', 'month', 'quarter', 'year']

const withGrain = (
  subject: Subject,
  dice: Dice,
  grains: readonly DateUnit[] = units,
): readonly GroupKey[] => [
  { kind: 'grain', at: null, grain: dice.pick(grains) },
  ...dice.some(
    subject.keys.filter(key => !isTimed(key)),
    1,
  ),
]

const seriesQuery = (subject: Subject, dice: Dice): MetricQuery => ({
  ...emptyMetricQuery,
  metrics: usesOf(subject, dice, 2),
  groupBy: withGrain(subject, dice),
  filters: dice.some(subject.filters, 1),
  period: dice.chance(0.7) ? periodOf(dice) : null,
  compare: { kind: 'series', lag: dice.pick(['previous', 'year'] as const) },
  having: dice.chance(0.2) ? [{ metric: named(dice.pick(subject.additive)), operator: '>=', value: 2 }] : [],
})

const runningQuery = (subject: Subject, dice: Dice): MetricQuery => {
  const grain = withGrain(subject, dice, ['week', 'month', 'quarter'])
  const isMonth = grain[0]!.kind === 'grain' && grain[0]!.grain === 'month'
  const cumulative = subject.cumulative.filter(name => isMonth || name !== 'orders_of_3_months')
  if (cumulative.length > 0 && dice.chance(0.4))
    return {
      ...emptyMetricQuery,
      metrics: [named(dice.pick(cumulative)), named(dice.pick(subject.additive))],
      groupBy: grain,
      filters: dice.some(subject.filters, 1),
      period: dice.chance(0.7) ? periodOf(dice) : null,
    }
  const kind = dice.pick(['total', 'to-date', 'moving-average'] as const)
  const metrics = kind === 'moving-average' ? usesOf(subject, dice, 2) : [named(dice.pick(subject.additive))]
  return {
    ...emptyMetricQuery,
    metrics,
    groupBy: grain,
    filters: dice.some(subject.filters, 1),
    period: dice.chance(0.7) ? periodOf(dice) : null,
    running:
      kind === 'to-date'
        ? { kind, unit: dice.pick(['quarter', 'year'] as const) }
        : kind === 'total'
          ? { kind }
          : { kind, count: dice.pick([2, 3]) },
    having: dice.chance(0.2) ? [{ metric: named(dice.pick(subject.additive)), operator: '>', value: 1 }] : [],
  }
}

/** The mean of all periods of each group. */
const meanQuery = (subject: Subject, dice: Dice): MetricQuery => ({
  ...emptyMetricQuery,
  metrics: [named(dice.pick(subject.additive), dice.some(subject.filters, 1))],
  groupBy: withGrain(subject, dice),
  filters: dice.some(subject.filters, 1),
  period: dice.chance(0.7) ? periodOf(dice) : null,
  running: { kind: 'mean' },
})

const sharedQuery = (subject: Subject, dice: Dice): MetricQuery => {
  const keys = dice.some(subject.keys, 2)
  const groupBy = keys.length > 0 ? keys : [subject.keys[0]!]
  const metric = named(dice.pick(subject.additive), dice.some(subject.filters, 1))
  return {
    ...emptyMetricQuery,
    metrics: [metric],
    groupBy,
    filters: dice.some(subject.filters, 1),
    period: subject.hasDate && dice.chance(0.3) ? periodOf(dice) : null,
    share: groupBy.length > 1 && dice.chance(0.6) ? { kind: 'group', by: groupBy[0]! } : { kind: 'total' },
    having: dice.chance(0.3) ? [{ metric, operator: '>', value: 2 }] : [],
    limit: dice.chance(0.3) ? 3 : null,
  }
}

const topOfEachQuery = (subject: Subject, dice: Dice): MetricQuery => {
  const per = dice.pick(subject.keys.filter(({ kind }) => kind === 'dimension'))
  const other = dice.pick(subject.keys.filter(key => key !== per))
  const metrics = usesOf(subject, dice, 2)
  return {
    ...emptyMetricQuery,
    metrics,
    groupBy: [per, other],
    filters: dice.some(subject.filters, 1),
    having: dice.chance(0.3) ? [{ metric: metrics[0]!, operator: '>', value: 1 }] : [],
    order: [
      {
        kind: 'metric',
        metric: named(dice.pick(subject.metrics)),
        direction: dice.pick(['asc', 'desc'] as const),
      },
    ],
    limit: 2,
    limitPer: [per],
  }
}

const listQuery = (subject: Subject, dice: Dice): MetricQuery => {
  const { list } = subject
  const base: MetricQuery = {
    ...emptyMetricQuery,
    rowsOf: list.model,
    show: dice.some(list.show, 2),
    filters: dice.some(list.filters, 2),
    period: dice.chance(0.3) && list.isDated ? periodOf(dice) : null,
    order: dice.chance(0.4) ? [{ kind: 'dimension', at: list.sortable, direction: 'desc' }] : [],
    limit: dice.chance(0.3) ? 5 : null,
  }
  if (list.measured.length === 0 || dice.chance(0.4)) return base
  const measured = dice.some(list.measured, 2)
  const metrics = (measured.length > 0 ? measured : list.measured.slice(0, 1)).map(metric => named(metric))
  return {
    ...base,
    period: subject.hasDate && dice.chance(0.4) ? periodOf(dice) : null,
    metrics: dice.chance(0.5) ? metrics : [],
    having: [
      {
        metric: metrics[0]!,
        ...dice.pick([
          { operator: '>', value: 4 },
          { operator: '=', value: 0 },
          { operator: '<', value: 3 },
          { operator: '<>', value: 2 },
          { operator: '>=', value: 0 },
        ] as const),
      },
    ],
    order: dice.chance(0.5) ? [{ kind: 'metric', metric: metrics.at(-1)!, direction: 'desc' }] : [],
  }
}

/** The queries that are proven on every database; another seed gives others. */
export const provenQueries = generateQueries(320, 4)
