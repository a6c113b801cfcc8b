/** Parts the key of a question from what tells its runs apart. */
const SEPARATOR = '~'

/** The key of a question that is run again: whose answer it takes over, and which run this is. */
export const formatRerunKey = (
  before: { readonly key: string; readonly id: string },
  run: string,
): string => {
  const [key = ''] = before.key.split(SEPARATOR)
  return [key, before.id, run].join(SEPARATOR)
}

/** The id of the question whose answer a run took over; null for a question that is no such run. */
export const previousQuestionId = (key: string): string | null => key.split(SEPARATOR)[1] ?? null
