import { percentile } from '../evaluation/percentile.ts'

/** How well and how fast lookups went. Times in milliseconds, recalls as shares of the queries. */
export interface LookupFigures {
  readonly p50: number
  readonly p95: number
  /** How often the target was among the first ten. */
  readonly recall10: number
  readonly recall10ByKind: Readonly<Record<string, number>>
}

/** Asks every query once, after a few that are not counted, and looks for its target among the first ten answers. */
export const measureLookups = (
  find: (keyword: string) => readonly string[],
  queries: readonly { readonly kind: string; readonly target: string; readonly keyword: string }[],
  now: () => number,
): LookupFigures => {
  for (const { keyword } of queries.slice(0, uncounted)) find(keyword)
  const times: number[] = []
  const kinds = new Map<string, { asked: number; found: number }>()
  let found = 0
  for (const { kind, target, keyword } of queries) {
    const started = now()
    const values = find(keyword)
    times.push(now() - started)
    const tally = kinds.get(kind) ?? { asked: 0, found: 0 }
    kinds.set(kind, tally)
    tally.asked += 1
    if (!values.slice(0, 10).includes(target)) continue
    tally.found += 1
    found += 1
  }
  return {
    p50: percentile(times, 0.5) ?? 0,
    p95: percentile(times, 0.95) ?? 0,
    recall10: queries.length === 0 ? 0 : found / queries.length,
    recall10ByKind: Object.fromEntries([...kinds].map(([kind, tally]) => [kind, tally.found / tally.asked])),
  }
}

/** The first calls are spent on compiling. */
const uncounted = 100
