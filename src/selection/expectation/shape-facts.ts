import type { ShapeTerm, SqlShape } from '../../sql/sql-shape.ts'
import type { StemmedCatalog } from './catalog-words.ts'

/**
 * What is expected of a query, fact by fact: each has one of a few values. Outer joins are left out: the known answers
 * have none, so they teach nothing about them.
 */
export const shapeFacts = {
  distinct: ({ distinct }) => yes(distinct),
  items: ({ items }) => (items.some(isStar) ? 'all' : atMost(items.length, 4)),
  aggregate: ({ items }) => {
    const kinds = [...new Set(items.flatMap(({ aggregate }) => aggregate ?? []))]
    return kinds.length > 1 ? 'several' : (kinds[0] ?? 'none')
  },
  counted: ({ items }) => {
    const count = items.find(({ aggregate }) => aggregate === 'count')
    if (count === undefined) return 'none'
    return count.distinct ? 'distinct' : count.star ? 'rows' : 'column'
  },
  grouped: ({ groupBy }) => yes(groupBy.length > 0),
  having: ({ having }) => (having === null ? 'none' : (having.aggregate ?? 'other')),
  order: ({ orderBy: [key] }) =>
    key === undefined
      ? 'none'
      : `${key.aggregate === null ? 'column' : key.aggregate === 'count' ? 'count' : 'aggregate'}-${key.direction}`,
  limit: ({ limit }) => (limit === null ? 'none' : limit === 1 ? 'one' : 'several'),
  combined: ({ setOperation }) => setOperation ?? 'none',
  nested: ({ nested, comparisons }) => {
    if (nested === 0) return 'none'
    if (comparisons['not-in-query'] || comparisons['not-exists']) return 'not-in'
    return comparisons['in-query'] || comparisons.exists ? 'in' : 'other'
  },
  like: ({ comparisons }) => yes(comparisons.like || comparisons['not-like']),
  greater: ({ comparisons }) => yes(comparisons.greater),
  less: ({ comparisons }) => yes(comparisons.less),
  between: ({ comparisons }) => yes(comparisons.between),
  unequal: ({ comparisons }) => yes(comparisons.unequal),
  equal: ({ comparisons }) => atMost((comparisons.equal ?? 0) + (comparisons['in-list'] ?? 0), 2),
  either: ({ ors, comparisons }) => yes(ors || comparisons['in-list']),
  missing: ({ comparisons }) => yes(comparisons.null || comparisons['not-null']),
  sources: ({ sources }) => atMost(sources, 4),
  'shows-key': ({ items }, words) => yes(items.some(item => shown(item, words, 'isKey'))),
  'shows-name': ({ items }, words) => yes(items.some(item => shown(item, words, 'isName'))),
} satisfies Record<string, (shape: SqlShape, words: StemmedCatalog) => string>

export type FactName = keyof typeof shapeFacts

export const factNames = Object.keys(shapeFacts) as readonly FactName[]

const yes = (value: unknown): string => (value ? 'yes' : 'no')

const atMost = (count: number, most: number): string => (count >= most ? `${most}+` : String(count))

const isStar = ({ star, aggregate }: ShapeTerm): boolean => star && aggregate === null

const shown = (
  { aggregate, column }: ShapeTerm,
  { byName }: StemmedCatalog,
  what: 'isKey' | 'isName',
): boolean =>
  aggregate === null && column !== null && (byName.get(column.toLowerCase())?.some(one => one[what]) ?? false)
