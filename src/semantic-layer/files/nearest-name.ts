import { distance } from 'fastest-levenshtein'

/** The known name that is closest to a misspelled one; null if none is close. */
export const nearestName = (name: string, known: Iterable<string>): string | null => {
  const given = name.toLowerCase()
  const [best] = [...known]
    .map(one => ({
      one,
      edits: distance(one.toLowerCase(), given),
      begins: one.toLowerCase().startsWith(given),
    }))
    .sort(
      (a, b) =>
        a.edits - b.edits ||
        Number(b.one[0]?.toLowerCase() === given[0]) - Number(a.one[0]?.toLowerCase() === given[0]),
    )
    .filter(({ edits, begins }) => edits <= Math.max(2, name.length / 3) || (begins && name.length > 2))
  return best?.one ?? null
}

/** “; did you mean status?”, or nothing. */
export const didYouMean = (name: string, known: Iterable<string>): string => {
  const nearest = nearestName(name, known)
  return nearest === null ? '' : `; did you mean ${nearest}?`
}
