import { distance } from 'fastest-levenshtein'

/** The known name that an unknown one was most likely meant to be, or null when none is near. */
export const suggest = (unknown: string, known: readonly string[]): string | null => {
  const asked = plain(unknown)
  const near = known
    .map(name => ({ name, edits: distance(asked, plain(name)), begins: plain(name).startsWith(asked) }))
    .filter(({ edits, begins }) => edits <= Math.max(1, asked.length / 3) || (begins && asked.length >= 4))
    .sort((a, b) => a.edits - b.edits)
  return near[0]?.name ?? null
}

/** Spelling habits aside: `max_rows`, `max-rows` and `maxRows` are one name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '')
