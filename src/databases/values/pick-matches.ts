import type { ValueMatch } from '../../core/value-match.ts'

/**
 * The best `limit` matches, best first. With `perColumn`, at most so many of each column. Without it they are shared
 * out so that one column full of similar values does not hide the others: a column has half of the places at first,
 * and more only where nothing else is left. Equal scores go by table and column in the order of their names, shorter
 * values first.
 */
export const pickMatches = (
  matches: readonly ValueMatch[],
  { limit, perColumn }: { readonly limit: number; readonly perColumn?: number | undefined },
): readonly ValueMatch[] => {
  const sorted = [...matches].sort(byScore)
  if (perColumn === undefined && sorted.length <= limit) return sorted
  const share = perColumn ?? Math.ceil(limit / 2)
  const taken = new Map<string, number>()
  const picked: ValueMatch[] = []
  const leftOver: ValueMatch[] = []
  for (const match of sorted) {
    const place = JSON.stringify([match.table, match.column])
    const count = taken.get(place) ?? 0
    if (count >= share) leftOver.push(match)
    else {
      taken.set(place, count + 1)
      picked.push(match)
      if (picked.length === limit) break
    }
  }
  if (perColumn === undefined && picked.length < limit)
    picked.push(...leftOver.slice(0, limit - picked.length))
  return picked.sort(byScore)
}

const byScore = (a: ValueMatch, b: ValueMatch): number =>
  b.score - a.score ||
  a.value.length - b.value.length ||
  compare(a.table, b.table) ||
  compare(a.column, b.column) ||
  compare(a.value, b.value)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
