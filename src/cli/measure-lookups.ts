import { percentile } from '../evaluation/percentile.ts'

/** How well and how fast lookups went. Times in milliseconds, recalls as shares of the queries. */
export interface LookupFigures {
  readonly p50: number
  readonly p95: number
  /** How often the target was among the first ten. */
  readonly recall10: number
  readonly recall10ByKind: Readonly<Record<string, number>>
}

/** A keyword, and the value that it should find. */
export interface Lookup {
  readonly kind: string
  readonly target: string
  readonly keyword: string
}

/** The first calls are spent on compiling. */
export const warmUpLookups = 100

/** Asks every query once, after a few that are not counted, and looks for its target among the first ten answers. */
export const measureLookups = (
  find: (keyword: string) => readonly string[],
  queries: readonly Lookup[],
  now: () => number,
): LookupFigures => {
  for (const { keyword } of queries.slice(0, warmUpLookups)) find(keyword)
  return lookupFigures(
    queries.map(query => {
      const started = now()
      const values = find(query.keyword)
      return { query, milliseconds: now() - started, values }
    }),
  )
}

/** Sums up what lookups took and gave. */
export const lookupFigures = (
  lookups: readonly {
    readonly query: Lookup
    readonly milliseconds: number
    readonly values: readonly string[]
  }[],
): LookupFigures => {
  const times = lookups.map(({ milliseconds }) => milliseconds)
  const kinds = new Map<string, { asked: number; found: number }>()
  let found = 0
  for (const { query, values } of lookups) {
    const tally = kinds.get(query.kind) ?? { asked: 0, found: 0 }
    kinds.set(query.kind, tally)
    tally.asked += 1
    if (!values.slice(0, 10).includes(query.target)) continue
    tally.found += 1
    found += 1
  }
  return {
    p50: percentile(times, 0.5) ?? 0,
    p95: percentile(times, 0.95) ?? 0,
    recall10: lookups.length === 0 ? 0 : found / lookups.length,
    recall10ByKind: Object.fromEntries([...kinds].map(([kind, tally]) => [kind, tally.found / tally.asked])),
  }
}
