/** A schedule with its condition and its place has no more words than this. */
const MOST_SCHEDULE_WORDS = 40

/**
 * The words that a line begins with, as many as `isRead` takes for when a digest is due, under which condition, and where.
 * Null where it takes none.
 */
export const findSchedulePrefix = (line: string, isRead: (start: string) => boolean): string | null => {
  const ends = [...line.matchAll(/\S+/g)]
    .slice(0, MOST_SCHEDULE_WORDS)
    .map(({ 0: word, index }) => index + word.replace(/[,;.–—-]+$/, '').length)
  const last = ends.findLast(end => isRead(line.slice(0, end)))
  return last === undefined ? null : line.slice(0, last).trim()
}
