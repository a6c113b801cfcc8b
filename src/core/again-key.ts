/** Parts the key of a question from what tells its runs apart. */
const AGAIN = '~'

/** The key of a question that is run again: whose answer it takes over, and which run this is. */
export const writeAgainKey = (before: { readonly key: string; readonly id: string }, run: string): string => {
  const [key = ''] = before.key.split(AGAIN)
  return [key, before.id, run].join(AGAIN)
}

/** The id of the question whose answer a run took over; null for a question that is no such run. */
export const questionBefore = (key: string): string | null => key.split(AGAIN)[1] ?? null
